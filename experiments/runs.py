"""Runs: a folder of records, and what plays games into it.

A run is ``run.json`` and ``batches/<first game>/`` with ``games.parquet``, ``deals.parquet``, ``tallies.parquet`` and ``batch.json``. A batch is
written under a hidden name and then renamed, so it is whole or it is not there: a run can be killed at any moment and continued with `resume`.
The records do not depend on how games were cut into batches, nor on how many threads played them.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments.progress import Progress, Report
from simcore.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from simcore.ruleset import Ruleset
    from simcore.simulate import Batch, Table

FORMAT: Final = 1
TABLES: Final = ("games", "deals", "tallies")
RUN_FILE: Final = "run.json"
BATCH_FILE: Final = "batch.json"
UNFINISHED: Final = ".tmp-"
HASHES: Final = 1 << 64
MOST_GAMES: Final = 10_000
"""Games of a batch, at most."""
MOST_DEALS: Final = 100_000
"""Deals of a batch, about: its rows are held in memory, by every thread one."""
FIRST_LOOK: Final = 16
"""Games that are played to see how many deals a game takes."""
SAVE_EVERY: Final = 1.0
"""Seconds between two writings of ``run.json``."""
ZSTD_LEVEL: Final = 1


@dataclass
class Totals:
    """Sums over whole batches; their order does not matter.

    Attributes:
        games: Games played.
        deals: Deals played.
        points_total: Points of all rows of the tallies.
        tallies_hash: `simcore.records.tallies_hash` of all of them.
        seconds: Time in the kernel, the mean over the threads that played: playing only, without compiling and writing.
    """

    games: int = 0
    deals: int = 0
    points_total: int = 0
    tallies_hash: int = 0
    seconds: float = 0.0

    def add(self, other: Totals) -> None:
        """Adds those of other batches."""
        self.games += other.games
        self.deals += other.deals
        self.points_total += other.points_total
        self.tallies_hash = (self.tallies_hash + other.tallies_hash) % HASHES
        self.seconds += other.seconds

    def to_dict(self) -> dict[str, Any]:
        """As JSON has them: the hash as 16 hex digits, since not every reader of JSON keeps 64 bits of a number."""
        return {
            "deals": self.deals,
            "points_total": self.points_total,
            "tallies_hash": f"{self.tallies_hash:016x}",
            "seconds": round(self.seconds, 6),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Totals:
        """The way back from ``batch.json``."""
        return cls(fields["games"], fields["deals"], fields["points_total"], int(fields["tallies_hash"], 16), fields["seconds"])


@dataclass(frozen=True)
class Run:
    """A run on disk.

    Attributes:
        folder: Its folder.
        info: What ``run.json`` says, with the totals of the batches that are there.
        batches: First games of these batches, ascending.
    """

    folder: Path
    info: dict[str, Any]
    batches: tuple[int, ...]

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self._scan("games")

    @property
    def deals(self) -> pl.LazyFrame:
        """One row a deal."""
        return self._scan("deals")

    @property
    def tallies(self) -> pl.LazyFrame:
        """One row per deal, seat, item and role that occurred."""
        return self._scan("tallies")

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset that was played by."""
        return _ruleset_of(self.info)

    def _scan(self, name: str) -> pl.LazyFrame:
        import polars as pl

        if not self.batches:
            raise InputError(f"the run '{self.folder}' has no finished games yet")
        return pl.scan_parquet([_batch_folder(self.folder, first) / f"{name}.parquet" for first in self.batches])


# ------------------------------------------------------------------------------------------------------------------
# Playing


