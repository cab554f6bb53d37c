"""The commands that play games and keep none: comparisons and tournaments."""

from __future__ import annotations

from typing import Any, Final

import click

from commands.options import WHOLE, Lineup, Per, ruleset_of, shared, unnamed
from commands.output import require_new, say, say_json, shown_progress, tell_of_compiling


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--games", type=WHOLE, metavar="N", help="Games of each, on the same cards; default 20,000. With --precision: at most so many, 10 million.")
@click.option("--precision", type=Per(), metavar="P", help="Play until each --measure's difference is known to within P: 0.5% (as for --margin) or a size.")
@click.option("--strategy", "lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="For all seats, or one a seat with commas; again for a panel.")
@click.option("--b-strategy", "b_lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="Who plays by B, where it is not who plays by A.")
@click.option("--margin", type=Per(), metavar="M", help="What still counts as the same: 1% (of A; of shares: percentage points), or an absolute size.")
@click.option("--measure", "measures", multiple=True, metavar="KEY", help="Only this measure, * for anything; repeatable. Default: all.")
@shared("settings", "players", "seed", "threads", "lang", "out", "as_json")
def compare(
    a: str,
    b: str,
    games: int | None,
    precision: tuple[float, bool] | None,
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
    from reports.console_compare import comparison
    from simcore.api import game_of

    game = game_of(a)
    first, second = (ruleset_of(game, text, given["settings"]) for text in (a, b))
    require_new(given["out"])
    tell_of_compiling()
    with shown_progress(unnamed(lineups, lang)) as progress:
        found = compared(
            first,
            second,
            lineups or (("random",),),
            games or (10_000_000 if precision else 20_000),
            b_panel=b_lineups or None,
            margin=Margin(*margin) if margin else None,
            precision=Margin(*precision) if precision else None,
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
@click.option("--restricted", is_flag=True, help="Each against itself, forbidden one thing that it declares: what is that thing worth?")
@shared("ruleset", "settings", "players", "seed", "threads", "lang", "out", "as_json")
def tournament(
    game: str,
    games: int,
    strategies: tuple[str, ...],
    field: tuple[str, ...],
    restricted: bool,
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Who beats whom? Every two strategies on the same decks from every seat: pay-offs, ratings, cycles, the ladder of skill."""
    from experiments.restricted import restricted as forbidden
    from experiments.tournament import tournament as played
    from reports.console_experiments import restrictions, standings
    from simcore.game import get
    from simcore.strategy import available

    if restricted and field:
        raise click.UsageError("--restricted has no --field: every strategy plays against itself")
    ruleset = ruleset_of(game, given["ruleset"], given["settings"])
    names = strategies or tuple(available(get(ruleset.schema.key)))
    require_new(given["out"])
    tell_of_compiling()
    with shown_progress() as progress:
        more = {name: given[name] for name in ("players", "seed", "threads")} | {"progress": progress}
        found = forbidden(ruleset, names, games, **more) if restricted else played(ruleset, names, games, field=field, **more)
    if as_json:
        say_json(found, given["out"])
    else:
        say(restrictions(found, lang) if restricted else standings(found, lang), given["out"])


@click.command("first-move")
@click.argument("game")
@click.option("--games", type=WHOLE, default=20_000, metavar="N", help="Deals, each played once with every leader on the same cards; default 20,000.")
@click.option("--strategy", "lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="For all seats, or one a seat with commas; again for a panel.")
@shared("ruleset", "settings", "players", "seed", "threads", "lang", "out", "as_json")
def first_move(game: str, games: int, lineups: tuple[tuple[str, ...], ...], lang: str, as_json: bool, **given: Any) -> None:
    """What is moving first worth, apart from the cards that give the lead? And how many points make up for it?"""
    from experiments.first_move import first_move as measured
    from reports.console_experiments import first_moves

    ruleset = ruleset_of(game, given["ruleset"], given["settings"])
    require_new(given["out"])
    tell_of_compiling()
    with shown_progress(unnamed(lineups, lang)) as progress:
        found = measured(ruleset, lineups or (("random",),), games, progress=progress, **{name: given[name] for name in ("players", "seed", "threads")})
    if as_json:
        say_json(found, given["out"])
    else:
        say(first_moves(found, lang), given["out"])


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@click.option("--margin", type=Per(), metavar="M", help="With two rulesets: the difference that matters, as for compare; default 1%.")
@click.option("--precision", type=Per(), metavar="P", help="With one ruleset: how well all win shares are to be known; default 0.5%.")
@click.option("--strategy", "lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="For all seats, or one a seat with commas; again for a panel.")
@click.option("--measure", "measures", multiple=True, metavar="KEY", help="With two rulesets: only this measure; repeatable.")
@click.option("--pilot", type=WHOLE, default=2_000, metavar="N", help="Games that are played to see the spread; default 2,000.")
@shared("settings", "players", "seed", "threads", "lang", "out", "as_json")
@click.pass_context
def plan(
    ctx: click.Context,
    /,
    a: str,
    b: str | None,
    margin: tuple[float, bool] | None,
    precision: tuple[float, bool] | None,
    lineups: tuple[tuple[str, ...], ...],
    measures: tuple[str, ...],
    pilot: int,
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """How many games and minutes does a question need? For comparing A with B, or for the win shares of A."""
    from experiments import plan as planning
    from experiments.compare import Margin
    from reports.console_experiments import planned
    from simcore.api import game_of

    if (precision if b is not None else margin or measures) or (b is None and len(lineups) > 1):
        word = "--precision is" if b is not None else "--margin, --measure and several line-ups are"
        raise click.UsageError(f"{word} for {'one ruleset' if b is not None else 'two rulesets'}", ctx)
    first = ruleset_of(game_of(a), a, given["settings"])
    more = {name: given[name] for name in ("players", "seed", "threads")}
    require_new(given["out"])
    tell_of_compiling()
    with shown_progress(unnamed(lineups, lang)) as progress:
        if b is None:
            share = precision[0] if precision else 0.005
            found = planning.plan_precision(first, lineups[0] if lineups else ("random",), share, pilot, progress=progress, **more)
        else:
            other = ruleset_of(game_of(a), b, given["settings"])
            wanted = Margin(*margin) if margin else Margin(0.01, True)
            found = planning.plan_comparison(first, other, lineups or (("random",),), wanted, pilot, measures=measures, progress=progress, **more)
    if as_json:
        say_json(found, given["out"])
    else:
        say(planned(found, first.schema, lang), given["out"])


COMMANDS: Final = (compare, tournament, first_move, plan)
