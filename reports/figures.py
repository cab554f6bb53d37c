"""The figures of a report: each takes the summary and the texts, and returns the drawing with the data in it.

Titles say what the figure shows. A figure without anything to show is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reports import plots
from reports.plots import Dot, Point
from reports.style import Figure, figure
from reports.texts import Texts

Summary = Mapping[str, Any]

PER = 1000
"""Rates are shown per so many deals."""
SHOWN = 0.999
"""Share of a distribution that its histogram shows; the rest is a long thin tail."""
BARS = 48
"""Bars of a histogram at most."""


def rarity_in_hands(found: Summary, texts: Texts) -> Figure | None:
    """Exact chance of each combination in the largest hands counted, against its price."""
    pairs = found["inversions"]["hands"]
    if pairs is None:
        return None
    table = found["hands"]["tables"][-1]
    rarer = {pair["rarer"] for pair in pairs}
    data = [
        {
            "key": item["key"],
            "category": item["category"],
            "chance": table["items"][item["key"]]["probability"],
            "price": item["price"],
            "inverted": item["key"] in rarer,
        }
        for item in found["items"]
        if item["price"] and (table["items"].get(item["key"]) or {}).get("count")
    ]
    kind = "found" if pairs else "none"
    title = texts(f"figures.hands_{kind}", cards=table["cards"], **_starkest(found, texts, pairs))
    points = [
        Point(
            item_name(found, row["key"], texts),
            _category(found, row),
            row["chance"],
            row["chance"],
            row["chance"],
            row["price"],
            row["inverted"],
        )
        for row in data
    ]
    axis = texts("figures.hands_axis", cards=table["cards"])
    return _scatter("rarity-in-hands", title, data, points, axis, found, texts)


def rarity_in_play(found: Summary, texts: Texts) -> Figure | None:
    """Times per deal of each combination in the run, against its price."""
    pairs = found["inversions"]["play"]
    if pairs is None:
        return None
    rarer = {pair["rarer"] for pair in pairs}
    data = [
        {
            "key": item["key"],
            "category": item["category"],
            **_ends(item["per_deal"]),
            "price": item["price"],
            "inverted": item["key"] in rarer,
        }
        for item in found["items"]
        if item["price"] and item["combination"] is not False
    ]
    if not data:
        return None
    points = [
        Point(
            item_name(found, row["key"], texts),
            _category(found, row),
            row["value"],
            row["low"],
            row["high"],
            row["price"],
            row["inverted"],
            row["bound"],
        )
        for row in data
    ]
    title = texts(f"figures.play_{'found' if pairs else 'none'}", **_starkest(found, texts, pairs))
    return _scatter("rarity-in-play", title, data, points, texts("figures.play_axis"), found, texts)


def play_by_role(found: Summary, texts: Texts) -> Figure | None:
    """Times per deal of each item, by role."""
    roles = [role for role in found["roles"] if role["count"]]
    items = [item for item in found["items"] if item["count"] or item["combination"] is not False]
    if not roles:
        return None
    series = {role["key"]: number for number, role in enumerate(roles)}
    data = []
    for row, item in enumerate(items):
        if not item["count"]:
            data.append({"row": row, "key": item["key"], "role": None, **_ends(item["per_deal"])})
        for key, entry in item["roles"].items():
            data.append({"row": row, "key": item["key"], "role": key, **_ends(entry["per_deal"])})
    playable = [item for item in items if item["combination"] is not False]
    most = max(playable or items, key=lambda item: item["per_deal"]["value"])
    title = texts(
        "figures.roles_title",
        item=texts.name(most),
        value=texts.numbers.value(most["per_deal"], PER),
        per=texts.numbers.fixed(PER),
    )
    dots = [
        Dot(
            row["row"],
            series.get(row["role"], 0),
            row["value"] * PER,
            row["low"] * PER,
            row["high"] * PER,
            row["bound"],
        )
        for row in data
    ]
    return figure(
        "play-by-role",
        title,
        texts("figures.roles_alt", title=title),
        data,
        lambda width: plots.dots(
            width,
            [texts.name(item) for item in items],
            dots,
            series=[texts.name(role) for role in roles],
            axis=texts("figures.per_deals_log", per=texts.numbers.fixed(PER)),
            show=texts.numbers.plain,
            log=True,
            rules_after=_breaks(items),
        ),
    )


def play_by_strategy(found: Summary, texts: Texts) -> Figure | None:
    """Times per deal and seat of each combination, by strategy; None with one strategy."""
    strategies = found["strategies"]
    if len(strategies) < 2:
        return None
    items = [item for item in found["items"] if item["count"] and item["combination"] is not False]
    data = [
        {"row": row, "key": item["key"], "strategy": strategy["name"], **_ends(entry["per_deal"])}
        for row, item in enumerate(items)
        for strategy, entry in zip(strategies, item["strategies"], strict=True)
    ]
    dots = [
        Dot(
            row["row"],
            number % len(strategies),
            row["value"] * PER,
            row["low"] * PER,
            row["high"] * PER,
            row["bound"],
        )
        for number, row in enumerate(data)
    ]
    title = _widest(items, strategies, texts)
    return figure(
        "play-by-strategy",
        title,
        texts("figures.strategies_alt", title=title),
        data,
        lambda width: plots.dots(
            width,
            [texts.name(item) for item in items],
            dots,
            series=[strategy["name"] for strategy in strategies],
            axis=texts("figures.per_seat_log", per=texts.numbers.fixed(PER)),
            show=texts.numbers.plain,
            log=True,
            rules_after=_breaks(items),
        ),
    )


def categories(found: Summary, texts: Texts) -> Figure | None:
    """Share of all points by category."""
    rows = [entry for entry in found["categories"] if entry["share"]]
    if not rows:
        return None
    data = [{"key": entry["key"], **entry["share"]} for entry in rows]
    most = max(rows, key=lambda entry: entry["share"]["value"])
    title = texts(
        "figures.categories_title",
        name=texts.name(most),
        value=texts.numbers.value(most["share"], percent=True),
    )
    dots = [_dot(row, entry["share"]) for row, entry in enumerate(rows)]
    return figure(
        "categories",
        title,
        texts(
            "figures.categories_alt",
            title=title,
            rows=_spoken([(texts.name(entry), entry["share"]) for entry in rows], texts),
        ),
        data,
        lambda width: plots.dots(
            width,
            [texts.name(entry) for entry in rows],
            dots,
            axis=texts("figures.share_of_points"),
            show=lambda value: texts.numbers.sign(texts.numbers.plain(value * 100)),
        ),
    )


def wins(found: Summary, texts: Texts) -> Figure:
    """Win share of the first deal's leader and of the others, and of each seat, beside an even share."""
    lead = found["lead"]
    rows: list[tuple[str, str, Mapping[str, Any]]] = [
        ("leader", texts("seats.leader"), lead["leader"]),
        (
            "others",
            texts("seats.others" if len(found["seats"]) == 2 else "seats.others_each"),
            lead["others"],
        ),
    ]
    for seat in found["seats"]:
        rows.append(
            (
                f"seat {seat['seat']}",
                texts("seats.seat", seat=seat["seat"], strategy=seat["strategy"]),
                seat["win_share"],
            )
        )
    data = [{"key": key, **estimate} for key, _, estimate in rows]
    verdict = next(each["verdict"] for each in found["findings"] if each["key"] == "leader")
    title = texts(
        f"figures.wins_{verdict}",
        value=texts.numbers.value(lead["leader"], percent=True),
        even=even_share(lead["even"], texts),
    )
    dots = [_dot(row, estimate) for row, (_, _, estimate) in enumerate(rows)]
    return figure(
        "wins",
        title,
        texts(
            "figures.wins_alt",
            title=title,
            rows=_spoken([(label, estimate) for _, label, estimate in rows], texts),
        ),
        data,
        lambda width: plots.dots(
            width,
            [label for _, label, _ in rows],
            dots,
            axis=texts("figures.win_share"),
            show=lambda value: texts.numbers.sign(texts.numbers.plain(value * 100)),
            reference=(lead["even"], texts("figures.even", value=even_share(lead["even"], texts))),
            rules_after=[1],
        ),
    )


