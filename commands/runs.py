"""The commands of runs: to play games into a folder, to go on, add, join, and check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from commands.options import WHOLE, Per, ruleset_of, shared, table_of, unnamed
from commands.output import Plain, note, require_new, say, say_json, shown_progress, tell_of_compiling

if TYPE_CHECKING:
    from experiments.experiment_file import Experiment
    from experiments.runs import Run

A_RUN: Final = click.Path(path_type=Path)


@click.command()
@click.argument("game", required=False)
@click.option("--games", type=WHOLE, metavar="N", help="Number of games, also written 1e6; default 10,000. With --precision: at most so many.")
@click.option("--precision", type=Per(), metavar="P", help="Play until all win shares are known to within P, such as 0.5%.")
@click.option("--first", type=WHOLE, default=0, metavar="N", help="Number of the first game, for runs that are merged later; default 0.")
@click.option("--batch", type=WHOLE, metavar="N", help="Games in a batch; changes nothing but the files.")
@click.option("--resume", type=A_RUN, metavar="RUN", help="Go on with a run that was interrupted.")
@shared("ruleset", "settings", "players", "strategies", "seed", "threads", "cluster", "lang", "out", "as_json")
@click.pass_context
def run(
    ctx: click.Context,
    /,
    game: str | None,
    games: int | None,
    precision: tuple[float, bool] | None,
    first: int,
    batch: int | None,
    resume: Path | None,
    threads: int | None,
    cluster: str | None,
    lang: str,
    as_json: bool,
    **given: Any,
) -> None:
    """What happens in many games: plays them and keeps the records in a folder.

    In place of a game: a ruleset, or an experiment file (.toml), here or one of the ready ones, <game>.toml. It says itself what is played and asked.
    """
    from experiments import laboratory, precise, runs

    if resume is not None:
        _refuse_besides(ctx, "resume", "--resume goes on with a run as it was begun")
        if laboratory.is_experiment(resume):
            _experiment(ctx, laboratory.load(resume), resume, threads, lang, as_json)
            return
        with _going_on(ctx) as progress:
            done = precise.resume(resume, threads, progress, cluster)
        _tell(done, lang, as_json)
        return
    if game is None:
        raise click.UsageError("name a game (simcore run GAME --ruleset FILE), an experiment file, or a run with --resume", ctx)
    if game.endswith(".toml"):
        from experiments.experiment_file import find, is_ruleset, read_experiment

        path = find(game)
        if not is_ruleset(path):
            _refuse_besides(ctx, "game", "an experiment file says itself what is played", "out")
            experiment = read_experiment(path)
            _experiment(ctx, experiment, laboratory.begin(experiment, given["out"]), threads, lang, as_json)
            return
    if precision is not None and first:
        raise click.UsageError("--precision begins with game 0: leave out --first", ctx)
    table = table_of(ruleset_of(game, given["ruleset"], given["settings"]), given["strategies"], given["players"], given["seed"])
    with _going_on(ctx, unnamed(given["strategies"], lang)) as progress:
        if precision is not None:
            done = precise.run_until(table, precision[0], games, given["out"], threads, batch, progress, cluster=cluster)
        else:
            done = runs.run(table, 10_000 if games is None else games, given["out"], threads, batch, progress, first, cluster)
    _tell(done, lang, as_json)


@click.command()
@click.argument("run", type=A_RUN)
@click.option("--games", type=WHOLE, required=True, metavar="N", help="How many games to add behind the last one.")
@shared("threads", "cluster", "lang", "as_json")
@click.pass_context
def extend(ctx: click.Context, /, run: Path, games: int, threads: int | None, cluster: str | None, lang: str, as_json: bool) -> None:
    """Adds games to a run; it ends as if it had been played in one piece."""
    from experiments import runs

    with _going_on(ctx) as progress:
        done = runs.extend(run, games, threads, progress, cluster=cluster)
    _tell(done, lang, as_json)


@click.command()
@click.argument("runs", type=A_RUN, nargs=-1, required=True, metavar="RUN RUN...")
@shared("lang", "out", "as_json")
def merge(runs: tuple[Path, ...], lang: str, out: Path | None, as_json: bool) -> None:
    """Joins runs of neighbouring games (run --first), made on one machine or several, into a new run."""
    from experiments.runs import merge as merged

    _tell(merged(runs, out), lang, as_json)


@click.command()
@click.argument("run", type=A_RUN)
@click.option("--games", type=WHOLE, default=100, metavar="N", help="How many games to play again; default 100.")
@shared("seed", "lang", "out", "as_json")
def verify(run: Path, games: int, seed: int, lang: str, out: Path | None, as_json: bool) -> int:
    """Are the stored games those that the rules give? Plays a random sample again (--seed chooses it) and compares every row."""
    from experiments.runs import load_run
    from experiments.verify import verify as verified
    from reports.console_experiments import verification

    require_new(out)
    tell_of_compiling()
    found = verified(load_run(run), games, seed)
    if as_json:
        say_json(found, out)
    else:
        say(verification(found, lang), out)
    return 1 if found["different"] else 0


def _tell(done: Run, lang: str, as_json: bool) -> None:
    info = done.info
    if as_json:
        from reports.console import rate

        fields = ("deals", "seconds", "points_total", "tallies_hash", *(["stopping"] if "stopping" in info else []))
        say_json({"run": str(done.folder), "games": info["played"], "deals_per_second": rate(info)} | {key: info[key] for key in fields})
    else:
        from experiments.overview import results
        from reports import console
        from reports.console_experiments import stopping

        say(console.run_summary(done, results(done), lang) + stopping(info, lang))


@contextmanager
def _going_on(ctx: click.Context, beforehand: str = "") -> Iterator[Plain]:
    """Progress of a run; an interruption ends the command and says how to go on."""
    tell_of_compiling()
    with shown_progress(beforehand) as progress:
        try:
            yield progress
        except KeyboardInterrupt:
            kept = progress.folder if progress.folder and progress.folder.exists() else None
            note(f"\nsimcore: interrupted; go on with: simcore run --resume {kept}" if kept else "\nsimcore: interrupted; nothing was kept")
            ctx.exit(130)


def _refuse_besides(ctx: click.Context, name: str, because: str, *allowed: str) -> None:
    """What decides what is played has been said already and cannot be given again."""
    for other in ("game", "games", "precision", "first", "batch", "ruleset", "settings", "players", "strategies", "seed", "out"):
        source = ctx.get_parameter_source(other)
        if other not in (name, *allowed) and source is click.core.ParameterSource.COMMANDLINE and ctx.params[other]:
            option = next(each for each in ctx.command.params if each.name == other)
            word = option.opts[0] if isinstance(option, click.Option) else "GAME"
            raise click.UsageError(f"{because}: leave out {word}", ctx)


def _experiment(ctx: click.Context, experiment: Experiment, folder: Path, threads: int | None, lang: str, as_json: bool) -> None:
    """Answers the questions of an experiment and tells each answer as it comes."""
    from experiments.laboratory import answers
    from reports.console_experiments import answered, heading
    from simcore.game import schema

    found = []
    if not as_json:
        say(heading(experiment, folder, lang))
    with _going_on(ctx) as progress:
        progress.folder = folder
        for each in answers(experiment, folder, threads, progress):
            found.append({"name": each.question.name, "kind": each.question.kind, "file": each.place.name, "answer": each.answer})
            if not as_json:
                say(answered(each, schema(experiment.game), lang))
    if as_json:
        say_json({"experiment": str(folder), "game": experiment.game, "seed": experiment.seed, "questions": found})


COMMANDS: Final = (run, extend, merge, verify)
