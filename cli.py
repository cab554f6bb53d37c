"""The command ``simcore``: reads arguments, calls one function, prints what it returns.

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 exact and simulated frequencies disagree,
2 a mistake in what was given, 130 interrupted.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

# One thread for linear algebra: its threads would wait for each other on the cores that play.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

from simcore.errors import InputError, StrategyError

if TYPE_CHECKING:
    from experiments.runs import Progress
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

QUESTIONS: Final = {
    "en": (
        ("What games are there?", "simcore games"),
        ("What does this ruleset say, which strategies are there?", "simcore show GAME"),
        ("How does it differ from another?", "simcore show GAME --against RULESET"),
        ("How rare is each combination?", "simcore freq GAME"),
        ("What happens in a million games?", "simcore run GAME --games 1e6"),
        ("Go on where a run was interrupted", "simcore run --resume RUN"),
        ("Show me what came of it", "simcore report RUN"),
        ("Show me one game", "simcore replay GAME --game 4711"),
    ),
    "ru": (
        ("Какие есть игры?", "simcore games"),
        ("Что говорят правила, какие есть стратегии?", "simcore show GAME"),
        ("Чем они отличаются от других?", "simcore show GAME --against RULESET"),
        ("Как редка каждая комбинация?", "simcore freq GAME"),
        ("Что бывает в миллионе игр?", "simcore run GAME --games 1e6"),
        ("Продолжить прерванное", "simcore run --resume RUN"),
        ("Показать, что вышло", "simcore report RUN"),
        ("Показать одну игру", "simcore replay GAME --game 4711"),
    ),
}
FIRST_RUN: Final = "compiling (first run on this machine, about a minute) ..."
PLAIN_EVERY: Final = 10.0
"""Seconds between lines of progress where no terminal shows them."""


class Whole(click.ParamType[int]):
    """A whole number, also written 1e6."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Fails where it is none."""
        text = str(value).replace("_", "")
        match = re.fullmatch(r"([+-]?\d{1,30})(?:\.(\d{1,30}))?(?:[eE]\+?(\d{1,2}))?", text)
        digits = match[2] or "" if match else ""
        power = int(match[3] or 0) if match else 0
        if match and len(digits.rstrip("0")) <= power:
            return int(match[1] + digits.ljust(power, "0")[:power])
        self.fail(f"{value!r} is not a whole number such as 20000 or 1e6", param, ctx)


