"""Experiment files: one TOML file says what is played, what is paired with what, how many games or how precisely, and what is asked.

::

    [experiment]
    game = "GAME"
    seed = 1
    title = { en = "...", ru = "..." }

    [[run]]            # records in a folder
    name = "base"
    ruleset = "GAME(option=value)"    # a name, a canonical string, or a file beside this one; the game as it is without it
    strategies = ["greedy", "random"] # one for all seats, or one a seat
    players = 2                       # or a list: one run for each number
    games = 20000                     # or precision = "0.5%", or both: then games at most

    [[compare]]        # a, b; panel, b_panel (lists of line-ups); players, games, margin, measures, precision (of these)
    [[tournament]]     # ruleset; strategies, field; players, games
    [[restricted]]     # ruleset; strategies; players, games: each against itself forbidden one thing
    [[first_move]]     # ruleset; panel; players, games: natural leader against the other, on the same cards

Questions are answered in the order run, compare, tournament, restricted, first_move. Unknown keys are errors with the line that they stand on.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments.run_folder import RUN_FILE
from simcore.errors import InputError, nearest
from simcore.tomltext import Table as Entry
from simcore.tomltext import TomlText, read_toml

if TYPE_CHECKING:
    from experiments.progress import Report
    from experiments.runs import Run
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

Answer = Callable[[Path, int | None, "Report | None"], dict[str, Any]]
"""Takes the place for records, the number of threads and who hears of progress; returns the answer as plain values."""

SUFFIX: Final = ".toml"
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")
_SIZE: Final = re.compile(r"(\d{1,9}(?:\.\d{1,12})?)\s*(%?)")


@dataclass(frozen=True)
class Question:
    """One question of an experiment.

    Attributes:
        name: Its name in the file, with the number of players where it is asked for several.
        kind: ``run``, ``compare``, ``tournament``, ``restricted`` or ``first_move``.
        answer: Answers it.
    """

    name: str
    kind: str
    answer: Answer


@dataclass(frozen=True)
class Experiment:
    """An experiment file, read and checked.

    Attributes:
        path: The file.
        game: Key of the game.
        seed: Seed of all games.
        title: What it is about, in each language.
        questions: What is asked, in the order of answering.
    """

    path: Path
    game: str
    seed: int
    title: dict[str, str]
    questions: tuple[Question, ...]


def library() -> list[Path]:
    """The ready experiment files, one or more for each game."""
    folder = Path(str(files("experiments").joinpath("library")))
    return sorted(folder.glob(f"*{SUFFIX}"))


def find(text: str) -> Path:
    """The file that is meant: one that is there, or a ready one of that name. Raises InputError where there is neither."""
    path = Path(text)
    ready = {each.name: each for each in library()}
    if path.exists() or path.name != text:
        return path
    if text in ready:
        return ready[text]
    hint = nearest(text, ready)
    raise InputError(f"{text}: there is no such experiment file here, nor a ready one of that name: {', '.join(ready)}.{hint}")


def is_ruleset(path: Path) -> bool:
    """Whether a TOML file is not an experiment but a ruleset: what differs from a base, or a whole game. Raises InputError where it cannot be read."""
    data = read_toml(path, "experiment").data
    return "experiment" not in data and ("base" in data or "game" in data)


def read_experiment(path: Path, base: Path | None = None) -> Experiment:
    """Reads and checks an experiment file; nothing is played or compiled.

    Args:
        path: The file.
        base: The folder that names of files in it start from; without it its own.

    Raises:
        InputError: The file cannot be read or has a mistake; it names the line.
    """
    toml = read_toml(path, "experiment")
    return _Reader(toml, base or path.parent).read()


class _Reader:
    """Reads one file."""

    def __init__(self, toml: TomlText, base: Path) -> None:
        self.page = Entry(toml, (), toml.data)
        self.base = base
        self.kinds: dict[str, Callable[[Entry, int | None], Answer]] = {
            "run": self.run,
            "compare": self.compare,
            "tournament": self.tournament,
            "restricted": self.restricted,
            "first_move": self.first_move,
        }

    def read(self) -> Experiment:
        from simcore.chance import MAX_SEED
        from simcore.game import require

        self.page.only("experiment", *self.kinds)
        head = self.page.table("experiment")
        head.only("game", "seed", "title")
        self.game = head.guard("game", require, head.take("game", str))
        self.seed = head.take("seed", int, 1)
        if not 0 <= self.seed <= MAX_SEED:
            raise head.error(f"the seed is a whole number from 0 to {MAX_SEED}, got {self.seed}", "seed")
        titles = head.table("title")
        titles.only("en", "ru")
        title = {language: titles.take(language, str) for language in ("en", "ru")}
        questions: list[Question] = []
        for kind, make in self.kinds.items():
            for number, data in enumerate(self.page.take(kind, list, [])):
                entry = Entry(self.page.toml, (kind, number), data)
                questions += self.asked(kind, entry, make)
        names = [question.name for question in questions]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise self.page.error(f"two questions have the name {name!r}")
        if not questions:
            raise self.page.error(f"nothing is asked: it needs one of {', '.join(f'[[{kind}]]' for kind in self.kinds)}")
        return Experiment(self.page.toml.path, self.game, self.seed, title, tuple(questions))

    def asked(self, kind: str, entry: Entry, make: Callable[[Entry, int | None], Answer]) -> list[Question]:
        """A question, once for each number of players that is asked for."""
        name = entry.take("name", str)
        if not _NAME.fullmatch(name):
            raise entry.error(f"a name has letters, digits, - and _ only, got {name!r}", "name")
        given = entry.data.get("players")
        if not isinstance(given, list):
            return [Question(name, kind, make(entry, entry.take("players", int) if "players" in entry.data else None))]
        if not given or not all(isinstance(each, int) and not isinstance(each, bool) for each in given):
            raise entry.error(f"players is a whole number or a list of them, got {given!r}", "players")
        return [Question(f"{name}-{players}p", kind, make(entry, players)) for players in given]

    # What the tables hold -----------------------------------------------------------------------------------------

    def run(self, entry: Entry, players: int | None) -> Answer:
        from experiments import precise, runs

        entry.only("name", "ruleset", "strategies", "players", "games", "precision")
        table = self.table(entry, self.ruleset(entry, "ruleset"), self.texts(entry, "strategies"), players)
        precision = self.size(entry, "precision")
        games = self.number(entry, "games", None if precision else 10_000)
        if precision and not 0 < precision[0] < 0.5:
            raise entry.error(f"the precision of a win share is between 0 and 50%, got {precision[0]:.3g}", "precision")

        def answer(place: Path, threads: int | None, progress: Report | None) -> dict[str, Any]:
            if (place / RUN_FILE).is_file():
                done = precise.resume(place, threads, progress)
                return told(done)
            if place.exists():  # killed between making the folder and beginning the run
                shutil.rmtree(place)
            if precision:
                done = precise.run_until(table, precision[0], games, place, threads, None, progress)
            else:
                assert games is not None
                done = runs.run(table, games, place, threads, None, progress)
            return told(done)

        def told(done: Run) -> dict[str, Any]:
            kept = ("ruleset", "strategies", "players", "seed", "deals", "points_total", "tallies_hash", "stopping")
            return {"run": done.folder.name, "games": done.info["played"]} | {key: done.info[key] for key in kept if key in done.info}

        return answer

    def compare(self, entry: Entry, players: int | None) -> Answer:
        from experiments.compare import Margin, compare

        entry.only("name", "a", "b", "panel", "b_panel", "players", "games", "margin", "measures", "precision")
        a, b = self.ruleset(entry, "a"), self.ruleset(entry, "b")
        panel = self.lineups(entry, "panel")
        b_panel = self.lineups(entry, "b_panel") if "b_panel" in entry.data else None
        for ruleset, lineups in ((a, panel), (b, b_panel or panel)):
            for lineup in lineups:
                self.table(entry, ruleset, lineup, players)
        size, precision = self.size(entry, "margin"), self.size(entry, "precision")
        games = self.number(entry, "games", 10_000_000 if precision else 20_000)
        measures = self.texts(entry, "measures", ())
        if precision and not measures:
            raise entry.error("a precision needs the measures that are to be so precise", "precision")

        def answer(place: Path, threads: int | None, progress: Report | None) -> dict[str, Any]:
            assert games is not None
            return compare(
                a,
                b,
                panel,
                games,
                b_panel=b_panel,
                players=players,
                seed=self.seed,
                margin=Margin(*size) if size else None,
                measures=measures,
                precision=Margin(*precision) if precision else None,
                threads=threads,
                progress=progress,
            )

        return answer

    def tournament(self, entry: Entry, players: int | None) -> Answer:
        from experiments.tournament import tournament

        entry.only("name", "ruleset", "strategies", "field", "players", "games")
        ruleset = self.ruleset(entry, "ruleset")
        strategies, field = self.texts(entry, "strategies"), self.texts(entry, "field", ())
        for name in (*strategies, *field):
            self.table(entry, ruleset, [name], players)
        games = self.number(entry, "games", 2_000)

        def answer(place: Path, threads: int | None, progress: Report | None) -> dict[str, Any]:
            assert games is not None
            return tournament(ruleset, strategies, games, field=field, players=players, seed=self.seed, threads=threads, progress=progress)

        return answer

    def restricted(self, entry: Entry, players: int | None) -> Answer:
        from experiments.restricted import restricted

        entry.only("name", "ruleset", "strategies", "players", "games")
        ruleset, strategies = self.ruleset(entry, "ruleset"), self.texts(entry, "strategies")
        for name in strategies:
            self.table(entry, ruleset, [name], players)
        games = self.number(entry, "games", 2_000)

        def answer(place: Path, threads: int | None, progress: Report | None) -> dict[str, Any]:
            assert games is not None
            return restricted(ruleset, strategies, games, players=players, seed=self.seed, threads=threads, progress=progress)

        return answer

    def first_move(self, entry: Entry, players: int | None) -> Answer:
        from experiments.first_move import first_move

        entry.only("name", "ruleset", "panel", "players", "games")
        ruleset, panel = self.ruleset(entry, "ruleset"), self.lineups(entry, "panel")
        for lineup in panel:
            self.table(entry, ruleset, lineup, players)
        games = self.number(entry, "games", 20_000)

        def answer(place: Path, threads: int | None, progress: Report | None) -> dict[str, Any]:
            assert games is not None
            return first_move(ruleset, panel, games, players=players, seed=self.seed, threads=threads, progress=progress)

        return answer

    # Values -------------------------------------------------------------------------------------------------------

    def ruleset(self, entry: Entry, key: str) -> Ruleset:
        from simcore.game import checker, schema
        from simcore.ruleset import resolve

        text = entry.take(key, str, self.game)
        beside = self.base / text
        where: str | Path = beside if text.endswith(SUFFIX) and beside.is_file() else text
        return entry.guard(key, lambda: resolve(schema(self.game), where, (), checker(self.game)))

    def table(self, entry: Entry, ruleset: Ruleset, strategies: Sequence[str], players: int | None) -> Table:
        from simcore.simulate import Table

        return entry.guard("name", lambda: Table(ruleset, strategies, players, self.seed))

    def texts(self, entry: Entry, key: str, default: Sequence[str] | None = None) -> list[str]:
        if default is not None and key not in entry.data:
            return list(default)
        found = entry.take(key, list)
        if not all(isinstance(each, str) for each in found) or (not found and default is None):
            raise entry.error(f"{key} is a list of texts in quotes, not empty, got {found!r}", key)
        return found

    def lineups(self, entry: Entry, key: str) -> list[list[str]]:
        """Line-ups: each a name for all seats, or a list of one a seat."""
        found = entry.take(key, list)
        lineups = [each if isinstance(each, list) else [each] for each in found]
        if not lineups or not all(lineup and all(isinstance(name, str) for name in lineup) for lineup in lineups):
            raise entry.error(f"{key} is a list of line-ups, each a strategy or a list of one a seat, got {found!r}", key)
        return lineups

    def number(self, entry: Entry, key: str, default: int | None) -> int | None:
        if default is None and key not in entry.data:
            return None
        value = entry.take(key, int, default or 0)
        if value < 2:
            raise entry.error(f"{key} is a whole number of at least 2, got {value}", key)
        return value

    def size(self, entry: Entry, key: str) -> tuple[float, bool] | None:
        """A share such as "1%", or a size such as "0.5": as (0.01, True), (0.5, False)."""
        if key not in entry.data:
            return None
        match = _SIZE.fullmatch(entry.take(key, str).strip())
        if not match or float(match[1]) <= 0:
            raise entry.error(f'{key} is a size above 0 in quotes, such as "1%" or "0.5", got {entry.data[key]!r}', key)
        return float(match[1]) / (100 if match[2] else 1), bool(match[2])
