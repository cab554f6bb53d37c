"""The command ``simcore``: reads arguments, calls one function, prints what it returns.

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 what should agree does not
(exact and simulated frequencies, stored games and replayed ones, a ruleset and what is expected of it) or lint found an error,
2 a mistake in what was given, 3 a check is undecided, 130 interrupted.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from pathlib import Path
from typing import Any, Final

# One thread for linear algebra: its threads would wait for each other on the cores that play.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

from commands import experiments as experiment_commands
from commands import runs as run_commands
from commands import tuning as tuning_commands
from commands.options import WHOLE, Span, ruleset_of, shared, table_of
from commands.output import coloured, note, output, say, say_json, tell_of_compiling
from simcore.errors import InputError, StrategyError

# Importing makes many objects and hardly any garbage, and at the end everything is given back anyway: looking for it takes a tenth of a short command.
gc.set_threshold(100_000, 20, 20)
atexit.register(gc.freeze)

QUESTIONS: Final = {
    "en": (
        ("What games are there?", "simcore games"),
        ("What does this ruleset say, which strategies are there?", "simcore show GAME"),
        ("How does it differ from another?", "simcore show GAME --against RULESET"),
        ("How rare is each combination?", "simcore freq GAME"),
        ("What happens in a million games?", "simcore run GAME --games 1e6"),
        ("What do all the questions in a file come to?", "simcore run FILE.toml"),
        ("Go on where a run was interrupted", "simcore run --resume RUN"),
        ("Add games to a run", "simcore extend RUN --games 1e6"),
        ("Join runs made on several machines", "simcore merge RUN RUN"),
        ("Are the stored games what the rules give?", "simcore verify RUN"),
        ("Show me what came of it", "simcore report RUN"),
        ("Show me one game", "simcore replay GAME --game 4711"),
        ("Is ruleset B better than A, or the same?", "simcore compare A B --margin 1%"),
        ("How many games does that need?", "simcore plan A B --margin 1%"),
        ("Who beats whom?", "simcore tournament GAME"),
        ("What is moving first worth?", "simcore first-move GAME"),
        ("What if a pair were worth 4?", "simcore whatif RUN --set pair=4"),
        ("What is wrong with these rules?", "simcore lint RULESET"),
        ("What moves the result?", "simcore sensitivity GAME"),
        ("What should it cost?", "simcore price GAME"),
        ("Find me a table", "simcore tune FILE"),
        ("Do these rules keep their promises?", "simcore check FILE"),
    ),
    "ru": (
        ("Какие есть игры?", "simcore games"),
        ("Что говорят правила, какие есть стратегии?", "simcore show GAME"),
        ("Чем они отличаются от других?", "simcore show GAME --against RULESET"),
        ("Как редка каждая комбинация?", "simcore freq GAME"),
        ("Что бывает в миллионе игр?", "simcore run GAME --games 1e6"),
        ("Что отвечает файл с вопросами?", "simcore run ФАЙЛ.toml"),
        ("Продолжить прерванное", "simcore run --resume RUN"),
        ("Добавить игр", "simcore extend RUN --games 1e6"),
        ("Соединить сыгранное на разных машинах", "simcore merge RUN RUN"),
        ("Те ли игры записаны, что дают правила?", "simcore verify RUN"),
        ("Показать, что вышло", "simcore report RUN"),
        ("Показать одну игру", "simcore replay GAME --game 4711"),
        ("Правила B лучше правил A или такие же?", "simcore compare A B --margin 1%"),
        ("Сколько для этого нужно игр?", "simcore plan A B --margin 1%"),
        ("Кто кого обыгрывает?", "simcore tournament GAME"),
        ("Чего стоит первый ход?", "simcore first-move GAME"),
        ("А если бы пара стоила 4?", "simcore whatif RUN --set pair=4"),
        ("Что в этих правилах не так?", "simcore lint RULESET"),
        ("Что меняет итог?", "simcore sensitivity GAME"),
        ("Сколько это должно стоить?", "simcore price GAME"),
        ("Найти таблицу очков", "simcore tune FILE"),
        ("Держат ли правила свои обещания?", "simcore check FILE"),
    ),
}


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="simcore", prog_name="simcore")
@shared("lang")
@click.pass_context
def cli(ctx: click.Context, lang: str) -> None:
    """Monte Carlo analysis of card games. Without a command: what can be asked."""
    if ctx.invoked_subcommand is None:
        from reports import console

        say(console.questions(QUESTIONS[lang], lang))


@cli.command("games")
@shared("lang", "out", "as_json")
def games_command(lang: str, out: Path | None, as_json: bool) -> None:
    """What games there are."""
    from reports import console
    from simcore import game

    schemas = [game.schema(key) for key in game.games()]
    if as_json:
        say_json({"games": [{"key": each.key, "name": dict(each.name), "rulesets": list(each.rulesets)} for each in schemas]}, out)
    else:
        say(console.games(schemas, lang), out)


@cli.command()
@click.argument("game")
@click.option("--against", metavar="RULESET", help="Show only where the ruleset differs from this one.")
@shared("ruleset", "settings", "lang", "out", "as_json")
def show(game: str, against: str | None, ruleset: str | None, settings: tuple[str, ...], lang: str, out: Path | None, as_json: bool) -> None:
    """What a ruleset says: options, point table, strategies; or how it differs from another."""
    from reports import console

    chosen = ruleset_of(game, ruleset, settings)
    if against is not None:
        from simcore.ruleset import difference

        other = ruleset_of(game, against, ())
        rows = difference(other, chosen)
        if as_json:
            from experiments.overview import differences

            say_json(differences(rows, other, chosen), out)
        else:
            say(console.difference(rows, (other.canonical, chosen.canonical), lang), out)
        return
    from simcore.game import get
    from simcore.strategy import available

    strategies = available(get(chosen.schema.key))
    if as_json:
        from experiments.overview import described

        say_json(described(chosen, strategies), out)
    else:
        say(console.rules(chosen, strategies, lang), out)


@cli.command()
@click.argument("game")
@click.option("--cards", type=WHOLE, metavar="K", help="Cards in the hand; default: what the game looks at.")
@click.option("--deals", type=WHOLE, default=100_000, metavar="N", help="Deals to simulate beside; default 100,000.")
@click.option("--games", type=WHOLE, default=500, metavar="N", help="Games to look at for hands held in play; default 500.")
@shared("ruleset", "settings", "players", "strategies", "seed", "threads", "lang", "out", "as_json")
def freq(game: str, cards: int | None, deals: int, games: int, strategies: tuple[str, ...], threads: int | None, lang: str, as_json: bool, **given: Any) -> int:
    """How rare each combination is: exactly, in simulated deals and, with --strategy, in hands held in play."""
    from experiments import overview
    from reports import console

    chosen = ruleset_of(game, given["ruleset"], given["settings"])
    table = table_of(chosen, strategies, given["players"], given["seed"]) if strategies else None
    tell_of_compiling()
    found = overview.hands(chosen, overview.hand_sizes(chosen, cards), deals, given["seed"], table, games, threads)
    if as_json:
        say_json(found[0] if len(found) == 1 else {"hands_of": found}, given["out"])
    else:
        say(console.hands(found, chosen, lang), given["out"])
    wrong = overview.disagreements(found)
    for sentence in wrong:
        note(f"simcore: disagreement: {sentence}")
    return 1 if wrong else 0


@cli.command()
@click.argument("runs", metavar="RUN [RUN ...]", nargs=-1, required=True, type=click.Path(path_type=Path))
@shared("lang", "out", "as_json")
def report(runs: tuple[Path, ...], lang: str, out: Path | None, as_json: bool) -> None:
    """What came of a run: a page, Markdown, JSON, figures and tables, in the folder of the run unless --out says otherwise.

    Several runs are set side by side, each against the first, in a folder beside it.
    """
    from experiments.run_folder import require_free
    from experiments.runs import load_run

    folder = out or (runs[0] if len(runs) == 1 else runs[0].with_name("-".join(["report", *(run.resolve().name for run in runs)])))
    if out is not None or len(runs) > 1:
        require_free(folder)
    done = [load_run(run) for run in runs]
    tell_of_compiling()
    from reports.render import render, render_comparison

    try:
        if len(done) == 1:
            from experiments.overview import summarise

            paths = render(summarise(done[0]), lang, folder)
        else:
            from experiments.side_by_side import side_by_side

            paths = render_comparison(side_by_side(done), lang, folder)
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    if as_json:
        say_json({name: str(path) for name, path in paths.items()})
    else:
        say([str(path) for path in paths.values()])


@cli.command()
@click.argument("game")
@click.option("--game", "number", type=WHOLE, metavar="N", help="Number of the game; default 0.")
@click.option("--games", "span", type=Span(), help="Several games, A to B - 1, one after another.")
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", help="For a person, or JSON Lines.")
@shared("ruleset", "settings", "players", "strategies", "seed", "threads", "lang", "out", "as_json")
def replay(game: str, number: int | None, span: range | None, form: str, threads: int | None, lang: str, out: Path | None, as_json: bool, **given: Any) -> None:
    """One game as it was played, every card of it."""
    from experiments.overview import transcripts
    from simcore import transcript

    if number is not None and span is not None:
        raise click.UsageError("--game and --games cannot stand together")
    numbers = span if span is not None else range(number or 0, (number or 0) + 1)
    chosen = ruleset_of(game, given["ruleset"], given["settings"])
    table = table_of(chosen, given["strategies"], given["players"], given["seed"])
    tell_of_compiling()
    if as_json:
        told = [{"game": each, "events": events} for each, events in transcripts(table, numbers, threads)]
        say_json({"games": told} if span is not None else told[0], out)
        return
    colour = out is None and coloured()
    with output(out) as write:
        for _, events in transcripts(table, numbers, threads):
            write(transcript.to_jsonl(events) if form == "jsonl" else transcript.to_text(events, chosen, lang, colour))


for command in (*run_commands.COMMANDS, *experiment_commands.COMMANDS, *tuning_commands.COMMANDS):
    cli.add_command(command)


def main(args: list[str] | None = None) -> int:
    """Runs a command line; returns the exit code."""
    try:
        return cli.main(args, prog_name="simcore", standalone_mode=False) or 0
    except click.ClickException as error:
        note(f"simcore: error: {error.format_message()}")
    except (InputError, StrategyError) as error:
        note(f"simcore: error: {error}")
    except click.Abort:
        note("simcore: interrupted")
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())
