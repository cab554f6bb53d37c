"""The picture of what moves the result: a bar for each price and numeric option, the longest on top (a tornado)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from matplotlib.ticker import MaxNLocator

from reports.numbers import Numbers
from reports.style import INK, MUTED, NARROW, SERIES, Figure, canvas, figure, standalone, text_width, ticks
from simcore.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MOST: Final = 20
"""Bars, at most."""
KINDS: Final = (".svg", ".png")


def tornado(found: Mapping[str, Any], measure: str, names: Mapping[str, str], title: str, axis: str, lang: str) -> Figure | None:
    """The elasticities of one measure with their intervals.

    Args:
        found: What `experiments.sensitivity.sensitivity` returned.
        measure: Key of the measure.
        names: What to call prices and options.
        title: The title.
        axis: What the axis shows.
        lang: Language of the numbers.

    Returns:
        The figure, whose data are its bars: ``key``, ``name``, ``elasticity``, ``low``, ``high``, ``sure``, the largest first; None where nothing moves.
    """
    bars = []
    for knob in found["knobs"]:
        row = next(each for each in knob["measures"] if each["measure"] == measure)
        if not row["elasticity"]:
            continue
        low, high = row["elasticity_interval"]
        bar = {"key": knob["key"], "name": names[knob["key"]], "elasticity": row["elasticity"], "low": low, "high": high, "sure": row["sure"]}
        bars.append(bar)
    bars.sort(key=lambda bar: -abs(bar["elasticity"]))
    bars = bars[:MOST]
    if not bars:
        return None
    numbers = Numbers(lang)

    def draw(width: float) -> Canvas:
        small = width <= NARROW
        left = max(text_width(bar["name"], 9) for bar in bars) + 0.12
        drawing, axes = canvas(width, 0.215 * len(bars) + 0.6, left)
        for place, bar in enumerate(bars):
            colour = SERIES[0 if bar["elasticity"] > 0 else 1][0]
            axes.barh(place, bar["elasticity"], height=0.62, color=colour, alpha=1.0 if bar["sure"] else 0.35)
            axes.plot([bar["low"], bar["high"]], [place, place], color=INK, linewidth=1.0)
        axes.axvline(0, color=MUTED, linewidth=0.8)
        axes.set_yticks(range(len(bars)), [bar["name"] for bar in bars])
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.xaxis.set_major_locator(MaxNLocator(4 if small else 8))
        ticks(axes.xaxis, numbers.plain)
        axes.set_xlabel(axis)
        return drawing

    alt = f"{title}. " + "; ".join(f"{bar['name']} {numbers.significant(bar['elasticity'], 2)}" for bar in bars) + "."
    return figure("tornado", title, alt, bars, draw)


def write(drawn: Figure, path: Path) -> None:
    """Writes a figure to a new file, as its name says: .svg or .png. Raises InputError where it cannot be."""
    require_picture(path)
    try:
        path.write_bytes(drawn.png if path.suffix == ".png" else standalone(drawn).encode())
    except OSError as error:
        raise InputError(f"'{path}' cannot be written to: {error.strerror}") from None


def require_picture(path: Path) -> None:
    """Raises InputError for a file that is there already, or that is no picture by its name."""
    if path.suffix not in KINDS:
        raise InputError(f"a picture is a file {' or '.join(KINDS)}, got '{path}'")
    if path.exists():
        raise InputError(f"'{path}' is there already, and nothing is overwritten")
    if not path.parent.is_dir():
        raise InputError(f"'{path}' cannot be written to: there is no folder '{path.parent}'")
