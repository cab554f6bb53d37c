"""What a summary shows that a reader should know first: findings with their number, and how sure they are.

A finding is a dictionary: ``key`` (which text belongs to it), ``section`` (where the evidence stands),
``concern`` (see `CONCERNS`), ``verdict``, ``estimate`` (or None), ``reference`` (the value that would mean "nothing to see", or None),
``doubt`` (two-sided probability of the number if the reference were the truth, or None), and what else the
text needs. The words are the report's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.estimates import Estimate, doubt

SURE = 0.001
"""Doubt below which a difference is called clear rather than likely."""

CONCERNS = ("bad", "watch", "open", "good", "fact")
"""What a finding means to a designer, worst first: asks for a change, is worth a look, is not decided, is in order, is neither good nor bad."""
UNFAIR, FAIR = 0.05, 0.02
"""A share of wins surely further from an even one than the first is bad; surely nearer than the second is in order."""
LARGE, HUGE = 0.25, 0.5
"""A single source of surely more than these shares of all points is worth a look, or bad."""
STARK = 10.0
"""How many times rarer something cheaper has to be for a pair to be bad."""
STOPPED = 0.01
"""Share of deals or games that a guard stops above which it is bad."""


def inversions(found: Mapping[str, Any]) -> dict[str, list[dict[str, Any]] | None]:
    """Pairs of combinations of which the rarer one is worth less, starkest first.

    ``hands``: by exact probability in the largest hands counted; ``play``: by times per deal, only pairs
    whose intervals do not touch. A combination that scores nothing by itself is left out. Where the lowest
    total wins, fewer points are worth more. None where there are no frequencies, or no two combinations that
    score.
    """
    sign = -1 if found["ruleset"]["lowest_wins"] else 1
    priced = [item for item in found["items"] if item["price"] and item["combination"] is not False]
    play = [
        (
            item["key"],
            sign * item["price"],
            item["per_deal"]["value"],
            item["per_deal"]["low"],
            item["per_deal"]["high"],
        )
        for item in priced
        # What was never seen has no chance to divide by; the finding about unseen items tells of it.
        if item["count"] and item["per_deal"]["low"] is not None
    ]
    in_play = _pairs(play) if len(priced) > 1 else None
    if found["hands"] is None:
        return {"hands": None, "play": in_play}
    table = found["hands"]["tables"][-1]["items"]
    hands = []
    for item in priced:
        entry = table.get(item["key"])
        if entry and entry["count"]:
            hands.append((item["key"], sign * item["price"], *(3 * [entry["probability"]])))
    return {"hands": _pairs(hands) if len(hands) > 1 else None, "play": in_play}


def _pairs(rows: Sequence[tuple[str, int, float, float, float]]) -> list[dict[str, Any]]:
    """Inverted pairs among rows of key, price, chance, and the ends of the chance's interval."""
    pairs = [
        {"rarer": rare[0], "commoner": common[0], "rarer_chance": rare[2], "commoner_chance": common[2], "factor": common[2] / rare[2]}
        for rare in rows
        for common in rows
        if rare[4] < common[3] and rare[1] < common[1]
    ]
    return sorted(pairs, key=lambda pair: -pair["factor"])


