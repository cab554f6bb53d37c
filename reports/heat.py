"""Drawing a square matrix as shades: above even in one colour, below in another, what is beyond chance in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from reports.style import INK, NARROW, RIGHT, SERIES, canvas, text_width

DARKEST: Final = 0.55
"""Opacity of the strongest shade: ink stays readable on it."""


@dataclass(frozen=True)
class Shade:
    """One cell.

    Attributes:
        row: Its row, from the top.
        column: Its column.
        value: What its shade shows: above 0 in one colour, below in the other.
        text: What is written in it.
        marked: Whether it is framed.
    """

    row: int
    column: int
    value: float
    text: str
    marked: bool


def heat(width: float, labels: Sequence[str], cells: Sequence[Shade], *, most: float, axis: str) -> Canvas:
    """A matrix of shades.

    Args:
        width: Width in inches.
        labels: Names of the rows and of the columns.
        cells: The cells; what is not in it stays empty.
        most: The value, without its sign, of the strongest shade.
        axis: What the columns are.
    """
    small = width <= NARROW
    size = 7.5 if small else 9
    longest = max(text_width(label, size) for label in labels)
    left = longest + 0.12
    upright = longest > 0.95 * (width - left - RIGHT) / len(labels)
    top = 0.34 + (longest if upright else 0.14)
    height = (0.28 if small else 0.33) * len(labels) + top + 0.16
    drawing, axes = canvas(width, height, left, top)
    drawing.subplots_adjust(bottom=0.08 / height)
    for cell in cells:
        place = (cell.column - 0.5, cell.row - 0.5)
        colour = SERIES[0 if cell.value > 0 else 1][0]
        axes.add_patch(Rectangle(place, 1, 1, facecolor=colour, alpha=DARKEST * min(1.0, abs(cell.value) / most), linewidth=0))
        if cell.marked:
            axes.add_patch(Rectangle((place[0] + 0.06, place[1] + 0.06), 0.88, 0.88, fill=False, edgecolor=INK, linewidth=0.9))
        axes.annotate(cell.text, (cell.column, cell.row), ha="center", va="center", fontsize=size, color=INK)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(False)
    axes.spines["bottom"].set_visible(False)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(axis)
    axes.set_xticks(range(len(labels)), labels, rotation=90 if upright else 0, fontsize=size, color=INK)
    axes.set_yticks(range(len(labels)), labels, fontsize=size)
    return drawing
