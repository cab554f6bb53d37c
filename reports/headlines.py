"""The headline findings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.findings import SURE
from reports.document import Finding, Findings
from reports.figures import even_share, item_name
from reports.texts import Texts

Summary = Mapping[str, Any]


def headlines(found: Summary, texts: Texts) -> Findings:
    """All findings of a summary, each with its number, interval, n, method and how sure it is."""
    games = {key: entry["game"] for entry in reversed((found.get("evidence") or {}).get("games") or ()) for key in entry["findings"]}
    return Findings([_told(entry, found, texts, games.get(entry["key"])) for entry in found["findings"]])


def _told(entry: Mapping[str, Any], found: Summary, texts: Texts, game: int | None) -> Finding:
    number, title, text = _WORDS[entry["key"]](entry, found, texts)
    level, sure = _sure(entry, found, texts)
    concern, mark = entry["concern"], texts(f"concerns.{entry['concern']}")
    return Finding(concern, mark, title, number, text, sure, level, _method(entry, texts), entry["section"], game)


def headline(key: str, found: Summary, texts: Texts) -> str:
    """The title of the first finding with a key."""
    entry = next(each for each in found["findings"] if each["key"] == key)
    title: str = _WORDS[key](entry, found, texts)[1]
    return title


def _method(entry: Mapping[str, Any], texts: Texts) -> str:
    """Level and method of a finding's interval, and n."""
    estimate = entry["estimate"]
    if estimate is None or estimate["method"] == "none":
        return ""
    method = texts(f"methods.{estimate['method']}")
    return texts("methods.said", level=texts.numbers.percent(estimate["level"], 0), method=method, n=texts.numbers.fixed(estimate["n"]))


