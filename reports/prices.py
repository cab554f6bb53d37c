"""The point table that a reader may change in the page: what stands in it, and what its script needs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final

from experiments.estimates import z_quantile
from experiments.rescoring import rescored
from reports.document import Block, Cell, Paragraph, PriceRow, Prices, Readout, Section
from reports.figures import PER
from reports.texts import Texts
from simcore.schema import MOST_POINTS

Summary = Mapping[str, Any]
DASH: Final = "\u2013"
ANY: Final = "--set ITEM=POINTS"
"""What stands for the changed prices in a command as long as none is changed."""


def prices(found: Summary, texts: Texts) -> Section | None:
    """The section with the table; None for a game whose points are no prices."""
    base = found["rescoring"]
    if not any(column["kind"] == "times" for column in base["columns"]):
        return None
    blocks: list[Block] = [Paragraph(texts("prices.text")), Paragraph(texts("prices.fixed"))]
    locked = [texts.name(item) for item in found["items"] if item["key"] in base["locked"]]
    if locked:
        blocks.append(Paragraph(texts("prices.locked", names=", ".join(locked))))
    if any(abs(item["count"] * item["price"]) != abs(item["points"]) for item in found["items"] if item["price"]):
        blocks.append(Paragraph(texts("prices.times")))
    blocks.append(_table(found, texts))
    return Section("table", texts("prices.title"), blocks)


def _table(found: Summary, texts: Texts) -> Prices:
    base = found["rescoring"]
    worth = rescored(base, {})
    shown = {item for column in base["columns"] for item in column["items"]} | set(base["prices"])
    items = [item for item in found["items"] if item["key"] in shown]
    rows: list[PriceRow] = []
    against, fair = _against(found), _fair(found)
    longest = max((worth["items"][item["key"]]["share"]["value"] for item in items if worth["items"][item["key"]]["share"]), default=0.0)
    for category in found["categories"]:
        members = [item for item in items if item["category"] == category["key"]]
        if members:
            rows.append(_row("category", category, "", worth["categories"][category["key"]], texts))
        for item in members:
            shown_fair = texts.numbers.fixed(fair[item["key"]]) if item["key"] in fair else ""
            rows.append(_row("item", item, shown_fair, worth["items"][item["key"]], texts, item["key"] in against, longest))
    per = texts.numbers.fixed(PER)
    heads = [texts(f"prices.{key}", per=per) for key in ("item", "price", "fair", "often", "points", "per_deal", "share")]
    return Prices(texts("prices.caption"), heads, rows, _readouts(found, worth, texts), _data(found, rows, texts), "\n".join(_commands(found)))


def _row(kind: str, entry: Mapping[str, Any], fair: str, worth: Mapping[str, Any], texts: Texts, against: bool = False, longest: float = 0.0) -> PriceRow:
    numbers = texts.numbers
    per_deal, share = worth["points_per_deal"], worth["share"]
    return PriceRow(
        f"{kind}:{entry['key']}",
        texts.name(entry),
        entry.get("price"),
        fair,
        numbers.value(entry["per_deal"], PER),
        numbers.fixed(worth["points"]),
        Cell(numbers.value(per_deal), numbers.interval(per_deal)) if per_deal else Cell(DASH),
        Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True)) if share else Cell(DASH),
        against,
        None if kind == "category" else share["value"] / longest if share and longest else 0.0,
    )


def _fair(found: Summary) -> dict[str, int]:
    """Fair prices of the items that rarity prices."""
    measured = (found.get("evidence") or {}).get("prices")
    return {item: entry["fair"] for item, entry in measured["items"].items() if entry["band"]} if measured else {}


def _against(found: Summary) -> set[str]:
    """Items that are rarer than something worth more, in hands or in play."""
    return {pair["rarer"] for pairs in found["inversions"].values() for pair in pairs or ()}


def _readouts(found: Summary, worth: Mapping[str, Any], texts: Texts) -> list[Readout]:
    numbers = texts.numbers
    most = max(
        (item for item in found["items"] if (worth["items"].get(item["key"]) or {}).get("share")),
        key=lambda item: worth["items"][item["key"]]["share"]["value"],
        default=None,
    )
    listed = [
        Readout("points", texts("prices.read_points"), numbers.value(worth["points_per_deal"]), numbers.interval(worth["points_per_deal"])),
        Readout("sources", texts("prices.read_sources"), DASH if worth["sources"] is None else numbers.fixed(worth["sources"], 2)),
        Readout(
            "largest",
            texts("prices.read_largest"),
            numbers.value(worth["items"][most["key"]]["share"], percent=True) if most else DASH,
            texts.name(most) if most else "",
        ),
    ]
    base = found["rescoring"]
    packed = base["packed"]
    for key, measure, percent in (("deals", "deals_per_game", False), ("leader", "leader_win_share", True)) if packed else ():
        estimate = packed[measure]
        term = texts(f"prices.read_{key}", games=numbers.fixed(packed["games"]))
        listed.append(Readout(key, term, numbers.value(estimate, percent=percent), numbers.interval(estimate, percent=percent)))
    fair = _fair(found)
    if fair:
        listed.append(Readout("fair", texts("prices.read_fair"), numbers.fixed(found["evidence"]["prices"]["distance"])))
    for kind in ("hands", "play"):
        pairs = found["inversions"][kind]
        if pairs is not None:
            listed.append(Readout(kind, texts(f"prices.read_{kind}"), numbers.fixed(len(pairs))))
    return listed


def _data(found: Summary, rows: list[PriceRow], texts: Texts) -> str:
    """What the script needs, safe inside a page."""
    base = {key: value for key, value in found["rescoring"].items() if key not in ("categories", "packed", "sources")}
    categories, packed = found["rescoring"]["categories"], found["rescoring"]["packed"]
    groups = [
        {"name": row.group, "items": [row.group[5:]] if row.group.startswith("item:") else _members(categories, row.group.partition(":")[2])} for row in rows
    ]
    span = {"least": texts.numbers.fixed(-MOST_POINTS), "most": texts.numbers.fixed(MOST_POINTS)}
    data = {
        "language": texts.language,
        "basis": base,
        "packed": packed and {key: value for key, value in packed.items() if key not in ("deals_per_game", "leader_win_share")},
        "z": z_quantile(found["level"]),
        "most": MOST_POINTS,
        "groups": groups,
        "fair": _fair(found),
        "hands": _in_hands(found),
        "play": _in_play(found),
        "ruleset": found["ruleset"]["canonical"],
        "file": f"{found['ruleset']['game']['key']}-table.toml",
        "commands": dict(zip(("whatif", "run"), _commands(found), strict=True)),
        "any": ANY,
        "words": {
            "unchanged": texts("prices.unchanged"),
            "changed": texts("prices.changed"),
            "copied": texts("prices.copied"),
            "stays": texts("prices.stays", name="{name}", price="{price}", **span),
            "refused": texts("prices.refused", parts="{parts}"),
            "unknown": texts("prices.unknown"),
            "fixed": texts("prices.cannot"),
            "no_price": texts("prices.no_price", **span),
            "items": {item["key"]: texts.name(item) for item in found["items"]},
        },
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _members(categories: Mapping[str, str], category: str) -> list[str]:
    return [item for item, each in categories.items() if each == category]


def _in_hands(found: Summary) -> dict[str, list[float]] | None:
    """Chance of each combination in the largest hands counted, as an interval without width; None where that is not compared."""
    if found["inversions"]["hands"] is None:
        return None
    table = found["hands"]["tables"][-1]["items"]
    return {
        item["key"]: [table[item["key"]]["probability"]] * 2
        for item in found["items"]
        if item["price"] is not None and item["combination"] and (table.get(item["key"]) or {}).get("count")
    }


def _in_play(found: Summary) -> dict[str, list[float]] | None:
    """Interval of the times per deal of each combination that was seen; None where that is not compared."""
    if found["inversions"]["play"] is None:
        return None
    return {
        item["key"]: [item["per_deal"]["low"], item["per_deal"]["high"]]
        for item in found["items"]
        if item["price"] is not None and item["combination"] is not False and item["count"] and item["per_deal"]["low"] is not None
    }


def _commands(found: Summary) -> tuple[str, str]:
    """The commands that confirm a changed table: the same tallies re-scored, and the same games played with it."""
    words = shlex.split(found["run"]["command"])
    if "--ruleset" in words:
        place = words.index("--ruleset")
        del words[place : place + 2]
    file = f"{found['ruleset']['game']['key']}-table.toml"
    return f"simcore whatif RUN {ANY}", shlex.join([*words, "--ruleset", file])
