"""The commands that look for better prices: what if, lint, price, check, sensitivity, tune."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from commands.options import WHOLE, Lineup, note_turned, ruleset_of, shared, unnamed
from commands.output import output, require_new, say, say_json, shown_progress, tell_of_compiling


class Grid(click.ParamType[tuple[str, int]]):
    """A step of prices: ``5`` for all, ``superblow=5`` for one."""

    name = "grid"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """The key (``*`` for all) and the step. Fails where it is no such thing."""
        if isinstance(value, tuple):
            return value
        key, equals, step = str(value).rpartition("=")
        if not step.isdecimal() or len(step) > 6 or (equals and not key):
            self.fail(f"{value!r} is not a step of prices such as 5 or superblow=5", param, ctx)
        return key or "*", int(step)


PANEL: Final = click.option(
    "--strategy", "lineups", type=Lineup(), multiple=True, metavar="LINE-UP", help="For all seats, or one a seat with commas; default: every one of the game."
)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--confirm", is_flag=True, help="Also play games by the new table, on the same cards: how much do players adapt?")
@click.option("--games", type=WHOLE, metavar="N", help="Games to confirm with, at most those of the run; default 20,000.")
@shared("settings", "threads", "lang", "out", "as_json")
def whatif(run: Path, confirm: bool, games: int | None, settings: tuple[str, ...], threads: int | None, lang: str, out: Path | None, as_json: bool) -> None:
    """What if a pair were worth 4? The stored deals of a run under another point table, strategies held fixed."""
    from experiments import whatif as rescoring
    from reports.console_tuning import whatif as shown
    from simcore.api import rules
    from simcore.game import schema

    if not settings:
        raise click.UsageError("--set says what would be otherwise: give at least one, such as --set pair=4")
    if games is not None and not confirm:
        raise click.UsageError("--games says how many games --confirm plays: add --confirm, or leave out --games")
    require_new(out)
    tell_of_compiling()
    found: dict[str, Any] = rescoring.whatif(run, settings, threads)
    note_turned(rules(found["ruleset"]))
    if confirm:
        with shown_progress() as progress:
            found["confirmed"] = rescoring.confirm(run, settings, 20_000 if games is None else games, threads, progress)
    if as_json:
        say_json(found, out)
    else:
        say(shown(found, schema(found["game"]), lang), out)


@click.command()
@click.argument("ruleset")
@click.option("--games", type=WHOLE, default=2_000, metavar="N", help="Games of each line-up; default 2,000.")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", help="For a person, or for programs.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "info"]), default="error", help="Exit code 1 from this severity on; default error.")
@PANEL
@shared("settings", "players", "seed", "threads", "lang", "out", "as_json")
def lint(ruleset: str, form: str, fail_on: str, settings: tuple[str, ...], lang: str, out: Path | None, as_json: bool, **given: Any) -> int:
    """What is wrong with a ruleset? Findings with code, severity and evidence; docs/lint.md explains each code."""
    from experiments.lint import SEVERITIES
    from experiments.lint import lint as linted
    from reports.console_tuning import lint as shown
    from reports.sarif import sarif
    from simcore.api import game_of

    chosen = ruleset_of(game_of(ruleset), ruleset, settings)
    require_new(out)
    tell_of_compiling()
    found = linted(chosen, lang=lang, **given)
    if as_json or form == "json":
        say_json(found, out)
    elif form == "sarif":
        say_json(sarif(found, ruleset), out)
    else:
        say(shown(found, lang), out)
    worst = max((SEVERITIES.index(each["severity"]) for each in found["findings"]), default=-1)
    return int(worst >= SEVERITIES.index(fail_on))


@click.command()
@click.argument("game")
@click.option("--games", type=WHOLE, default=2_000, metavar="N", help="Games of each line-up; default 2,000.")
@click.option("--grid", "grids", type=Grid(), multiple=True, metavar="[KEY=]N", help="Prices (or that of KEY) are multiples of N; repeatable.")
@PANEL
@shared("ruleset", "settings", "players", "seed", "threads", "lang", "out", "as_json")
def price(
    game: str,
    ruleset: str | None,
    settings: tuple[str, ...],
    grids: tuple[tuple[str, int], ...],
    lang: str,
    out: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """What should it cost? Fair prices by rarity in hands and in play, as close to the present table as possible, each with its reason."""
    from experiments.price import price as priced
    from reports.console_tuning import prices as shown
    from simcore.api import game_of

    chosen = ruleset_of(game_of(game), ruleset or game, settings)
    require_new(out)
    tell_of_compiling()
    found = priced(chosen, grid=dict(grids), lang=lang, **given)
    if as_json:
        say_json(found, out)
    else:
        say(shown(found, chosen.schema, lang), out)


@click.command()
@click.argument("ruleset", type=click.Path(path_type=Path))
@click.option("--games", type=WHOLE, default=128_000, metavar="N", help="Games at most; default 128,000.")
@click.option("--format", "form", type=click.Choice(["text", "json", "junit", "markdown"]), default="text", help="For a person, or for programs.")
@click.option("--last", type=click.Path(path_type=Path), metavar="FILE", help="What the last check left: told what has changed since, then replaced.")
@shared("players", "strategies", "seed", "threads", "lang", "out", "as_json")
def check(ruleset: Path, form: str, last: Path | None, strategies: tuple[str, ...], lang: str, out: Path | None, as_json: bool, **given: Any) -> int:
    """Do these rules keep their promises? Tests the table [expect] of a ruleset's file with as many games as it takes."""
    from experiments.check import check as checked
    from experiments.check import read_last
    from experiments.run_folder import write_json
    from reports.check_formats import junit, markdown
    from reports.console_tuning import check as shown
    from reports.console_tuning import check_words
    from simcore.api import game_of

    before = read_last(last) if last else None
    if last and not last.exists():
        require_new(last)
    chosen = ruleset_of(game_of(str(ruleset)), str(ruleset), ())
    path = ruleset if ruleset.exists() else chosen.schema.path
    require_new(out)
    tell_of_compiling()
    with shown_progress(unnamed(strategies, lang)) as progress:
        found = checked(chosen, path, strategies or ("random",), last=before, progress=progress, **given)
    if as_json or form == "json":
        say_json(found, out)
    elif form == "text":
        say(shown(found, lang), out)
    else:
        with output(out) as write:
            write(junit(found) if form == "junit" else markdown(found, check_words(lang)))
    if last:
        write_json(last, found)
    return {"pass": 0, "fail": 1, "undecided": 3}[found["verdict"]]


