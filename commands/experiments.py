"""The commands that play games: runs, comparisons, tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from commands.options import WHOLE, Lineup, Per, ruleset_of, shared, table_of
from commands.output import note, say, say_json, shown_progress, tell_of_compiling


@click.command()
@click.argument("game", required=False)
@click.option("--games", type=WHOLE, default=10_000, metavar="N", help="Number of games, also written 1e6; default 10,000.")
@click.option("--batch", type=WHOLE, metavar="N", help="Games in a batch; changes nothing but the files.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="RUN", help="Go on with a run that was interrupted.")
@shared()
@click.pass_context
def run(
    ctx: click.Context,
    /,
    game: str | None,
    games: int,
    batch: int | None,
    resume: Path | None,
    threads: int | None,
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """What happens in many games: plays them and keeps the records in a folder."""
    from experiments import runs

    if resume is not None:
        _refuse_besides_resume(ctx)
        table = None
    elif game is None:
        raise click.UsageError("name a game, or a run with --resume", ctx)
    else:
        table = table_of(ruleset_of(game, given["ruleset"], given["settings"]), given["strategies"], given["players"], given["seed"])
    tell_of_compiling()
    with shown_progress() as progress:
        try:
            if table is None:
                assert resume is not None
                done = runs.resume(resume, threads, progress)
            else:
                done = runs.run(table, games, given["out"], threads, batch, progress)
        except KeyboardInterrupt:
            kept = progress.folder if progress.folder and progress.folder.exists() else None
            note(f"\nsimcore: interrupted; go on with: simcore run --resume {kept}" if kept else "\nsimcore: interrupted; nothing was kept")
            ctx.exit(130)
    info = done.info
    if as_json:
        from reports.console import rate

        fields = ("deals", "seconds", "points_total", "tallies_hash")
        say_json({"run": str(done.folder), "games": info["played"], "deals_per_second": rate(info)} | {key: info[key] for key in fields})
    else:
        from experiments.overview import results
        from reports import console

        say(console.run_summary(done, results(done), lang))


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--games", type=WHOLE, default=20_000, metavar="N", help="Games of each, on the same cards; default 20,000.")
@click.option(
    "--strategy", "lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="For all seats, or one a seat with commas; again for a panel."
)
@click.option("--b-strategy", "b_lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="Who plays by B, where it is not who plays by A.")
@click.option("--margin", type=Per(), metavar="M", help="What still counts as the same: 1% (of A; of shares: percentage points), or an absolute size.")
@click.option("--measure", "measures", multiple=True, metavar="KEY", help="Only this measure, * for anything; repeatable. Default: all.")
@shared("settings", "players", "seed", "threads", "lang", "out", "as_json")
def compare(
    a: str,
    b: str,
    games: int,
    lineups: tuple[tuple[str, ...], ...],
    b_lineups: tuple[tuple[str, ...], ...],
    margin: tuple[float, bool] | None,
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Is ruleset B better than A, or the same? A verdict for every measure, from pairs of games on the same cards."""
    from experiments.compare import Margin
    from experiments.compare import compare as compared
    from reports.console_experiments import comparison
    from simcore.api import game_of

    game = game_of(a)
    first, second = (ruleset_of(game, text, given["settings"]) for text in (a, b))
    tell_of_compiling()
    with shown_progress() as progress:
        found = compared(
            first,
            second,
            lineups or (("random",),),
            games,
            b_panel=b_lineups or None,
            margin=Margin(*margin) if margin else None,
            progress=progress,
            **{name: given[name] for name in ("players", "seed", "measures", "threads")},
        )
    if as_json:
        say_json(found, given["out"])
    else:
        say(comparison(found, first.schema, lang), given["out"])


@click.command()
@click.argument("game")
@click.option("--games", type=WHOLE, default=2_000, metavar="N", help="Decks of each match, each played once from every seat; default 2,000.")
@click.option("--strategy", "strategies", multiple=True, metavar="NAME", help="Who plays; repeatable. Default: all strategies of the game.")
@click.option("--field", multiple=True, metavar="NAME", help="Whom all play against, in place of each other; repeatable.")
@shared("ruleset", "settings", "players", "seed", "threads", "lang", "out", "as_json")
def tournament(
    game: str,
    games: int,
    strategies: tuple[str, ...],
    field: tuple[str, ...],
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Who beats whom? Every two strategies on the same decks from every seat: pay-offs, ratings, cycles, the ladder of skill."""
    from experiments.tournament import tournament as played
    from reports.console_experiments import standings
    from simcore.game import get
    from simcore.strategy import available

    ruleset = ruleset_of(game, given["ruleset"], given["settings"])
    names = strategies or tuple(available(get(game)))
    tell_of_compiling()
    with shown_progress() as progress:
        found = played(ruleset, names, games, field=field, progress=progress, **{name: given[name] for name in ("players", "seed", "threads")})
    if as_json:
        say_json(found, given["out"])
    else:
        say(standings(found, lang), given["out"])


def _refuse_besides_resume(ctx: click.Context) -> None:
    """A run goes on as it was begun: nothing that decides what is played can be given again."""
    for name in ("game", "games", "batch", "ruleset", "settings", "players", "strategies", "seed", "out"):
        source = ctx.get_parameter_source(name)
        if source is click.core.ParameterSource.COMMANDLINE and ctx.params[name]:
            option = next(each for each in ctx.command.params if each.name == name)
            word = option.opts[0] if isinstance(option, click.Option) else "GAME"
            raise click.UsageError(f"--resume goes on with a run as it was begun: leave out {word}", ctx)
