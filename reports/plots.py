"""Drawing: the few kinds of chart that figures are made of. Rows in, matplotlib figures out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from reports.style import INK, MARKERS, MUTED, NARROW, PAPER, RULE, SERIES, canvas, text_width, ticks

Show = Callable[[float], str]
EDGE = 0.08
"""Inches at the left of a narrow picture."""
HALF_TICK = 0.15
"""Inches that the first number of an axis stands out to the left of it."""
LONG_LABELS = 1e-7
"""Chances below this have such long names that fewer of them have room on an axis."""


@dataclass(frozen=True)
class Dot:
    """One estimate in a plot.

    Attributes:
        row: Its row, from the top.
        series: Its series: colour and marker.
        value: Where it stands; the bound itself where only a bound is known.
        low: Lower end of the interval.
        high: Upper end of the interval.
        bound: Whether it is an upper bound: never seen, so somewhere to the left.
    """

    row: int
    series: int
    value: float
    low: float
    high: float
    bound: bool = False


@dataclass(frozen=True)
class Point:
    """One thing in a scatter of chance against price.

    Attributes:
        label: Its name.
        series: Its series: colour and marker.
        x: Its chance; the bound itself where only a bound is known.
        low: Lower end of the chance's interval.
        high: Upper end of the chance's interval.
        y: Its price.
        marked: Whether to ring it.
        bound: Whether `x` is an upper bound.
    """

    label: str
    series: int
    x: float
    low: float
    high: float
    y: float
    marked: bool = False
    bound: bool = False


def dots(
    width: float,
    labels: Sequence[str],
    rows: Sequence[Dot],
    *,
    series: Sequence[str] = (),
    axis: str,
    show: Show,
    log: bool = False,
    reference: tuple[float, str] | None = None,
    rules_after: Sequence[int] = (),
) -> Canvas:
    """Estimates as dots with their intervals, one row a thing.

    Args:
        width: Width in inches.
        labels: Names of the rows, from the top.
        rows: The estimates.
        series: Names of the series, for a legend; none for one series.
        axis: What the axis shows.
        show: Prints a number of the axis.
        log: Whether the axis is logarithmic.
        reference: A value to compare with, and its name.
        rules_after: Rows after which a line separates groups.
    """
    small = width <= NARROW
    pitch = 0.34 if small else 0.215
    top = (0.2 if reference else 0.0) + (_legend_height(series, small) if series else 0.0)
    left = EDGE + HALF_TICK if small else max(text_width(label, 9) for label in labels) + 0.12
    drawing, axes = canvas(width, pitch * len(labels) + 0.6 + top, left, top)
    axes.hlines(range(len(labels)), 0, 1, transform=axes.get_yaxis_transform(), color=RULE, linewidth=0.5, zorder=0.5)
    mates = [sorted(dot.series for dot in rows if dot.row == row) for row in range(len(labels))]
    for dot in rows:
        # Series that share a row stand a little apart, so that dots at one place do not hide each other.
        place = mates[dot.row].index(dot.series) - (len(mates[dot.row]) - 1) / 2
        _mark(axes, dot.series, dot.value, dot.row + 0.17 * place, dot.low, dot.high, dot.bound, 4.6)
    if log:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(numticks=7 if small else 12))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5 if small else 8, steps=[1, 2, 2.5, 5, 10]))
        axes.margins(x=0.06)
    if reference:
        axes.axvline(reference[0], color=INK, linewidth=0.9, dashes=(4, 3), zorder=1)
        axes.annotate(
            reference[1],
            (reference[0], 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            color=MUTED,
            fontsize=8.5,
        )
    for row in rules_after:
        axes.axhline(row + (0.24 if small else 0.5), color=MUTED, linewidth=0.6)
    axes.set_ylim(len(labels) - 0.4, -0.9 if small else -0.6)
    if small:
        axes.set_yticks([])
        for row, label in enumerate(labels):
            axes.annotate(
                label,
                (0, row - 0.28),
                xycoords=("axes fraction", "data"),
                xytext=(-72 * HALF_TICK, 0),
                textcoords="offset points",
                va="bottom",
                fontsize=8.5,
                color=INK,
            )
    else:
        axes.set_yticks(range(len(labels)), labels)
    ticks(axes.xaxis, show)
    axes.set_xlabel(axis)
    if series:
        _legend(drawing, axes, series, small)
    return drawing


def scatter(
    width: float,
    points: Sequence[Point],
    *,
    series: Sequence[str],
    ring: str,
    axes_names: tuple[str, str],
    show: tuple[Show, Show],
) -> Canvas:
    """Chance, on a logarithmic axis with the rarest to the right, against price, each point with its name.

    Names that find no free place are left out; those of ringed points are placed first. `ring` says what a
    ring means.
    """
    small = width <= NARROW
    rings = ring if any(point.marked for point in points) else ""
    top = _legend_height([*series, *([rings] if rings else [])], small)
    drawing, axes = canvas(width, 3.6 + top if small else 4.1 + top, 0.44, top)
    axes.set_xscale("log")
    axes.invert_xaxis()
    axes.grid(True, axis="both")
    for point in points:
        if point.marked:
            axes.plot(
                [point.x],
                [point.y],
                "o",
                markersize=11,
                markerfacecolor="none",
                color=INK,
                markeredgewidth=0.9,
            )
        _mark(axes, point.series, point.x, point.y, point.low, point.high, point.bound, 5.5)
    rarest = min(point.x for point in points)
    most = 6 if small else 10
    axes.xaxis.set_major_locator(LogLocator(numticks=most - 3 if rarest < LONG_LABELS else most))
    axes.xaxis.set_minor_locator(NullLocator())
    lowest, highest = min(point.y for point in points), max(point.y for point in points)
    if lowest > 0:
        # Cheap things are many and dear ones few: a logarithmic axis keeps them apart.
        axes.set_yscale("log")
        axes.set_ylim(lowest * 0.75, highest * 1.3)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5), numticks=20))
        axes.yaxis.set_minor_locator(NullLocator())
    ticks(axes.yaxis, show[1])
    axes.margins(x=0.1)
    ticks(axes.xaxis, show[0])
    axes.set_xlabel(axes_names[0])
    axes.set_ylabel(axes_names[1])
    _legend(drawing, axes, series, small, rings)
    _names(axes, points, 7.5 if small else 8)
    return drawing


def histogram(
    width: float,
    bars: Sequence[tuple[float, float]],
    *,
    step: int,
    mean: tuple[float, str],
    middle: tuple[float, float],
    axis: tuple[str, str],
    show: tuple[Show, Show],
) -> Canvas:
    """A distribution of a whole number: bars, the middle nine tenths in full colour, and a line at the mean.

    Args:
        width: Width in inches.
        bars: Where each bar begins and how high it is.
        step: How many values share a bar.
        mean: The mean and its label.
        middle: The ends of the middle nine tenths.
        axis: What the two axes show.
        show: Print the numbers of the two axes.
    """
    small = width <= NARROW
    drawing, axes = canvas(width, 2.35 if small else 2.6, 0.66)
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")
    for start, height in bars:
        inside = middle[0] <= start + step - 1 and start <= middle[1]
        axes.bar(
            start + (step - 1) / 2,
            height,
            width=step * 0.86,
            color=SERIES[0][0],
            alpha=1.0 if inside else 0.4,
            linewidth=0,
        )
    axes.axvline(mean[0], color=INK, linewidth=0.9, dashes=(4, 3))
    axes.annotate(
        mean[1],
        (mean[0], 1),
        xycoords=("data", "axes fraction"),
        xytext=(4, -2),
        textcoords="offset points",
        va="top",
        fontsize=8.5,
        color=INK,
    )
    axes.margins(x=0.01)
    axes.set_ylim(0, 1.14 * max(height for _, height in bars))
    axes.xaxis.set_major_locator(MaxNLocator(6 if small else 10, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(axis="y", labelcolor=MUTED)
    axes.set_xlabel(axis[0])
    axes.set_ylabel(axis[1])
    ticks(axes.xaxis, show[0])
    ticks(axes.yaxis, show[1])
    return drawing


def _mark(axes: Axes, series: int, x: float, y: float, low: float, high: float, bound: bool, size: float) -> None:
    """A dot with its interval, or an open dot with an arrow towards rarer where only a bound is known."""
    colour = SERIES[series % len(SERIES)][0]
    marker = MARKERS[series % len(MARKERS)]
    if bound:
        axes.plot([x], [y], marker, markersize=size, markerfacecolor=PAPER, color=colour, markeredgewidth=1.1)
        towards = 1 if axes.xaxis_inverted() else -1
        axes.annotate(
            "",
            (x, y),
            xytext=(towards * 13, 0),
            textcoords="offset points",
            arrowprops={"arrowstyle": "<-", "color": colour, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 3},
        )
        return
    axes.plot([low, high], [y, y], color=colour, linewidth=1.5, solid_capstyle="butt")
    axes.plot([x], [y], marker, markersize=size, color=colour, markeredgecolor=PAPER, markeredgewidth=0.5)


def _legend_height(series: Sequence[str], small: bool) -> float:
    """Height in inches that the legend takes."""
    return 0.187 * -(-len(series) // _per_line(series, small)) + 0.06


def _per_line(series: Sequence[str], small: bool) -> int:
    """How many entries of a legend fit side by side: all, or as many columns as the longest allows."""
    room = 50 if small else 100
    if sum(len(name) + 5 for name in series) <= room:
        return len(series)
    return max(1, room // (max(map(len, series)) + 5))


def _legend(drawing: Canvas, axes: Axes, series: Sequence[str], small: bool, ring: str = "") -> None:
    """A legend above the axes, with what a ring means where there are rings."""
    handles = [axes.plot([], [], MARKERS[number % len(MARKERS)], color=SERIES[number % len(SERIES)][0], markersize=5.5)[0] for number in range(len(series))]
    names = [*series, ring] if ring else list(series)
    if ring:
        handles += axes.plot([], [], "o", markersize=9, markerfacecolor="none", color=INK, markeredgewidth=0.9)
    drawing.legend(
        handles,
        names,
        loc="upper left",
        bbox_to_anchor=(0, 1),
        ncols=_per_line(names, small),
        borderaxespad=0,
        borderpad=0.2,
        labelcolor=INK,
    )


def bands(width: float, series: Sequence[tuple[str, Sequence[tuple[float, ...]]]], *, axes_names: tuple[str, str], show: tuple[Show, Show]) -> Canvas:
    """Quantiles over a whole number as nested bands around their median.

    Args:
        width: Width in inches.
        series: Names, and rows of position and five quantiles from the lowest.
        axes_names: Names of the axes.
        show: Print a number of each axis.
    """
    small = width <= NARROW
    names = [name for name, _ in series]
    top = _legend_height(names, small)
    drawing, axes = canvas(width, (2.5 if small else 3.2) + top, 0.55, top)
    for number, (_, rows) in enumerate(series):
        place = [row[0] for row in rows]
        colour = SERIES[number][0]
        for low, high, opacity in ((1, 5, 0.16), (2, 4, 0.28)):
            axes.fill_between(place, [row[low] for row in rows], [row[high] for row in rows], color=colour, alpha=opacity, linewidth=0)
        axes.plot(place, [row[3] for row in rows], color=colour, marker=MARKERS[number], markersize=4.6, linewidth=1.2)
    axes.xaxis.set_major_locator(MaxNLocator(6 if small else 12, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.grid(True, axis="y")
    ticks(axes.xaxis, show[0])
    ticks(axes.yaxis, show[1])
    axes.set_xlabel(axes_names[0])
    axes.set_ylabel(axes_names[1])
    _legend(drawing, axes, names, small)
    return drawing


def _names(axes: Axes, points: Sequence[Point], size: float) -> None:
    """Writes names beside points where there is room for them, away from other points and names."""
    scale = 72 / axes.figure.dpi
    frame = axes.get_window_extent()
    edges = (frame.x0 * scale, frame.x1 * scale, frame.y0 * scale, frame.y1 * scale)
    places = [axes.transData.transform((point.x, point.y)) * scale for point in points]
    taken = [(x - 4.5, x + 4.5, y - 4.5, y + 4.5) for x, y in places]
    for point, (_, y) in zip(points, places, strict=True):
        ends = sorted(axes.transData.transform((end, point.y))[0] * scale for end in (point.low, point.high))
        taken.append((ends[0], ends[1] + (16 if point.bound else 0), y - 1.5, y + 1.5))
    order = sorted(
        range(len(points)),
        key=lambda number: (not points[number].marked, -points[number].y, points[number].x),
    )
    for number in order:
        x, y = places[number]
        wide, high = text_width(points[number].label, size) * 72, size * 1.1
        for dx, dy, align in _OFFSETS:
            left = x + dx - {"left": 0.0, "center": wide / 2, "right": wide}[align]
            box = (left, left + wide, y + dy - high / 2, y + dy + high / 2)
            inside = box[0] > edges[0] and box[1] < edges[1] and box[2] > edges[2] and box[3] < edges[3]
            if inside and not any(_meet(box, other) for other in taken):
                axes.annotate(
                    points[number].label,
                    (points[number].x, points[number].y),
                    xytext=(dx, dy),
                    textcoords="offset points",
                    ha=align,
                    va="center",
                    fontsize=size,
                    color=INK,
                )
                taken.append(box)
                break


_OFFSETS = (
    (8, 0, "left"),
    (-8, 0, "right"),
    (0, 10, "center"),
    (0, -10, "center"),
    (7, 9, "left"),
    (-7, 9, "right"),
    (7, -9, "left"),
    (-7, -9, "right"),
    (21, 0, "left"),
    (-21, 0, "right"),
    (0, 19, "center"),
    (0, -19, "center"),
)
"""Where a name may stand: offset from its point in points, and alignment."""


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two boxes (left, right, bottom, top) overlap."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
