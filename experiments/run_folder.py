"""The folder of a run on disk: ``run.json``, and batches that are there whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.simulate import Batch, Table

FORMAT: Final = 1
TABLES: Final = ("games", "deals", "tallies")
RUN_FILE: Final = "run.json"
BATCH_FILE: Final = "batch.json"
UNFINISHED: Final = ".tmp-"
HASHES: Final = 1 << 64
ZSTD_LEVEL: Final = 1
KNOWN: Final = ("format", "game", "ruleset", "strategies", "players", "seed", "games", "batch", "finished", "source_hash")
"""What ``run.json`` must say; ``first``, the number of the first game, is 0 where it says nothing."""


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

    @classmethod
    def of(cls, parts: Iterable[Totals]) -> Totals:
        """The sum of some."""
        total = cls()
        for part in parts:
            total.add(part)
        return total


# ------------------------------------------------------------------------------------------------------------------
# Batches


def batch_folder(folder: Path, first: int) -> Path:
    """Where the batch is that begins with game ``first``."""
    return folder / "batches" / f"{first:012d}"


def games_of(info: Mapping[str, Any]) -> range:
    """Numbers of the games that a run is of."""
    first = info.get("first", 0)
    return range(first, first + info["games"])


def read_batches(folder: Path, info: Mapping[str, Any], check: bool = False) -> dict[int, Totals]:
    """Totals of the batches that are there, by their first games, ascending.

    Args:
        folder: The run.
        info: What its ``run.json`` says.
        check: Whether to look at every byte.

    Raises:
        InputError: A batch is damaged or does not belong into the run; the text names it.
    """
    try:
        names = sorted(entry.name for entry in (folder / "batches").iterdir() if not entry.name.startswith(UNFINISHED))
    except OSError:
        raise InputError(f"'{folder}' is damaged: it has no folder 'batches'") from None
    wanted = games_of(info)
    for name in names:
        if not name.isdecimal() or int(name) not in wanted:
            raise InputError(f"'{folder / 'batches' / name}' does not belong into the run")
    firsts = [int(name) for name in names]
    with ThreadPoolExecutor() as pool:
        found = dict(zip(firsts, pool.map(lambda first: read_batch(folder, first, check), firsts), strict=True))
    end = wanted.start
    for name, (first, totals) in zip(names, found.items(), strict=True):
        if first < end or first + totals.games > wanted.stop:
            raise InputError(f"'{folder / 'batches' / name}' does not belong into the run")
        end = first + totals.games
    return found


def missing(batches: Mapping[int, Totals], wanted: range, size: int) -> list[tuple[int, int]]:
    """First games and numbers of games of the batches that are not there yet, none larger than ``size``."""
    gaps, at = [], wanted.start
    for first, totals in [*sorted(batches.items()), (wanted.stop, Totals())]:
        gaps += [(start, min(size, first - start)) for start in range(at, first, size)]
        at = first + totals.games
    return gaps


def read_batch(folder: Path, first: int, check: bool) -> Totals:
    """Totals of one batch, every byte of which is looked at if ``check``. Raises InputError where it is damaged."""
    place = batch_folder(folder, first)
    fields = read_json(place / BATCH_FILE)
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


def write_batch(folder: Path, batch: Batch, table: Table, first: int, seconds: float) -> Totals:
    """Puts a batch into its place; returns its totals. Raises InputError where it cannot be written or was there already."""
    from simcore.records import frames, points_total, tallies_hash

    with hidden(folder / "batches") as unfinished:
        sums = {}
        for name, frame in frames(batch, table).items():
            part = unfinished / f"{name}.parquet"
            frame.write_parquet(part, compression="zstd", compression_level=ZSTD_LEVEL)
            sums[name] = _checksum(part)
        totals = Totals(len(batch.games), len(batch.deals), points_total(batch.tallies), tallies_hash(batch.tallies), seconds)
        write_json(unfinished / BATCH_FILE, {"first": first, "games": totals.games} | totals.to_dict() | {"crc32": sums})
        _settle(unfinished, folder, first)
    return totals


def copy_batch(source: Path, folder: Path, first: int) -> None:
    """Copies a batch of another run. Raises InputError as `write_batch`."""
    with hidden(folder / "batches") as unfinished:
        shutil.copytree(batch_folder(source, first), unfinished, dirs_exist_ok=True)
        _settle(unfinished, folder, first)


def _settle(unfinished: Path, folder: Path, first: int) -> None:
    place = batch_folder(folder, first)
    if place.exists():
        raise InputError(f"'{place}' was there already: somebody else is playing the run '{folder}'")
    unfinished.rename(place)


# ------------------------------------------------------------------------------------------------------------------
# Folders


@contextmanager
def new_folder(out: str | os.PathLike[str] | None, name: str) -> Iterator[Path]:
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
def hidden(parent: Path) -> Iterator[Path]:
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


# ------------------------------------------------------------------------------------------------------------------
# Files


def read_info(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says. Raises InputError where the folder is no run of this format."""
    if not folder.is_dir():
        raise InputError(f"there is no run '{folder}': " + ("it is a file, not a folder" if folder.exists() else "no such folder"))
    file = folder / RUN_FILE
    if not file.is_file():
        inside = sorted(str(each.parent) for each in folder.glob(f"*/{RUN_FILE}"))
        raise InputError(f"'{folder}' is not a run: it has no {RUN_FILE}" + (f"; a run in it is '{inside[0]}'" if inside else ""))
    info = read_json(file)
    absent = [key for key in KNOWN if key not in info]
    if absent:
        raise InputError(f"'{file}' is damaged: the key '{absent[0]}' is missing")
    if info["format"] != FORMAT:
        raise InputError(f"'{file}' has format {info['format']}, but this version of simcore reads format {FORMAT}")
    return info


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Replaces a file at once: a reader sees the old one or the new one. Raises InputError where it cannot be written."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        unfinished.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise InputError(f"'{path}' cannot be written to: {error.strerror}") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file. Raises InputError where it cannot be read or is none."""
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
