"""The numbers of a report as tables for other programs: one row a thing, one column a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

Summary = Mapping[str, Any]
FINDING = ("key", "concern", "section", "verdict", "estimate", "reference", "doubt")
"""What all findings have."""


def frames(found: Summary) -> dict[str, pl.DataFrame]:
    """The tables of a summary by name.

    Nested values become columns such as ``per_deal_value``, ``per_deal_low``, ``name_en``; lists that are tables of their own stand in other frames:
    ``roles_of_items``, ``strategies_of_items``, ``hands`` (by number of cards) and ``distributions`` (value and count of each length and of the margin).
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
