"""What commands print and where: standard output or a new file; progress and notes on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.progress import Progress

FIRST_RUN: Final = "compiling what is not kept on this machine yet, which takes up to half a minute once ..."
PLAIN_EVERY: Final = 10.0
"""Seconds between lines of progress where no terminal shows them."""


def tell_of_compiling() -> None:
    """Until the command ends, say once when something is compiled; where all is on disk already nothing is said."""
    from simcore.compiled import announced

    click.get_current_context().with_resource(announced(lambda: note(FIRST_RUN)))


def coloured() -> bool:
    """Whether a terminal shows what is printed, in colour."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def note(text: str) -> None:
    """A line on standard error."""
    click.echo(text, err=True)


def say(renderables: list[Any], out: Path | None = None) -> None:
    """Prints tables and lines of `reports.console`, or writes them to a new file."""
    from reports import console

    terminal = out is None and coloured()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else None
    with output(out) as write:
        write(console.text(renderables, terminal, width))


def say_json(value: dict[str, Any], out: Path | None = None) -> None:
    """Prints one JSON object, or writes it to a new file."""
    with output(out) as write:
        write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


def require_new(out: Path | None) -> None:
    """Raises InputError where a file that is to be written is there already, or cannot be there: before hours are spent on what goes into it."""
    if out is None:
        return
    if out.exists():
        raise InputError(f"'{out}' is there already, and nothing is overwritten")
    if not out.parent.is_dir():
        raise InputError(f"'{out}' cannot be written to: there is no folder '{out.parent}'")


@contextmanager
def output(out: Path | None) -> Iterator[Callable[[str], Any]]:
    """Writes to standard output, or to a new file that is there whole or not at all."""
    if out is None:
        yield sys.stdout.write
        sys.stdout.flush()
        return
    require_new(out)
    unfinished = out.with_name(f".{out.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            yield file.write
        unfinished.rename(out)
    except OSError as error:
        raise InputError(f"'{out}' cannot be written to: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


class Plain:
    """Progress as a line now and then, for a log."""

    folder: Path | None = None

    def __init__(self, beforehand: str = "") -> None:
        self.started = self.told = 0.0
        self.beforehand = beforehand

    def __call__(self, progress: Progress) -> None:
        """Take note of how far the run is."""
        if self.beforehand:
            note(self.beforehand)
            self.beforehand = ""
        self.show(progress)

    def show(self, progress: Progress) -> None:
        """Tell how far it is."""
        if not self.started:
            self.folder = progress.folder
            self.started = self.told = time.monotonic()  # not before the first game: what was compiled is no measure of the rate
        if progress.games_now and time.monotonic() - self.told >= PLAIN_EVERY:
            self.told = time.monotonic()
            note(progress.told(self.told - self.started))


class Bar(Plain):
    """Progress as a bar with the rate and the remaining time, for a terminal."""

    def __init__(self, bar: Any, beforehand: str) -> None:
        super().__init__(beforehand)
        self.bar = bar
        self.task: Any = None

    def show(self, progress: Progress) -> None:
        """Tell how far it is."""
        rate = f"{progress.rate(time.monotonic() - self.started):,.0f} deals/s"
        if progress.precision is not None:
            rate += f", ±{progress.precision:.2g}"
        if self.task is None:
            self.folder = progress.folder
            self.started = time.monotonic()
            self.task = self.bar.add_task("games", total=progress.wanted, completed=progress.played, rate="...")
        else:
            self.bar.update(self.task, total=progress.wanted, completed=progress.played, rate=rate)


@contextmanager
def shown_progress(beforehand: str = "") -> Iterator[Plain]:
    """What a run is told to call with its progress: a bar on a terminal, else lines. When the first game begins a line is noted, if there is one."""
    if not sys.stderr.isatty():
        yield Plain(beforehand)
        return
    from rich import progress as rich
    from rich.console import Console

    columns: list[str | rich.ProgressColumn] = [
        "{task.description}",
        rich.BarColumn(),
        "{task.percentage:>5.1f}%",
        "{task.fields[rate]}",
        rich.TimeRemainingColumn(),
    ]
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar, beforehand)