def length(spread: Mapping[str, Any], key: str, name: str, title: str, share_of: str, texts: Texts) -> Figure | None:
    """Distribution of a length; None where it is always the same.

    Args:
        spread: Its entry in the summary.
        key: Key of the figure.
        name: What is measured: the name of the axis.
        title: Title of the figure.
        share_of: What the bars are a share of.
        texts: The texts.
    """
    table = spread["histogram"]
    if len(table) < 2:
        return None
    total = sum(count for _, count in table)
    seen, shown = 0, []
    for value, count in table:
        shown.append((value, count))
        seen += count
        if seen >= SHOWN * total:
            break
    step = max(1, -(-(shown[-1][0] - shown[0][0] + 1) // BARS))
    heights: dict[int, float] = {}
    for value, count in shown:
        start = value // step * step
        heights[start] = heights.get(start, 0.0) + count / total
    middle = (spread["quantiles"][0]["value"]["value"], spread["quantiles"][-1]["value"]["value"])
    mean = texts("figures.mean", value=texts.numbers.value(spread["mean"]))
    return figure(
        key,
        title,
        texts(
            "figures.length_alt",
            title=title,
            name=name,
            low=texts.numbers.fixed(middle[0]),
            high=texts.numbers.fixed(middle[1]),
        ),
        [{"from": start, "to": start + step - 1, "share": share} for start, share in heights.items()],
        lambda width: plots.histogram(
            width,
            list(heights.items()),
            step=step,
            mean=(spread["mean"]["value"], mean),
            middle=middle,
            axis=(name, share_of),
            show=(texts.numbers.plain, lambda value: texts.numbers.sign(texts.numbers.plain(value * 100))),
        ),
    )


def race(found: Summary, texts: Texts) -> Figure | None:
    """Scores of winners and runners-up after each number of deals; None where games have one deal."""
    rows = found["race"]
    if max((row["deal"] for row in rows), default=0) < 2:
        return None
    sides = {who: [(row["deal"], *row["quantiles"]) for row in rows if row["who"] == who] for who in ("winner", "second")}
    middle = next(row for row in sides["winner"] if 2 * row[0] >= sides["winner"][-1][0])
    other = next(row for row in sides["second"] if row[0] == middle[0])
    said = {"deals": texts.deals(middle[0]), "winner": texts.numbers.fixed(middle[3]), "second": texts.numbers.fixed(other[3])}
    title = texts("figures.race_title", **said)
    return figure(
        "race",
        title,
        texts("figures.race_alt", title=title),
        [dict(row) for row in rows],
        lambda width: plots.bands(
            width,
            [(texts(f"figures.race_{who}"), side) for who, side in sides.items()],
            axes_names=(texts("figures.race_deals"), texts("figures.race_score")),
            show=(texts.numbers.plain, texts.numbers.plain),
        ),
    )


def ladder(found: Summary, texts: Texts) -> Figure | None:
    """Share of games in which a seat reached each stage."""
    if found["ladder"] is None:
        return None
    seats = found["ladder"]["stages"]
    data = [{"row": stage - 1, "seat": seat["seat"], "stage": stage, **estimate} for seat in seats for stage, estimate in enumerate(seat["reached"]) if stage]
    if not data:
        return None
    top = max(row["stage"] for row in data)
    title = texts("figures.ladder_title", stage=top)
    names = [texts("seats.seat", seat=seat["seat"], strategy=found["seats"][seat["seat"]]["strategy"]) for seat in seats]
    return figure(
        "ladder",
        title,
        texts("figures.ladder_alt", title=title),
        data,
        lambda width: plots.dots(
            width,
            [texts("figures.stage", stage=stage) for stage in range(1, top + 1)],
            [_dot(row["row"], row, row["seat"]) for row in data],
            series=names,
            axis=texts("figures.reached"),
            show=lambda value: texts.numbers.sign(texts.numbers.plain(value * 100)),
        ),
    )


def _scatter(
    key: str,
    title: str,
    data: list[dict[str, Any]],
    points: Sequence[Point],
    axis: str,
    found: Summary,
    texts: Texts,
) -> Figure | None:
    """A scatter of chance against price with the categories that have points as its series."""
    if not points:
        return None
    used = sorted({point.series for point in points})
    names = [list(found["ruleset"]["categories"].values())[number][texts.language] for number in used]

    def chance(value: float) -> str:
        return texts("figures.one_in", n=texts.numbers.plain(1 / value)) if value < 1 else texts.numbers.plain(value)

    moved = [replace(point, series=used.index(point.series)) for point in points]
    return figure(
        key,
        title,
        texts("figures.rarity_alt", title=title),
        data,
        lambda width: plots.scatter(
            width,
            moved,
            series=names,
            ring=texts("figures.ring"),
            axes_names=(axis, texts("figures.price_axis")),
            show=(chance, texts.numbers.plain),
        ),
    )


def _ends(estimate: Mapping[str, Any]) -> dict[str, Any]:
    """Value and ends of an estimate as drawn on a logarithmic axis: a bound stands at its upper end."""
    bound = estimate["method"] == "never"
    value = estimate["high"] if bound else estimate["value"]
    low = value if estimate["low"] is None else max(estimate["low"], value / 100)
    return {
        "value": value,
        "low": low,
        "high": value if estimate["high"] is None else estimate["high"],
        "bound": bound,
    }


def _dot(row: int, estimate: Mapping[str, Any], series: int = 0) -> Dot:
    """A dot on a linear axis; without an interval the dot stands alone."""
    value = estimate["value"]
    low, high = (value if estimate[end] is None else estimate[end] for end in ("low", "high"))
    return Dot(row, series, value, low, high)


def item_name(found: Summary, key: str, texts: Texts) -> str:
    """Name of an item by its key."""
    return next(texts.name(item) for item in found["items"] if item["key"] == key)


def _category(found: Summary, row: Mapping[str, Any]) -> int:
    """Position of a row's category."""
    return list(found["ruleset"]["categories"]).index(row["category"])


def _breaks(items: Sequence[Mapping[str, Any]]) -> list[int]:
    """Rows after which the category changes."""
    return [row for row, (one, two) in enumerate(zip(items, items[1:], strict=False)) if one["category"] != two["category"]]


def even_share(share: float, texts: Texts) -> str:
    """An even share, with decimals only where it has some."""
    return texts.numbers.percent(share, 0 if (share * 100).is_integer() else 1)


def _starkest(found: Summary, texts: Texts, pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Names for a title about inversions: how many, and the starkest of them."""
    if not pairs:
        return {}
    return {
        "number": len(pairs),
        "rarer": item_name(found, pairs[0]["rarer"], texts),
        "commoner": item_name(found, pairs[0]["commoner"], texts),
    }


def _spoken(rows: Sequence[tuple[str, Mapping[str, Any]]], texts: Texts) -> str:
    """Rows of shares as a sentence."""
    return "; ".join(f"{label} {texts.numbers.both(estimate, percent=True)}" for label, estimate in rows)


def _widest(items: Sequence[Mapping[str, Any]], strategies: Sequence[Mapping[str, Any]], texts: Texts) -> str:
    """Title about the item whose frequency differs most between two strategies, or that none does."""
    best: tuple[float, float, Mapping[str, Any], int, int] | None = None
    for item in items:
        rates = [entry["per_deal"] for entry in item["strategies"]]
        for more, high in enumerate(rates):
            for less, low in enumerate(rates):
                if low["value"] and high["low"] is not None and low["high"] is not None and high["low"] > low["high"]:
                    # Chosen by the least factor that the intervals allow: chance favours the rarest items
                    # otherwise.
                    sure = high["low"] / low["high"]
                    if best is None or sure > best[0]:
                        best = (sure, high["value"] / low["value"], item, more, less)
    if best is None:
        return texts("figures.strategies_same")
    _, factor, item, more, less = best
    return texts(
        "figures.strategies_title",
        more=strategies[more]["name"],
        less=strategies[less]["name"],
        item=texts.name(item),
        factor=texts.times(factor),
    )