def run(
    table: Table,
    games: int,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    batch: int | None = None,
    progress: Report | None = None,
) -> Run:
    """Plays games 0 to ``games - 1`` of a table into a new folder.

    Args:
        table: Rules, strategies, seed.
        games: Number of games.
        out: The folder: new or empty. Without it ``runs/<game>-<games>-s<seed>``, with a number behind where that is taken.
        threads: Threads that play; without it one a core.
        batch: Games in a batch; without it as many as keep memory small. Decides nothing but the names of files.
        progress: Called now and then, from this thread.

    Raises:
        InputError: A number is out of range, or the folder is not empty or cannot be written to.
        StrategyError: A strategy does not compile or made a move that the rules forbid. What was played before stays only if
            whole batches of it were.
    """
    from simcore.simulate import MAX_GAME

    if not 1 <= games <= MAX_GAME:
        raise InputError(f"the number of games is a whole number from 1 to {MAX_GAME}, got {games}")
    if batch is not None and batch < 1:
        raise InputError(f"a batch has at least 1 game, got {batch}")
    threads = _threads(threads)
    with _new_folder(out, f"{table.game.key}-{games}-s{table.seed}") as folder:
        size = batch or _batch_size(table, games, threads)
        info = _describe(table, games, size)
        _write_json(folder / RUN_FILE, info)
        (folder / "batches").mkdir()
        return _play_missing(folder, info, table, threads, progress, Totals(), ())


def resume(path: str | os.PathLike[str], threads: int | None = None, progress: Report | None = None) -> Run:
    """Continues a run that was interrupted; one that is finished already is only loaded.

    Raises:
        InputError: It is no run, or was begun by other sources or versions, so that its games would not be the same ones.
        StrategyError: As `run`.
    """
    folder = Path(path)
    threads = _threads(threads)
    info = _read_info(folder)
    found = _finished(folder, info)
    if info["finished"]:
        return load_run(folder)
    table = table_of(info)
    if source_hash(table) != info["source_hash"]:
        raise InputError(
            f"the run '{folder}' was begun with other sources or versions of the simulator or of a strategy, "
            "so it cannot be continued: start a new run"
        )
    for left in (folder / "batches").glob(f"{UNFINISHED}*"):
        shutil.rmtree(left)
    totals = Totals()
    for first in found:
        totals.add(_read_batch(folder, first))
    return _play_missing(folder, info, table, threads, progress, totals, found)


def table_of(info: Mapping[str, Any]) -> Table:
    """The table that a run was played at, from its ``run.json``. Raises InputError where its rules or strategies are no more."""
    from simcore.simulate import Table

    return Table(_ruleset_of(info), info["strategies"], info["players"], info["seed"])


def source_hash(table: Table) -> str:
    """Hash of everything that decides what happens in a game, besides what ``run.json`` says: kernel, strategies, versions."""
    from simcore import compiled

    codes = "".join(f" {player.code_key}" for player in table.seats)
    return f"{compiled.source_hash(table.game.key)}-{zlib.crc32(codes.encode()):08x}"