def findings(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The headline findings of a summary, worst first (`CONCERNS`)."""
    listed: list[dict[str, Any]] = [
        _compared("leader", "lead", found["lead"]["leader"], found["lead"]["even"]),
        *_guards(found),
        *_inversions(found),
        *_unseen(found),
        *_sources(found),
        *_strategies(found),
        _measured("games_length", "length", found["length"]["games"]["mean"], spread=_middle(found["length"]["games"])),
    ]
    for column, entry in found["length"]["deals"].items():
        listed.append(_measured("deals_length", "length", entry["mean"], spread=_middle(entry), column=column))
    return ranked(listed)


def moving_first(measured: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What moving first is worth apart from the cards, from `evidence.evidence`; nothing where the two cannot be told apart."""
    if measured["share"]["first"] is None:
        return []
    return [_compared("first_move", "lead", measured["share"]["first"], measured["even"], cards=measured["share"]["cards"])]


def ranked(listed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings with what they mean to a designer, worst first."""
    return sorted(({**each, "concern": _concern(each)} for each in listed), key=lambda each: CONCERNS.index(each["concern"]))


def _concern(finding: Mapping[str, Any]) -> str:
    """Which of `CONCERNS` a finding is of."""
    estimate = finding["estimate"]
    match finding["key"]:
        case "leader" | "first_move":
            if estimate["low"] is None:
                return "open"
            least, most = sorted(abs(estimate[end] - finding["reference"]) for end in ("low", "high"))
            if finding["verdict"] == "open":
                return "good" if most < FAIR else "open"
            return "bad" if least > UNFAIR else "good" if most < FAIR else "watch"
        case "strategy":
            return "open" if finding["verdict"] == "open" else "fact"
        case "guard":
            if finding["verdict"] == "bound":
                return "good"
            return "bad" if (estimate["low"] or 0.0) > STOPPED else "watch"
        case "inversions_hands" | "inversions_play":
            if finding["verdict"] == "none":
                return "good"
            return "bad" if finding["pair"]["factor"] > STARK else "watch"
        case "most_points_item":
            least = estimate["low"] or 0.0
            return "bad" if least > HUGE else "watch" if least > LARGE else "good"
        case "unseen":
            return "watch"
        case _:
            return "fact"


def _guards(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Limits that stop what might not end, each met or not."""
    return [
        _measured(
            "guard",
            "guards",
            guard["share"],
            verdict="met" if guard["count"] else "bound",
            guard=guard["key"],
            of=guard["of"],
            count=guard["count"],
        )
        for guard in found["guards"]
    ]


def _inversions(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pairs against rarity, in hands and in play, where they are looked for."""
    return [
        _plain(
            f"inversions_{kind}",
            kind,
            "found" if pairs else "none",
            number=len(pairs),
            pair=pairs[0] if pairs else None,
        )
        for kind, pairs in found["inversions"].items()
        if pairs is not None
    ]


def _unseen(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Combinations that never came up, if there are some."""
    unseen = [item for item in found["items"] if not item["count"] and item["combination"] is not False]
    if not unseen:
        return []
    return [_measured("unseen", "play", unseen[0]["per_deal"], items=[item["key"] for item in unseen], verdict="bound")]


def _strategies(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The strategy with the largest win share, where there is more than one."""
    ranked = [entry for entry in found["strategies"] if entry["win_share"]]
    if not ranked:
        return []
    best = max(ranked, key=lambda entry: entry["win_share"]["value"])
    return [_compared("strategy", "strategies", best["win_share"], found["lead"]["even"], strategy=best["name"])]


def _sources(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The category and the item that most points come from, where there are several."""
    listed = []
    for kind, entries in (("category", found["categories"]), ("item", found["items"])):
        scoring = [entry for entry in entries if entry["points"]]
        if len(scoring) > 1:  # where nothing else scores, that is the game
            most = max(scoring, key=lambda entry: entry["points"])
            listed.append(_measured(f"most_points_{kind}", "points", most["share"], source=most["key"]))
    return listed


def _compared(key: str, section: str, estimate: Mapping[str, Any], reference: float, **more: Any) -> dict[str, Any]:
    """A finding that sets an estimate against a reference: above, below, or open if the interval holds it."""
    measured = Estimate.from_dict(estimate)
    if measured.low is None or measured.high is None or measured.low <= reference <= measured.high:
        verdict = "open"
    else:
        verdict = "above" if measured.value > reference else "below"
    fields = {"estimate": dict(estimate), "reference": reference, "doubt": doubt(measured, reference)}
    return {"key": key, "section": section, "verdict": verdict, **fields, **more}


def _measured(key: str, section: str, estimate: Mapping[str, Any], verdict: str = "measured", **more: Any) -> dict[str, Any]:
    """A finding that only tells an estimate."""
    return _plain(key, section, verdict, **more) | {"estimate": dict(estimate)}


def _plain(key: str, section: str, verdict: str, **more: Any) -> dict[str, Any]:
    """A finding without an estimate: it is counted, not estimated."""
    return {
        "key": key,
        "section": section,
        "verdict": verdict,
        "estimate": None,
        "reference": None,
        "doubt": None,
        **more,
    }


def _middle(spread: Mapping[str, Any]) -> list[float]:
    """Where nine in ten observations lie: the 5 % and the 95 % quantile."""
    by_share = {row["q"]: row["value"]["value"] for row in spread["quantiles"]}
    return [by_share[0.05], by_share[0.95]]
