"""The answer of a comparison on a terminal: what it says first follows from the verdicts, and the table keeps their order."""

from __future__ import annotations

from typing import Any

import simcore
from experiments.compare import Margin, compare
from reports.console import text
from reports.console_compare import comparison
from simcore.game import schema

KOMBINATOR = schema("kombinator")


def row(measure: str, verdict: str, a: float, b: float, needed: int | None = None, kind: str = "points", subject: str = "") -> dict[str, Any]:
    return {
        **{"measure": measure, "kind": kind, "subject": subject, "share": kind.endswith("share"), "a": a, "b": b, "difference": b - a},
        **{"interval": [b - a - 0.002, b - a + 0.002], "verdict": verdict, "games_needed": needed, "seconds_needed": needed and needed / 100},
        **{"margin": None, "narrower": 0.5, "doubt": 0.01},
    }


def told(rows: list[dict[str, Any]], lang: str = "en", **more: Any) -> list[str]:
    found = {
        **{"a": "kombinator", "b": "kombinator(pair=4)", "b_strategies": None, "games": 1000, "looks": None, "players": 2, "seed": 1, "level": 0.95},
        **{"measures": rows, "panel": [{"strategies": ["greedy"], "measures": rows}], "flips": [], "changed": 900},
    }
    return text(comparison(found | more, KOMBINATOR, lang), terminal=False).splitlines()


ROWS = [
    row("deals_per_game", "undecided", 5.0, 5.0, 3000, "games_length"),
    row("points_per_deal", "higher", 10.0, 11.0),
    row("leader_win_share", "lower", 0.56, 0.52, kind="leader_share"),
    row("draw_share", "same", 0.0, 0.0, kind="draws"),
    row("pair_per_deal", "lower", 4.0, 3.9, kind="item_count", subject="pair"),
    row("triple_per_deal", "undecided", 0.1, 0.1, 900_000, "item_count", "triple"),
    row("marriage_per_deal", "lower", 1.0, 0.9, kind="item_count", subject="marriage"),
    row("pair_points_per_deal", "higher", 12.0, 15.0, kind="item_points", subject="pair"),
    row("jackpot_points_per_deal", "undecided", 0.0, 0.0, kind="item_points", subject="jackpot"),
]


def test_the_answer_comes_first_and_the_table_keeps_its_order() -> None:
    lines = told(ROWS)
    assert lines[5] == (
        "Changed for sure: Points per deal 10.000 → 11.000 (+10%); Win share of who leads first 56.0% → 52.0% (-4.0 pp); "
        "Pair: points per deal 12.0000 → 15.0000 (+25%); Marriage: times per deal 1.000 → 0.900 (-10%)."
    )
    assert lines[6] == "The same within the margin for sure: Games without a single winner."
    assert lines[7] == (
        "Undecided: Deals in a game; 1 of the items. "
        "2,000 more games of each (20 s) would probably decide what is not of single items, 899,000 (2 h) everything."
    )
    verdicts = [word for line in lines for word in ("higher", "lower", "the same", "undecided") if f" {word} " in f"{line} " and "[" in line]
    assert verdicts == ["higher", "lower", "lower", "lower", "higher", "the same", "undecided", "undecided"]
    assert any(line.startswith("Точно изменилось: Очков на партию 10.000 → 11.000 (+10%)") for line in told(ROWS, "ru"))


def test_the_answer_says_what_it_cannot_say() -> None:
    several = [row(f"{item}_points_per_deal", "higher", 1.0, 2.0 + place, kind="item_points", subject=item) for place, item in enumerate(KOMBINATOR.points)]
    lines = told([row("margin", "undecided", 5.0, 5.0, kind="margin")])
    assert lines[5:8] == [
        "Changed for sure: nothing.",
        "The same for sure: only a margin can tell; give one, such as simcore compare --margin 1%.",
        "Undecided: Points between the first and the second.",
    ]
    lines = told([each | {"margin": 0.01} for each in several], flips=[{"measure": several[0]["measure"], "verdicts": ["lower", "higher"]}])
    dearest = list(KOMBINATOR.points.values())[-1].name["en"]
    assert lines[5].startswith(f"Changed for sure: {dearest}: points per deal 1.000") and lines[5].endswith(f"; {len(several) - 3} more of the items below.")
    assert lines[6:9] == [
        "The same for sure: nothing is within its margin yet.",
        "Undecided: nothing.",
        "It depends on who plays: 1 verdicts are opposite for some line-ups, see the end.",
    ]


def test_the_answer_of_games_names_what_a_dearer_pair_does() -> None:
    rules = simcore.rules("kombinator")
    found = compare(rules, rules.with_(pair=4), [["greedy"]], 600, margin=Margin(0.01, True))
    answer = " ".join(text(comparison(found, KOMBINATOR, "en"), terminal=False).split("\n\n")[1].splitlines())
    changed = {each["measure"] for each in found["measures"] if each["verdict"] in ("higher", "lower")}
    assert {"deals_per_game", "points_per_deal", "pair_points_per_deal"} <= changed
    said, undecided = answer.partition("Undecided:")[::2]
    assert all(name in said for name in ("Deals in a game", "Points per deal", "Pair: points per deal"))
    assert "Win share of who leads first" in undecided
