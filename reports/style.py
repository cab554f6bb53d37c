"""One style for all figures: matplotlib settings, colours, and SVG that follows the page into dark mode."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter

INK, MUTED, RULE, PAPER = "#1d2126", "#5c636d", "#d8dce1", "#fefefe"

# Okabe and Ito's palette for all kinds of colour vision, without black and yellow; orange and sky blue are
# darkened until they stand out from white paper by 3 to 1. The second colour of each pair is the one on dark
# paper.
SERIES = (
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#f0884a"),
    ("#009070", "#2fc39c"),
    ("#b8609a", "#dd9cc6"),
    ("#a87400", "#e69f00"),
    ("#4a87a8", "#9ad0ec"),
    ("#6b6b6b", "#b0b0b0"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_VARIABLES = {INK: "ink", MUTED: "muted", RULE: "rule", PAPER: "paper"} | {light: f"series-{number}" for number, (light, _) in enumerate(SERIES)}

WIDE, NARROW = 7.6, 3.9
"""Widths in inches of the two drawings of a figure: for a page, and for a phone."""

DOTS = 160
"""Dots per inch of the pictures."""
RIGHT, BOTTOM = 0.3, 0.46
"""Room in inches right of the axes, and below them for their numbers and name."""


@dataclass(frozen=True)
class Figure:
    """One figure of a report.

    Attributes:
        key: Its name, unique in the report.
        title: What it shows, as a finding.
        alt: What a reader who cannot see it should know.
        data: The rows that are drawn, as plain values.
        svg: The drawing for a page.
        narrow: The drawing for a phone.
        png: The drawing for a page as a picture of points.
    """

    key: str
    title: str
    alt: str
    data: list[dict[str, Any]]
    svg: str
    narrow: str
    png: bytes


def figure(key: str, title: str, alt: str, data: list[dict[str, Any]], draw: Callable[[float], Canvas]) -> Figure:
    """Draws a figure at both widths.

    Args:
        key: Its name.
        title: Its title, for the caption.
        alt: Its text alternative.
        data: What is drawn.
        draw: Draws it at a width in inches, inside `settings`.
    """
    drawings, picture = [], io.BytesIO()
    for name, width in (("wide", WIDE), ("narrow", NARROW)):
        # The salt makes the ids inside the drawing the same in every run, and different in every drawing of a
        # page.
        with settings(f"{key}-{name}"):
            drawing = draw(width)
            drawings.append(_inline(drawing, alt))
            if width == WIDE:
                drawing.savefig(picture, format="png", dpi=DOTS, facecolor=PAPER, metadata={"Software": None})
    wide, narrow = drawings
    return Figure(key, title, alt, data, wide, narrow, picture.getvalue())


def standalone(figure_: Figure) -> str:
    """A figure as an SVG file of its own: plain colours and a font, since no page lends it any."""
    text = re.sub(r"var\(--[\w-]+, (#[0-9a-f]{6})\)", r"\1", figure_.svg)
    style = f'style="font-family: sans-serif; background: {PAPER}"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text.replace("<svg", f"<svg {style}", 1)}\n'


@contextmanager
def settings(salt: str) -> Iterator[None]:
    """The style, while drawing."""
    with mpl.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": salt,
            "font.family": "sans-serif",
            "font.size": 9,
            "text.color": INK,
            "text.parse_math": False,
            "axes.edgecolor": RULE,
            "axes.labelcolor": MUTED,
            "axes.labelsize": 9,
            "axes.linewidth": 0.8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.spines.left": False,
            "axes.grid": True,
            "axes.grid.axis": "x",
            "axes.axisbelow": True,
            "axes.unicode_minus": True,
            "grid.color": RULE,
            "grid.linewidth": 0.6,
            "xtick.color": MUTED,
            "ytick.color": MUTED,
            "xtick.labelcolor": MUTED,
            "ytick.labelcolor": INK,
            "xtick.major.size": 0,
            "xtick.minor.size": 0,
            "ytick.major.size": 0,
            "ytick.minor.size": 0,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "legend.frameon": False,
            "legend.fontsize": 9,
            "legend.handletextpad": 0.3,
            "legend.columnspacing": 1.2,
        }
    ):
        yield


def canvas(width: float, height: float, left: float, top: float = 0.0) -> tuple[Canvas, Axes]:
    """An empty figure of that size in inches with one set of axes.

    Margins are given, not found by a layout engine: that would measure everything twice with a font that the
    page does not use.

    Args:
        width: Width of the whole.
        height: Height of the whole.
        left: Room for what stands left of the axes.
        top: Room for what stands above them.
    """
    drawing = Canvas(figsize=(width, height))
    axes = drawing.add_subplot()
    drawing.subplots_adjust(left=left / width, right=1 - RIGHT / width, bottom=BOTTOM / height, top=1 - (top + 0.08) / height)
    return drawing, axes


def text_width(text: str, size: float) -> float:
    """How many inches wide a text is at a size in points in matplotlib's own font, which few others exceed."""
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return float(width) / 72


def ticks(axis: Any, show: Callable[[float], str]) -> None:
    """Prints the numbers of an axis by a function of the value."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))


def _inline(drawing: Canvas, alt: str) -> str:
    """A drawing as SVG inside a page: scalable, labelled, without metadata, in the page's own colours."""
    buffer = io.StringIO()
    drawing.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert size is not None
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    box = f'viewBox="0 0 {size[1]} {size[2]}" role="img" aria-label={quoteattr(alt)}'
    text = f"<svg {spaces} {box}>" + text[text.index(">") + 1 :]
    # Rules and ids of one drawing must not reach the rest of the page; fonts are those of the page.
    text = re.sub(r"\s*<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    for colour, name in _VARIABLES.items():
        text = text.replace(colour, f"var(--{name}, {colour})")
    return text.strip()