@click.command()
@click.argument("game")
@click.option("--games", type=WHOLE, default=2_000, metavar="N", help="Games by each value; default 2,000.")
@click.option("--step", type=WHOLE, default=1, metavar="N", help="How far a price is moved to either side; default 1.")
@click.option("--key", "keys", multiple=True, metavar="KEY", help="Only this price or option; repeatable. Default: all.")
@click.option("--measure", "measures", multiple=True, metavar="KEY", help="Only this measure, * for anything; repeatable. Default: all.")
@click.option("--by", metavar="MEASURE", help="The measure that the bars are of; default: the first that a price surely moves.")
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Also the bars as a picture, .svg or .png; never overwritten.")
@click.option("--house-rules", is_flag=True, help="Also play the house rules together: which clash, which are safe together?")
@shared("ruleset", "settings", "players", "strategies", "seed", "threads", "lang", "out", "as_json")
def sensitivity(
    game: str,
    ruleset: str | None,
    settings: tuple[str, ...],
    strategies: tuple[str, ...],
    by: str | None,
    picture: Path | None,
    house_rules: bool,
    lang: str,
    out: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """What moves the result? The change of every measure for a point more of each price, from games on the same cards."""
    from experiments.house_rules import games_each, interactions
    from experiments.sensitivity import sensitivity as measured
    from reports.console_sensitivity import bars
    from reports.console_sensitivity import sensitivity as shown
    from reports.tornado import require_picture, write
    from simcore.api import game_of

    if picture:
        require_picture(picture)
    chosen = ruleset_of(game_of(game), ruleset or game, settings)
    lineup = strategies or ("random",)
    require_new(out)
    tell_of_compiling()
    with shown_progress(unnamed(strategies, lang)) as progress:
        found = measured(chosen, lineup, by=by, progress=progress, **given)
    if house_rules:
        games = games_each(chosen, given["games"])
        found["house_rules"] = interactions(chosen, lineup, games, **{name: given[name] for name in ("players", "seed", "threads")})
    if as_json:
        say_json(found, out)
    else:
        say(shown(found, chosen.schema, lang), out)
    drawn = bars(found, chosen.schema, lang) if picture else None
    if picture and drawn:
        write(drawn, picture)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@shared("threads", "lang", "out", "as_json")
def tune(file: Path, threads: int | None, lang: str, out: Path | None, as_json: bool) -> None:
    """Find me a table: searches for prices that reach the goals of a file, and confirms them in fresh games. Goes on where it was interrupted.

    A file with [compensation] asks for what makes up for moving first: points, ties or an option.
    """
    from experiments.compensation import compensate_into
    from experiments.tune import tune_into
    from experiments.tune_file import wants_compensation
    from reports.console_compensation import compensated
    from reports.console_tuning import tuned
    from simcore.game import schema

    folder = out or Path("runs") / f"tune-{file.stem}"
    if wants_compensation(file):
        tell_of_compiling()
        with shown_progress() as progress:
            points = compensate_into(file, folder, threads, progress)
        if as_json:
            say_json(points | {"folder": str(folder)})
        else:
            say(compensated(points, str(folder), lang))
        return
    tell_of_compiling()
    with shown_progress() as progress:
        found, compared = tune_into(file, folder, threads, progress)
    if as_json:
        say_json(found | {"folder": str(folder)})
        return
    say(tuned(found, compared, str(folder), schema(found["game"]), lang))


COMMANDS: Final = (whatif, lint, price, check, sensitivity, tune)
