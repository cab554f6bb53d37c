"""The numbers of a report as tables for other programs: one row a thing, one column a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from simcore.schema import written

Summary = Mapping[str, Any]
FINDING = ("key", "concern", "section", "verdict", "estimate", "reference", "doubt")
"""What all findings have."""


def frames(found: Summary) -> dict[str, pl.DataFrame]:
    """The tables of a summary by name.

    Nested values become columns such as ``per_deal_value``, ``per_deal_low``, ``name_en``; lists that are tables of their own stand in other frames:
    ``roles_of_items``, ``strategies_of_items``, ``hands`` (by number of cards) and ``distributions`` (value and count of each length and of the margin).
    What was played for the report stands in ``first_move``, ``fair_prices``, ``pay_offs``, ``ratings``, ``ladder``, ``restrictions``, ``skill``,
    ``readings`` and ``decides``; a table without rows is left out.
    """
    items = found["items"]
    tables: dict[str, list[dict[str, Any]]] = {
        "items": [_flat(item, without=("roles", "strategies")) for item in items],
        "roles_of_items": [{"item": item["key"], "role": role, **_flat(entry)} for item in items for role, entry in item["roles"].items()],
        "strategies_of_items": [
            {"item": item["key"], "strategy": strategy["name"], **_flat(entry)}
            for item in items
            for strategy, entry in zip(found["strategies"], item["strategies"], strict=True)
        ],
        "categories": [_flat(entry) for entry in found["categories"]],
        "roles": [_flat(entry) for entry in found["roles"]],
        "seats": [_flat(entry) | _flat(led) for entry, led in zip(found["seats"], found["lead"]["seats"], strict=True)],
        "strategies": [_flat(entry, without=("seats",)) for entry in found["strategies"]],
        "leads": [_flat(entry) for entry in found["lead"]["kinds"]],
        "endings": [{"of": of, **_flat(entry)} for of, entries in found["endings"].items() for entry in entries],
        "guards": [_flat(entry) for entry in found["guards"]],
        "inversions": [{"in": kind, **pair} for kind, pairs in found["inversions"].items() for pair in pairs or ()],
        "findings": [_flat({key: entry[key] for key in FINDING}) for entry in found["findings"]],
        "hands": list(_hands(found)),
        "distributions": list(_distributions(found)),
        **_played(found.get("evidence") or {}),
    }
    return {name: frame(rows) for name, rows in tables.items() if rows}


def frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame, the types of columns found from all of them."""
    return pl.DataFrame(rows, infer_schema_length=None)


def write(tables: Mapping[str, pl.DataFrame], folder: Path) -> None:
    """Writes each table as CSV and as Parquet."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.write_csv(folder / f"{name}.csv")
        table.write_parquet(folder / f"{name}.parquet")


def _flat(entry: Mapping[str, Any], without: Iterable[str] = (), before: str = "") -> dict[str, Any]:
    """Nested dictionaries as one, keys joined; lists and what is left out are not in it."""
    found: dict[str, Any] = {}
    for key, value in entry.items():
        if key in without or isinstance(value, list):
            continue
        if isinstance(value, Mapping):
            found |= _flat(value, before=f"{before}{key}_")
        else:
            found[before + key] = value
    return found


def _hands(found: Summary) -> Iterable[dict[str, Any]]:
    """Exact counts of hands, by number of cards and item."""
    for table in found["hands"]["tables"] if found["hands"] else ():
        for item, entry in table["items"].items():
            if entry:
                yield {"cards": table["cards"], "hands": table["hands"], "item": item, "count": entry["count"], "probability": entry["probability"]}


def _distributions(found: Summary) -> Iterable[dict[str, Any]]:
    """How often each value of a length, and of the margin, occurred."""
    spreads = {"deals_per_game": found["length"]["games"], "margin": found["margin"]}
    spreads |= {f"{column}_per_deal": entry for column, entry in found["length"]["deals"].items()}
    for measure, spread in spreads.items():
        for value, count in spread["histogram"]:
            yield {"measure": measure, "value": value, "count": count}


def _played(evidence: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What was played for the report (`experiments.evidence`): one row a number, with its interval and the games that it rests on."""
    tables: dict[str, list[dict[str, Any]]] = {}
    if first := evidence.get("first_move"):
        parts = [(measure, of, estimate) for measure in ("share", "points") for of, estimate in first[measure].items()]
        tables["first_move"] = [{"measure": measure, "of": of, **_flat(estimate)} for measure, of, estimate in parts if estimate]
    if prices := evidence.get("prices"):
        tables["fair_prices"] = [
            {"item": item, "games": prices["games"], **_flat(_band(entry), without=() if entry["win_equity"] else ("win_equity",))}
            for item, entry in prices["items"].items()
        ]
    if meetings := evidence.get("tournament"):
        names, decks = meetings["strategies"], {"decks": meetings["games"]}
        tables["pay_offs"] = [
            {"strategy": name, "against": against, **decks, "win_share": meetings["win_share"][i][j]} | _interval(meetings["interval"][i][j])
            for i, name in enumerate(names)
            for j, against in enumerate(names)
            if i != j
        ]
        ratings = zip(names, meetings["rating"], meetings["rating_interval"], strict=True)
        tables["ratings"] = [{"strategy": name, **decks, "rating": rating} | _interval(interval) for name, rating, interval in ratings]
        tables["ladder"] = [decks | _ends(step, "interval") for step in meetings["ladder"]]
    if restricted := evidence.get("restricted"):
        tables["restrictions"] = [{"decks": restricted["games"]} | _ends(row, "interval") for row in restricted["restrictions"]]
    if skill := evidence.get("skill"):
        tables["skill"] = [_ends(skill, "interval")]
    if readings := evidence.get("readings"):
        tables["readings"] = [
            {"option": each["key"], "value": written(each["value"]), "rule": each["rule"], "games": readings["games"], "changed": each["changed"]}
            | _ends(row, "interval")
            for each in readings["readings"]
            for row in each["measures"]
        ]
    if decides := evidence.get("decides"):
        tables["decides"] = [{"item": item, **_flat(entry)} for item, entry in decides["items"].items()]
    return tables


def _ends(entry: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An entry with the two ends of one of its intervals as ``low`` and ``high``, both None where it has none."""
    return {key: value for key, value in entry.items() if key != name} | _interval(entry[name] or (None, None))


def _band(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A fair price with the ends of its band as ``low`` and ``high``, and the interval of either."""
    low, high = entry["band_interval"] or ((None, None), (None, None))
    return _ends(entry, "band") | {"low_interval": _interval(low), "high_interval": _interval(high)}


def _interval(ends: Sequence[float | None]) -> dict[str, float | None]:
    """The two ends of an interval by name."""
    return {"low": ends[0], "high": ends[1]}