class Span(click.ParamType[range]):
    """Numbers of games: ``A:B`` means A to B - 1."""

    name = "A:B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """The numbers. Fails where it is none, or an empty span."""
        match = re.fullmatch(r"(\d{1,18}):(\d{1,18})", str(value))
        if not match or int(match[1]) >= int(match[2]):
            self.fail(f"{value!r} is not a span of games such as 0:2000, the second number greater than the first", param, ctx)
        return range(int(match[1]), int(match[2]))


WHOLE: Final = Whole()
SHARED: Final[dict[str, Callable[..., Any]]] = {
    "ruleset": click.option("--ruleset", metavar="RULESET", help="A name, a file, or a canonical string."),
    "settings": click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option or points of the ruleset; repeatable."),
    "players": click.option("--players", type=WHOLE, metavar="N", help="Number of seats; default: one a strategy, else 2."),
    "strategies": click.option(
        "--strategy", "strategies", multiple=True, metavar="NAME", help="Once for all seats, or once a seat; file.py:name for one of your own."
    ),
    "seed": click.option("--seed", type=WHOLE, default=1, metavar="N", help="Seed of all chance; default 1."),
    "threads": click.option("--threads", type=WHOLE, metavar="N", help="Threads; default: one a core."),
    "lang": click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of what is printed."),
    "out": click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Where the result goes; never overwritten."),
    "as_json": click.option("--json", "as_json", is_flag=True, help="The result as one JSON object on standard output."),
}


def shared(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that mean the same in every command; all of them where none is named."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names or tuple(SHARED)):
            function = SHARED[name](function)
        return function

    return decorate


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="simcore", prog_name="simcore")
@shared("lang")
@click.pass_context
def cli(ctx: click.Context, lang: str) -> None:
    """Monte Carlo analysis of card games. Without a command: what can be asked."""
    if ctx.invoked_subcommand is None:
        from reports import console

        _print(console.questions(QUESTIONS[lang], lang))


@cli.command("games")
@shared("lang", "out", "as_json")
def games_command(lang: str, out: Path | None, as_json: bool) -> None:
    """What games there are."""
    from reports import console
    from simcore import game

    schemas = [game.schema(key) for key in game.games()]
    if as_json:
        _print_json({"games": [{"key": each.key, "name": dict(each.name), "rulesets": list(each.rulesets)} for each in schemas]}, out)
    else:
        _print(console.games(schemas, lang), out)


@cli.command()
@click.argument("game")
@click.option("--against", metavar="RULESET", help="Show only where the ruleset differs from this one.")
@shared("ruleset", "settings", "lang", "out", "as_json")
def show(game: str, against: str | None, ruleset: str | None, settings: tuple[str, ...], lang: str, out: Path | None, as_json: bool) -> None:
    """What a ruleset says: options, point table, strategies; or how it differs from another."""
    from reports import console

    chosen = _ruleset(game, ruleset, settings)
    if against is not None:
        from simcore.ruleset import difference

        other = _ruleset(game, against, ())
        rows = difference(other, chosen)
        if as_json:
            from experiments.overview import differences

            _print_json(differences(rows, other, chosen), out)
        else:
            _print(console.difference(rows, (other.canonical, chosen.canonical), lang), out)
        return
    from simcore.game import get
    from simcore.strategy import available

    strategies = available(get(game))
    if as_json:
        from experiments.overview import described

        _print_json(described(chosen, strategies), out)
    else:
        _print(console.rules(chosen, strategies, lang), out)


@cli.command()
@click.argument("game")
@click.option("--cards", type=WHOLE, metavar="K", help="Cards in the hand; default: every number that a hand can have.")
@click.option("--deals", type=WHOLE, default=100_000, metavar="N", help="Deals to simulate beside; default 100,000.")
@click.option("--games", type=WHOLE, default=500, metavar="N", help="Games to look at for hands held in play; default 500.")
@shared()
def freq(game: str, cards: int | None, deals: int, games: int, strategies: tuple[str, ...], lang: str, as_json: bool, **given: Any) -> int:
    """How rare each combination is: exactly, in simulated deals and, with --strategy, in hands held in play."""
    from experiments import overview
    from reports import console

    chosen = _ruleset(game, given["ruleset"], given["settings"])
    table = _table(chosen, strategies, given["players"], given["seed"]) if strategies else None
    _tell_of_compiling()
    found = overview.hands(chosen, overview.hand_sizes(chosen, cards), deals, given["seed"], table, games)
    if as_json:
        _print_json(found[0] if cards is not None else {"hands_of": found}, given["out"])
    else:
        _print(console.hands(found, chosen, lang), given["out"])
    wrong = overview.disagreements(found)
    for sentence in wrong:
        _note(f"simcore: disagreement: {sentence}")
    return 1 if wrong else 0


@cli.command()
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
        table = _table(_ruleset(game, given["ruleset"], given["settings"]), given["strategies"], given["players"], given["seed"])
    _tell_of_compiling()
    with _progress() as progress:
        try:
            if table is None:
                assert resume is not None
                done = runs.resume(resume, threads, progress)
            else:
                done = runs.run(table, games, given["out"], threads, batch, progress)
        except KeyboardInterrupt:
            kept = progress.folder if progress.folder and progress.folder.exists() else None
            _note(f"\nsimcore: interrupted; go on with: simcore run --resume {kept}" if kept else "\nsimcore: interrupted; nothing was kept")
            ctx.exit(130)
    info = done.info
    if as_json:
        from reports.console import rate

        fields = ("deals", "seconds", "points_total", "tallies_hash")
        _print_json({"run": str(done.folder), "games": info["played"], "deals_per_second": rate(info)} | {key: info[key] for key in fields})
    else:
        from experiments.overview import results
        from reports import console

        _print(console.run_summary(done, results(done), lang))


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
@shared("lang", "out", "as_json")
def report(run: Path, lang: str, out: Path | None, as_json: bool) -> None:
    """What came of a run: a page, Markdown and JSON, in the folder of the run unless --out says otherwise."""
    from experiments.overview import summarise
    from experiments.runs import load_run, require_free

    if out is not None:
        require_free(out)
    done = load_run(run)
    _tell_of_compiling()
    found = summarise(done)
    from reports.render import render

    try:
        paths = render(found, lang, out or run)
    except OSError as error:
        raise InputError(f"the report cannot be written to '{out or run}': {error.strerror}") from None
    if as_json:
        _print_json({name: str(path) for name, path in paths.items()})
    else:
        _print([str(path) for path in paths.values()])


@cli.command()
@click.argument("game")
@click.option("--game", "number", type=WHOLE, metavar="N", help="Number of the game; default 0.")
@click.option("--games", "span", type=Span(), help="Several games, A to B - 1, one after another.")
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", help="For a person, or JSON Lines.")
@shared()
def replay(game: str, number: int | None, span: range | None, form: str, lang: str, out: Path | None, as_json: bool, **given: Any) -> None:
    """One game as it was played, every card of it."""
    from simcore import transcript

    if number is not None and span is not None:
        raise click.UsageError("--game and --games cannot stand together")
    numbers = span if span is not None else range(number or 0, (number or 0) + 1)
    chosen = _ruleset(game, given["ruleset"], given["settings"])
    table = _table(chosen, given["strategies"], given["players"], given["seed"])
    _tell_of_compiling()
    if as_json:
        told = [{"game": each, "events": table.transcript(each)} for each in numbers]
        _print_json({"games": told} if span is not None else told[0], out)
        return
    colour = out is None and _colour()
    with _output(out) as write:
        for each in numbers:
            events = table.transcript(each)
            write(transcript.to_jsonl(events) if form == "jsonl" else transcript.to_text(events, chosen, lang, colour))


# ------------------------------------------------------------------------------------------------------------------
# What commands have in common


def _ruleset(game: str, text: str | None, settings: tuple[str, ...]) -> Ruleset:
    from simcore.game import checker, schema
    from simcore.ruleset import resolve

    return resolve(schema(game), text, settings, checker(game))


def _table(ruleset: Ruleset, strategies: tuple[str, ...], players: int | None, seed: int) -> Table:
    from simcore.simulate import Table

    return Table(ruleset, strategies or ("random",), players, seed)


def _refuse_besides_resume(ctx: click.Context) -> None:
    """A run goes on as it was begun: nothing that decides what is played can be given again."""
    for name in ("game", "games", "batch", "ruleset", "settings", "players", "strategies", "seed", "out"):
        source = ctx.get_parameter_source(name)
        if source is click.core.ParameterSource.COMMANDLINE and ctx.params[name]:
            option = next(each for each in ctx.command.params if each.name == name)
            word = option.opts[0] if isinstance(option, click.Option) else "GAME"
            raise click.UsageError(f"--resume goes on with a run as it was begun: leave out {word}", ctx)


def _tell_of_compiling() -> None:
    """Until the command ends, say once when something is compiled; where all is on disk already nothing is said."""
    from simcore.compiled import announced

    click.get_current_context().with_resource(announced(lambda: _note(FIRST_RUN)))


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _note(text: str) -> None:
    click.echo(text, err=True)


def _print(renderables: list[Any], out: Path | None = None) -> None:
    from reports import console

    terminal = out is None and _colour()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else None
    with _output(out) as write:
        write(console.text(renderables, terminal, width))


def _print_json(value: dict[str, Any], out: Path | None = None) -> None:
    with _output(out) as write:
        write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def _output(out: Path | None) -> Iterator[Callable[[str], Any]]:
    """Writes to standard output, or to a new file that is there whole or not at all."""
    if out is None:
        yield sys.stdout.write
        sys.stdout.flush()
        return
    if out.exists():
        raise InputError(f"'{out}' is there already, and nothing is overwritten")
    unfinished = out.with_name(f".{out.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            yield file.write
        unfinished.rename(out)
    except OSError as error:
        raise InputError(f"'{out}' cannot be written to: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


class _Plain:
    """Progress as a line now and then, for a log."""

    folder: Path | None = None

    def __init__(self) -> None:
        self.started = self.told = 0.0

    def __call__(self, progress: Progress) -> None:
        if self.folder is None:
            self.folder = progress.folder
            self.started = self.told = time.monotonic()  # not before the first game: what was compiled is no measure of the rate
        if time.monotonic() - self.told >= PLAIN_EVERY:
            self.told = time.monotonic()
            _note(progress.told(self.told - self.started))


class _Bar(_Plain):
    """Progress as a bar with the rate and the remaining time, for a terminal."""

    def __init__(self, bar: Any) -> None:
        super().__init__()
        self.bar = bar
        self.task: Any = None

    def __call__(self, progress: Progress) -> None:
        rate = f"{progress.rate(time.monotonic() - self.started):,.0f}"
        if self.task is None:
            self.folder = progress.folder
            self.started = time.monotonic()
            self.task = self.bar.add_task("games", total=progress.wanted, completed=progress.played, rate="...")
        else:
            self.bar.update(self.task, completed=progress.played, rate=rate)


@contextmanager
def _progress() -> Iterator[_Plain]:
    if not sys.stderr.isatty():
        yield _Plain()
        return
    from rich import progress as rich
    from rich.console import Console

    columns: list[str | rich.ProgressColumn] = [
        "{task.description}",
        rich.BarColumn(),
        "{task.percentage:>5.1f}%",
        "{task.fields[rate]} deals/s",
        rich.TimeRemainingColumn(),
    ]
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar)


def main(args: list[str] | None = None) -> int:
    """Runs a command line; returns the exit code."""
    try:
        return cli.main(args, prog_name="simcore", standalone_mode=False) or 0
    except click.ClickException as error:
        _note(f"simcore: error: {error.format_message()}")
    except (InputError, StrategyError) as error:
        _note(f"simcore: error: {error}")
    except click.Abort:
        _note("simcore: interrupted")
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())