def _compared(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """The first leader, or the best strategy, against an even share."""
    key, verdict = entry["key"], entry["verdict"]
    even = even_share(entry["reference"], texts)
    said = _estimate(entry, texts, percent=True)
    if verdict != "open" and texts.numbers.touches(entry["estimate"], entry["reference"]):
        said = _estimate(entry, texts, percent=True, more=1)
    said |= {
        "even": even,
        "games": texts.numbers.fixed(found["run"]["games"]),
        "name": entry.get("strategy", ""),
        "n": texts.numbers.fixed(entry["estimate"]["n"]),
    }
    if "cards" in entry:
        said |= {"cards": texts.numbers.both(entry["cards"], percent=True)}
    suffix = "_open" if verdict == "open" else ""
    return (
        said["value"],
        texts(f"findings.{key}_{verdict}", **said),
        texts(f"findings.{key}_text{suffix}", **said),
    )


def _source(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """The category or item that most points come from."""
    entries = found["categories"] if entry["key"] == "most_points_category" else found["items"]
    name = next(texts.name(each) for each in entries if each["key"] == entry["source"])
    said = _estimate(entry, texts, percent=True) | {
        "name": name,
        "games": texts.numbers.fixed(found["run"]["games"]),
    }
    return (
        said["value"],
        texts(f"findings.{entry['key']}", **said),
        texts(f"findings.{entry['key']}_text", **said),
    )


def _length(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """How long games or deals are."""
    said = _estimate(entry, texts) | {
        "low": texts.numbers.fixed(entry["spread"][0]),
        "high": texts.numbers.fixed(entry["spread"][1]),
        "games": texts.numbers.fixed(found["run"]["games"]),
        "deals": texts.deals(found["run"]["deals"]),
    }
    number = said["value"]
    if entry["key"] == "games_length":
        said["value"] = texts.deals(entry["estimate"]["value"], texts.numbers.places(entry["estimate"]))
    else:
        said["name"] = found["length"]["deals"][entry["column"]]["name"][texts.language]
    always = "_always" if entry["estimate"]["low"] is not None and entry["estimate"]["low"] == entry["estimate"]["high"] else ""
    return number, texts(f"findings.{entry['key']}", **said), texts(f"findings.{entry['key']}_text{always}", **said)


def _inversions(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """Pairs of combinations priced against their rarity."""
    said: dict[str, Any] = {
        "number": texts.numbers.fixed(entry["number"]),
        "deals": texts.deals(found["run"]["deals"]),
    }
    if found["hands"]:
        table = found["hands"]["tables"][-1]
        said |= {"cards": table["cards"], "hands": texts.numbers.fixed(table["hands"])}
    pair = entry["pair"]
    if pair:
        prices = {item["key"]: item["price"] for item in found["items"]}
        for end in ("rarer", "commoner"):
            said |= {end: item_name(found, pair[end], texts), f"{end}_price": texts.numbers.fixed(prices[pair[end]])}
        said["factor"] = texts.times(pair["factor"])
    key = f"findings.{entry['key']}_{entry['verdict']}"
    return said["number"], texts(key, **said), texts(f"{key}_text", **said)


def _unseen(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """Combinations that never came up."""
    said = {
        "number": texts.numbers.fixed(len(entry["items"])),
        "names": ", ".join(item_name(found, key, texts) for key in entry["items"]),
        "n": texts.numbers.at_least(entry["estimate"]["high"]),
        "deals": texts.deals(found["run"]["deals"]),
    }
    return said["number"], texts("findings.unseen", **said), texts("findings.unseen_text", **said)


def _guard(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str, str]:
    """A limit that stops what would not end, met or not."""
    guard = next(each for each in found["guards"] if each["key"] == entry["guard"])
    total = found["run"][entry["of"]]
    said = _estimate(entry, texts, percent=True) | {
        "key": entry["guard"],
        "limit": texts.numbers.fixed(guard["limit"]),
        "count": texts.numbers.fixed(entry["count"]),
        "all": texts.deals(total) if entry["of"] == "deals" else texts.numbers.fixed(total),
    }
    if entry["verdict"] == "bound":
        said["n"] = texts.numbers.at_least(entry["estimate"]["high"])
    key = f"findings.guard_{entry['verdict']}_{entry['of']}"
    return said["count"], texts(key, **said), texts(f"{key}_text", **said)


_WORDS = {
    "first_move": _compared,
    "leader": _compared,
    "strategy": _compared,
    "most_points_category": _source,
    "most_points_item": _source,
    "games_length": _length,
    "deals_length": _length,
    "inversions_hands": _inversions,
    "inversions_play": _inversions,
    "unseen": _unseen,
    "guard": _guard,
}


def _estimate(entry: Mapping[str, Any], texts: Texts, *, percent: bool = False, more: int = 0) -> dict[str, Any]:
    """Value and interval of a finding's estimate, printed."""
    estimate = entry["estimate"]
    interval = texts.numbers.interval(estimate, percent=percent, more=more) or "\u2013"
    return {"value": texts.numbers.value(estimate, percent=percent, more=more), "interval": interval}


def _sure(entry: Mapping[str, Any], found: Summary, texts: Texts) -> tuple[str, str]:
    """How sure a finding is: a level (``clear``, ``likely``, ``open``) for its mark, and the words."""
    verdict, estimate = entry["verdict"], entry["estimate"]
    if entry["key"] == "inversions_hands":
        return "clear", texts("sure.exact")
    if entry["key"] == "inversions_play":
        return "likely", texts("sure.apart")
    if verdict == "bound":
        return "clear", texts("sure.bound", level=texts.numbers.percent(estimate["level"], 0))
    if estimate["low"] is None or estimate["high"] is None:
        return "open", texts("sure.single")
    if verdict in ("above", "below"):
        level = "clear" if entry["doubt"] < SURE else "likely"
        return level, texts(f"sure.{level}")
    if verdict == "open":
        return "open", texts("sure.open")
    half = (estimate["high"] - estimate["low"]) / 2
    if not half:
        return "clear", texts("sure.same")
    error = texts.numbers.sign(texts.numbers.significant(100 * half / estimate["value"], 2))
    return "clear", texts("sure.measured", error=error)
