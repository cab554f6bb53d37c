"""A report as a list of sections of plain blocks: what the page and the Markdown are both made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reports.style import Figure


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: What it says.
        note: The interval, or another remark in small print.
        bar: Length of a bar beside the number, from 0 to 1; None for no bar.
    """

    text: str
    note: str = ""
    bar: float | None = None


@dataclass(frozen=True)
class Row:
    """One row of a table; `head` marks a row that sums up those below it or names their group."""

    cells: Sequence[Cell]
    head: bool = False


@dataclass(frozen=True)
class Table:
    """A table: the first column names the row, the others are numbers unless their position is in `words`.

    `strong` is the position of the column that matters most, if there is one.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Row]
    words: Sequence[int] = ()
    strong: int | None = None
    kind: str = field(default="table", init=False)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of text."""

    text: str
    kind: str = field(default="paragraph", init=False)


@dataclass(frozen=True)
class Facts:
    """Terms and what is to be said of each."""

    rows: Sequence[tuple[str, str]]
    kind: str = field(default="facts", init=False)


@dataclass(frozen=True)
class Code:
    """A command to copy."""

    text: str
    kind: str = field(default="code", init=False)


@dataclass(frozen=True)
class Picture:
    """A figure."""

    figure: Figure
    kind: str = field(default="figure", init=False)


@dataclass(frozen=True)
class Finding:
    """One headline finding.

    Attributes:
        concern: Key of what it means to a designer, see `experiments.findings.CONCERNS`.
        mark: The same in words.
        title: What was found.
        number: The number that shows it.
        text: A sentence with number, interval and how many games or deals it rests on.
        sure: How sure it is.
        level: ``clear``, ``likely`` or ``open``.
        method: Level and method of the interval, and n; empty where it is counted.
        section: Anchor of the section with the evidence.
        game: Number of the game that shows it; None where none is told.
    """

    concern: str
    mark: str
    title: str
    number: str
    text: str
    sure: str
    level: str
    method: str
    section: str
    game: int | None = None


@dataclass(frozen=True)
class Findings:
    """The headline findings."""

    rows: Sequence[Finding]
    kind: str = field(default="findings", init=False)


@dataclass(frozen=True)
class Story:
    """One game, told.

    Attributes:
        game: Its number.
        title: What it shows.
        command: The command that tells it again.
        text: What happened, line by line.
        more: What is said where lines were left out; empty where none were.
    """

    game: int
    title: str
    command: str
    text: str
    more: str = ""
    kind: str = field(default="story", init=False)


@dataclass(frozen=True)
class PriceRow:
    """One row of a point table that a reader may change: an item, or a category that sums up those below it.

    Attributes:
        group: ``item:key`` or ``category:key``.
        price: The price of the run; None where points follow from the play, and for a category.
        fair: The fair price; empty where none is known.
        against: Whether it is rarer than something worth more.
        bar: Length of the bar beside the share, from 0 to 1; None for no bar.
    """

    group: str
    name: str
    price: int | None
    fair: str
    often: str
    points: str
    per_deal: Cell
    share: Cell
    against: bool = False
    bar: float | None = None


@dataclass(frozen=True)
class Readout:
    """A number that follows the changed table: a key, what it is, what it says, and in small print."""

    key: str
    term: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Prices:
    """The point table that a reader may change in the page.

    Attributes:
        caption: What the table shows.
        columns: Heads of its columns.
        rows: Its rows.
        readouts: What follows from the table as a whole.
        data: What the script of the page needs, as JSON.
        commands: The commands that confirm what it shows.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[PriceRow]
    readouts: Sequence[Readout]
    data: str
    commands: str
    kind: str = field(default="prices", init=False)


Block = Table | Paragraph | Facts | Code | Picture | Findings | Story | Prices


@dataclass(frozen=True)
class Section:
    """A section; `key` is its anchor."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    language: str
    eyebrow: str
    title: str
    subtitle: str
    contents: str
    sections: Sequence[Section]
    footer: str