def _play_missing(
    folder: Path,
    info: dict[str, Any],
    table: Table,
    threads: int,
    progress: Report | None,
    totals: Totals,
    found: tuple[int, ...],
) -> Run:
    """Plays the batches that are not there yet, keeping ``run.json`` up to date."""
    from joblib import Parallel, delayed

    games, size = info["games"], info["batch"]
    already = set(found)
    missing = (first for first in range(0, games, size) if first not in already)
    number = -(-games // size) - len(found)
    workers = max(1, min(threads, number))
    games_before, deals_before = totals.games, totals.deals
    saved = time.monotonic()
    if progress:
        progress(Progress(folder, totals.games, games, 0, 0))
    jobs = (delayed(_play_batch)(folder, table, first, min(size, games - first), workers) for first in missing)
    for part in Parallel(workers, backend="threading", return_as="generator_unordered", pre_dispatch=workers + 1)(jobs):
        totals.add(part)
        if time.monotonic() - saved >= SAVE_EVERY:
            _write_json(folder / RUN_FILE, info | totals.to_dict())
            saved = time.monotonic()
        if progress:
            progress(Progress(folder, totals.games, games, totals.deals - deals_before, totals.games - games_before))
    info = info | totals.to_dict() | {"finished": True}
    _write_json(folder / RUN_FILE, info)
    return Run(folder, info | {"played": games}, tuple(range(0, games, size)))


def _play_batch(folder: Path, table: Table, first: int, count: int, workers: int) -> Totals:
    """Plays one batch and puts it in its place; returns its totals."""
    started = time.perf_counter()
    batch = table.play(first, count)
    seconds = time.perf_counter() - started
    with _hidden(folder / "batches") as hidden:
        totals = _write_batch(hidden, batch, table, first, seconds / workers)
        place = _batch_folder(folder, first)
        if place.exists():
            raise InputError(f"'{place}' was there already: somebody else is playing the run '{folder}'")
        hidden.rename(place)
    return totals


def _write_batch(folder: Path, batch: Batch, table: Table, first: int, seconds: float) -> Totals:
    from simcore.records import frames, points_total, tallies_hash

    sums = {}
    for name, frame in frames(batch, table).items():
        part = folder / f"{name}.parquet"
        frame.write_parquet(part, compression="zstd", compression_level=ZSTD_LEVEL)
        sums[name] = _checksum(part)
    totals = Totals(len(batch.games), len(batch.deals), points_total(batch.tallies), tallies_hash(batch.tallies), seconds)
    _write_json(folder / BATCH_FILE, {"first": first, "games": totals.games} | totals.to_dict() | {"crc32": sums})
    return totals


def _batch_size(table: Table, games: int, threads: int) -> int:
    """Games in a batch: few enough for memory, and batches enough for the threads to end together."""
    look = table.play(0, min(FIRST_LOOK, games))
    most = max(1, min(MOST_GAMES, MOST_DEALS * len(look.games) // len(look.deals)))
    rounds = -(-games // (most * threads))
    return max(1, -(-games // (rounds * threads)))


def _threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"the number of threads is at least 1, got {threads}")
    return threads


# ------------------------------------------------------------------------------------------------------------------
# What run.json says


def _describe(table: Table, games: int, batch: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": table.game.key,
        "ruleset": table.ruleset.canonical,
        "strategies": list(table.canonical_strategies),
        "players": table.players,
        "seed": table.seed,
        "games": games,
        "batch": batch,
        "finished": False,
        "versions": _versions(),
        "source_hash": source_hash(table),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "command": command(table, games),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        **Totals().to_dict(),
    }


def command(table: Table, games: int) -> str:
    """The command line that plays the same games again."""
    words = ["simcore", "run", table.game.key, "--games", str(games), "--seed", str(table.seed)]
    if table.ruleset.canonical != table.game.key:
        words += ["--ruleset", table.ruleset.canonical]
    words += ["--players", str(table.players)]
    seats = table.canonical_strategies
    for name in seats[:1] if len(set(seats)) == 1 else seats:
        words += ["--strategy", name]
    return shlex.join(words)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "polars", "simcore"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from the sources without being installed
            found[name] = "source"
    return found


def _ruleset_of(info: Mapping[str, Any]) -> Ruleset:
    from simcore.game import checker, schema
    from simcore.ruleset import parse

    return parse(schema(info["game"]), info["ruleset"], checker(info["game"]))


# ------------------------------------------------------------------------------------------------------------------
# Reading


def load_run(path: str | os.PathLike[str]) -> Run:
    """Opens a run, finished or not, after looking at every byte of it.

    Raises:
        InputError: There is no such folder, it is no run, or a part of it is missing or damaged; the text names the file.
    """
    folder = Path(path)
    info = _read_info(folder)
    batches = _finished(folder, info)
    totals = Totals()
    for first in batches:
        totals.add(_read_batch(folder, first, check=True))
    if info["finished"] and totals.games != info["games"]:
        missing = next(first for first in range(0, info["games"], info["batch"]) if first not in set(batches))
        raise InputError(f"the run '{folder}' is damaged: '{_batch_folder(folder, missing)}' is missing")
    return Run(folder, info | totals.to_dict() | {"played": totals.games}, batches)


def _read_info(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise InputError(f"there is no run '{folder}': " + ("it is a file, not a folder" if folder.exists() else "no such folder"))
    file = folder / RUN_FILE
    if not file.is_file():
        raise InputError(f"'{folder}' is not a run: it has no {RUN_FILE}")
    info = _read_json(file)
    known = ("format", "game", "ruleset", "strategies", "players", "seed", "games", "batch", "finished", "source_hash")
    missing = [key for key in known if key not in info]
    if missing:
        raise InputError(f"'{file}' is damaged: the key '{missing[0]}' is missing")
    if info["format"] != FORMAT:
        raise InputError(f"'{file}' has format {info['format']}, but this version of simcore reads format {FORMAT}")
    return info


def _finished(folder: Path, info: Mapping[str, Any]) -> tuple[int, ...]:
    """First games of the batches that are there."""
    try:
        names = sorted(entry.name for entry in (folder / "batches").iterdir() if not entry.name.startswith(UNFINISHED))
    except OSError:
        raise InputError(f"'{folder}' is damaged: it has no folder 'batches'") from None
    for name in names:
        if not name.isdecimal() or int(name) % info["batch"] or int(name) >= info["games"]:
            raise InputError(f"'{folder / 'batches' / name}' does not belong into the run")
    return tuple(sorted(map(int, names)))


def _read_batch(folder: Path, first: int, check: bool = False) -> Totals:
    place = _batch_folder(folder, first)
    fields = _read_json(place / BATCH_FILE)
    for name in TABLES if check else ():
        part = place / f"{name}.parquet"
        try:
            sound = _checksum(part) == fields["crc32"][name]
        except OSError as error:
            raise InputError(f"the Parquet part '{part}' cannot be read: {error.strerror}") from None
        if not sound:
            raise InputError(f"the Parquet part '{part}' is corrupted: its bytes are not those that were written")
    try:
        return Totals.from_dict(fields)
    except (KeyError, ValueError, TypeError):
        raise InputError(f"'{place / BATCH_FILE}' is damaged") from None


# ------------------------------------------------------------------------------------------------------------------
# Files and folders


def _batch_folder(folder: Path, first: int) -> Path:
    return folder / "batches" / f"{first:012d}"


@contextmanager
def _new_folder(out: str | os.PathLike[str] | None, name: str) -> Iterator[Path]:
    """A folder for a new run; where nothing came of it, everything is as it was before."""
    made: list[Path] = []
    folder = _free_folder(Path("runs"), name, made) if out is None else _given_folder(Path(out), made)
    try:
        yield folder
    except BaseException:
        if not any(folder.glob("batches/[0-9]*")):
            for entry in (folder / "batches", folder / RUN_FILE):
                shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink(missing_ok=True)
            for each in reversed(made):
                try:
                    each.rmdir()
                except OSError:  # somebody else has put something there in the meantime
                    break
        raise


def _free_folder(parent: Path, name: str, made: list[Path]) -> Path:
    number = 1
    while True:
        folder = parent / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return _given_folder(folder, made)
        number += 1


def require_free(folder: Path) -> None:
    """Raises InputError where an output folder is not empty, or no folder."""
    if folder.exists():
        if not folder.is_dir():
            raise InputError(f"the output folder '{folder}' is a file")
        if any(folder.iterdir()):
            raise InputError(f"the output folder '{folder}' is not empty, and nothing is overwritten: name another one")


def _given_folder(folder: Path, made: list[Path]) -> Path:
    """The folder, made where it does not exist; appends to `made` what had to be made, the outermost first."""
    try:
        require_free(folder)
        for each in reversed((folder, *folder.parents)):
            if not each.exists():
                each.mkdir()
                made.append(each)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        for each in reversed(made):
            each.rmdir()
        raise InputError(f"the output folder '{folder}' cannot be written to: {error.strerror}") from None


@contextmanager
def _hidden(parent: Path) -> Iterator[Path]:
    """A folder that nobody takes for a batch, gone afterwards unless it was renamed."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=parent))
        folder.chmod(0o755)
    except OSError as error:
        raise InputError(f"'{parent}' cannot be written to: {error.strerror}") from None
    try:
        yield folder
    except OSError as error:
        raise InputError(f"'{parent}' cannot be written to: {error.strerror}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Replaces a file at once: a reader sees the old one or the new one."""
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
    unfinished.replace(path)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"'{path}' is damaged: it is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise InputError(f"'{path}' is damaged: it does not hold an object")
    return value


def _checksum(path: Path) -> int:
    """CRC-32 of a file's bytes."""
    total = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            total = zlib.crc32(chunk, total)
    return total
