"""The tables of a report, from the summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.document import Cell, Row, Table
from reports.figures import PER
from reports.texts import Texts

Summary = Mapping[str, Any]
NOTHING = Cell("\u2013")
"""What was not measured, or cannot be."""
PAIRS = 12
"""Pairs against rarity that are listed at most."""


EXPERIENCE = {
    "lead_changes": False,
    "lead_change": False,
    "decisiveness": True,
    "comeback": True,
    "drama": False,
    "killer_deal": True,
    "volatility": False,
    "uncertainty": True,
    "late_uncertainty": True,
    "closeness": False,
}
"""Measures of experience in the order in which they are told, and which of them are shares."""


def differences(found: Summary, texts: Texts) -> Table | None:
    """What the ruleset changes in the game; None where it changes nothing."""
    changed = found["ruleset"]["differences"]
    if not changed:
        return None
    rows = [
        Row(
            [
                Cell(row["key"], row["name"][texts.language] if "name" in row else row["help"][texts.language]),
                Cell(setting(row["value"], texts)),
                Cell(setting(row["default"], texts)),
                Cell(row["rule"]),
            ]
        )
        for row in changed
    ]
    heads = [texts(f"setup.{key}") for key in ("setting", "here", "base", "rule")]
    return Table(texts("setup.differences"), heads, rows, words=(1, 2, 3))


def open_readings(found: Summary, texts: Texts) -> Table | None:
    """The readings chosen where the printed rules leave something open."""
    rows = [
        Row(
            [
                Cell(row["key"], row["help"][texts.language]),
                Cell(setting(row["value"], texts)),
                Cell(row["rule"]),
            ]
        )
        for row in found["ruleset"]["options"]
        if row["open"]
    ]
    heads = [texts(f"setup.{key}") for key in ("setting", "here", "rule")]
    return Table(texts("setup.open"), heads, rows, words=(1, 2)) if rows else None


def hands(found: Summary, texts: Texts) -> Table:
    """How many of all hands hold each combination, by number of cards, exactly."""
    numbers = texts.numbers
    sizes, main = found["hands"]["sizes"], found["hands"]["main"]
    tables = {table["cards"]: table for table in found["hands"]["tables"]}
    rows = []
    for item in found["items"]:
        entries = {size: tables[size]["items"].get(item["key"]) for size in sizes}
        if not any(entries.values()):
            continue
        chance = (entries[main] or {}).get("probability", 0.0)
        cells = [Cell(texts.name(item)), _price(item, texts)]
        cells.append(Cell(numbers.one_in(chance)) if chance else NOTHING)
        for size in sizes:
            entry = entries[size]
            cells.append(Cell(_chance(entry["probability"], texts)) if entry else NOTHING)
        rows.append(Row(cells))
    means = [Cell(numbers.fixed(tables[size]["mean_points"], 2)) for size in sizes]
    rows.append(Row([Cell(texts("hands.mean_points", name=texts.word("hands", "points"))), NOTHING, NOTHING, *means], head=True))
    heads = [texts("hands.combination"), texts("hands.price"), texts("hands.one_in", cards=main)]
    heads += [texts("hands.main" if size == main and len(sizes) > 1 else "hands.cards", cards=size) for size in sizes]
    caption = texts("hands.caption" if len(sizes) > 1 else "hands.caption_one", least=sizes[0], most=sizes[-1])
    return Table(caption, heads, rows, strong=3 + sizes.index(main))


def inversions(found: Summary, kind: str, texts: Texts) -> Table | None:
    """Pairs of which the rarer is worth less, starkest first; None where there are none."""
    pairs = found["inversions"][kind]
    if not pairs:
        return None
    items = {item["key"]: item for item in found["items"]}
    rows = [
        Row(
            [
                Cell(texts.name(items[pair["rarer"]])),
                _price(items[pair["rarer"]], texts),
                Cell(texts.name(items[pair["commoner"]])),
                _price(items[pair["commoner"]], texts),
                Cell(texts.times(pair["factor"])),
            ]
        )
        for pair in pairs[:PAIRS]
    ]
    heads = [texts(f"inversions.{key}") for key in ("rarer", "price", "commoner", "price", "factor")]
    caption = texts("inversions.caption" if len(pairs) <= PAIRS else "inversions.caption_most", number=len(pairs), shown=PAIRS)
    return Table(caption, heads, rows, words=(2,))


def first_move(measured: Mapping[str, Any], texts: Texts) -> Table:
    """Win share and points of who leads as the cards have it, of moving first alone, and of the cards alone."""
    numbers = texts.numbers
    rows = []
    for key in ("natural", "first", "cards"):
        share, points = measured["share"][key], measured["points"][key]
        if share is not None:
            cells = [Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True)), Cell(numbers.value(points), numbers.interval(points))]
            rows.append(Row([Cell(texts(f"first_move.{key}")), *cells]))
    return Table(texts("first_move.caption"), [texts(f"first_move.{key}") for key in ("who", "share", "points")], rows)


def fair(found: Summary, texts: Texts) -> Table | None:
    """Price and fair price of each item, and what one use is worth; None where nothing is known of any."""
    measured = (found.get("evidence") or {}).get("prices")
    if not measured:
        return None
    numbers, rows = texts.numbers, []
    names = ", ".join(entry["name"] for entry in found["strategies"])
    for item in found["items"]:
        entry = measured["items"].get(item["key"])
        if not entry or not (entry["band"] or entry["win_equity"]):
            continue
        band, equity, worth = entry["band"], entry["win_equity"], entry["worth"]
        note = "undecided" if not entry["decided"] else "changed" if entry["fair"] != entry["now"] else ""
        rows.append(
            Row(
                [
                    Cell(texts.name(item)),
                    Cell(numbers.fixed(entry["now"])),
                    Cell(numbers.fixed(entry["fair"]), texts(f"fair.{note}") if note else "") if band else NOTHING,
                    Cell(f"{numbers.fixed(band[0], 1)}\u2013{numbers.fixed(band[1], 1)}") if band else NOTHING,
                    Cell(numbers.value(equity, percent=True), numbers.interval(equity, percent=True)) if equity else NOTHING,
                    NOTHING if worth is None else Cell(numbers.fixed(worth, 1)),
                ]
            )
        )
    heads = [texts(f"fair.{key}") for key in ("item", "now", "fair", "band", "equity", "worth")]
    return Table(texts("fair.caption", games=numbers.fixed(measured["games"]), names=names), heads, rows, strong=2) if rows else None


def play(found: Summary, texts: Texts) -> Table:
    """Times per deal of each item, in all and by role."""
    roles = [role for role in found["roles"] if role["count"]]
    rows = []
    for category, items in _by_category(found):
        if category is not None:
            blanks = len(roles) * [Cell("")]
            rows.append(Row([Cell(texts.name(category)), Cell(""), _rate(category, texts), *blanks], head=True))
        for item in items:
            cells = [Cell(texts.name(item)), _price(item, texts), _rate(item, texts)]
            cells += [_rate(item["roles"][role["key"]], texts) if role["key"] in item["roles"] else NOTHING for role in roles]
            rows.append(Row(cells))
    rows.append(Row([Cell(texts("play.all")), Cell(""), Cell(""), *(_rate(role, texts) for role in roles)], head=True))
    heads = [
        texts("play.item"),
        texts("hands.price"),
        texts("play.total"),
        *(texts.name(role) for role in roles),
    ]
    return Table(texts("play.caption", per=texts.numbers.fixed(PER)), heads, rows)


def points(found: Summary, texts: Texts) -> Table:
    """Where points come from: items within categories, with their shares of all points."""
    numbers = texts.numbers
    longest = max((entry["share"]["value"] for entry in found["items"] if entry["share"]), default=0.0)
    decides = ((found.get("evidence") or {}).get("decides") or {}).get("items")
    rows = []

    def decided(entry: Mapping[str, Any], head: bool) -> list[Cell]:
        share = None if head or decides is None else decides.get(entry["key"])
        cell = Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True)) if share else NOTHING
        return [] if decides is None else [cell]

    def row(entry: Mapping[str, Any], head: bool) -> Row:
        share, per_deal = entry["share"], entry["points_per_deal"]
        bar = None if head or not longest else share["value"] / longest
        return Row(
            [
                Cell(texts.name(entry)),
                Cell("") if head else _price(entry, texts),
                Cell(numbers.fixed(entry["points"])),
                Cell(numbers.value(per_deal), numbers.interval(per_deal)),
                Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True), bar),
                *decided(entry, head),
            ],
            head,
        )

    for category, items in _by_category(found):
        scoring = [item for item in items if item["share"] and (item["price"] or item["points"])]
        if category is not None and category["share"] and scoring:
            rows.append(row(category, True))
            rows += [row(item, False) for item in scoring]
    heads = [texts(f"points.{key}") for key in ("item", "price", "points", "per_deal", "share", *(() if decides is None else ("decides",)))]
    return Table(texts("points.caption"), heads, rows)


def roles(found: Summary, texts: Texts) -> Table:
    """Where points come from, by role."""
    numbers = texts.numbers
    longest = max((role["share"]["value"] for role in found["roles"] if role["share"]), default=0.0)
    rows = [
        Row(
            [
                Cell(texts.name(role)),
                Cell(numbers.fixed(role["points"])),
                Cell(
                    numbers.value(role["share"], percent=True),
                    numbers.interval(role["share"], percent=True),
                    role["share"]["value"] / longest if longest else None,
                ),
            ]
        )
        for role in found["roles"]
        if role["share"] and role["count"]
    ]
    return Table(texts("points.roles"), [texts("points.role"), texts("points.points"), texts("points.share")], rows)


def leader(found: Summary, texts: Texts) -> Table:
    """Win share of the first deal's leader and of the others."""
    numbers, lead = texts.numbers, found["lead"]
    others = "seats.others" if len(found["seats"]) == 2 else "seats.others_each"
    rows = [
        Row(
            [
                Cell(texts(name)),
                Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True)),
            ]
        )
        for name, share in (("seats.leader", lead["leader"]), (others, lead["others"]))
    ]
    return Table(texts("seats.leader_caption"), [texts("seats.who"), texts("seats.win_share")], rows)


def seats(found: Summary, texts: Texts) -> Table:
    """Win share of each seat, in all and where it led the first deal or did not, and its final score."""
    numbers = texts.numbers

    def share(estimate: Mapping[str, Any] | None) -> Cell:
        if estimate is None:
            return NOTHING
        return Cell(numbers.value(estimate, percent=True), numbers.interval(estimate, percent=True))

    rows = [
        Row(
            [
                Cell(texts("seats.number", seat=seat["seat"]), seat["strategy"]),
                share(seat["win_share"]),
                share(led["if_led"]),
                share(led["if_not"]),
                Cell(numbers.value(seat["score"]), numbers.interval(seat["score"])),
            ]
        )
        for seat, led in zip(found["seats"], found["lead"]["seats"], strict=True)
    ]
    heads = [texts(f"seats.{key}") for key in ("seat_head", "win_share", "if_led", "if_not", "score")]
    return Table(texts("seats.caption"), heads, rows)


def lengths(found: Summary, texts: Texts) -> Table:
    """Mean and quantiles of all lengths and of the margin of the win."""
    numbers = texts.numbers
    spreads = [(texts("length.games"), found["length"]["games"])]
    spreads += [(entry["name"][texts.language], entry) for entry in found["length"]["deals"].values()]
    spreads.append((texts("length.margin"), found["margin"]))
    rows = []
    for name, spread in spreads:
        cells = [Cell(name), Cell(numbers.value(spread["mean"]), numbers.interval(spread["mean"]))]
        cells += [Cell(numbers.value(row["value"]), numbers.interval(row["value"])) for row in spread["quantiles"]]
        rows.append(Row([*cells, Cell(numbers.fixed(spread["most"]))]))
    quantiles = [texts("length.quantile", q=numbers.percent(row["q"], 0)) for row in found["margin"]["quantiles"]]
    return Table(
        texts("length.caption"),
        [texts("length.what"), texts("length.mean"), *quantiles, texts("length.most")],
        rows,
    )


def experience(found: Summary, texts: Texts) -> Table:
    """How close games are, how often the lead changes, when they are decided; each measure with what it means in words."""
    numbers = texts.numbers
    rows = []
    for key, percent in EXPERIENCE.items():
        estimate = found["experience"]["measures"][key]
        shown = Cell(numbers.value(estimate, percent=percent), numbers.interval(estimate, percent=percent)) if estimate else NOTHING
        rows.append(Row([Cell(texts(f"experience.{key}"), texts(f"experience.{key}_text")), shown]))
    return Table(texts("experience.caption"), [texts("experience.measure"), texts("experience.value")], rows)


def counted(entries: Sequence[Mapping[str, Any]], caption: str, head: str, of: str, texts: Texts) -> Table:
    """Deals or games by a word of theirs: number and share."""
    numbers = texts.numbers
    rows = [
        Row(
            [
                Cell(texts.name(entry)),
                Cell(numbers.fixed(entry["count"])),
                Cell(
                    numbers.value(entry["share"], percent=True),
                    numbers.interval(entry["share"], percent=True),
                    entry["share"]["value"],
                ),
            ]
        )
        for entry in entries
    ]
    return Table(caption, [head, of, texts("endings.share")], rows)


def lint(found: Mapping[str, Any], texts: Texts) -> Table:
    """What lint finds in the rules, worst first."""
    rows = [
        Row([Cell(texts(f"lint.{each['severity']}"), each["code"]), Cell(each["message"][texts.language]), Cell(", ".join(each["rules"]))])
        for each in found["findings"]
    ]
    heads = [texts(f"lint.{key}") for key in ("severity", "message", "rules")]
    return Table(texts("lint.caption", games=texts.numbers.fixed(found["games"])), heads, rows, words=(1, 2))


def guards(found: Summary, texts: Texts) -> Table:
    """Limits that stop what might go on for ever, and how often each did."""
    numbers = texts.numbers
    rows = []
    for guard in found["guards"]:
        share = guard["share"]
        bounded = share["method"] == "never"
        said = texts("guards.fewer", n=numbers.at_least(share["high"])) if bounded else numbers.value(share, percent=True)
        rows.append(
            Row(
                [
                    Cell(guard["key"], texts.name(guard)),
                    Cell(numbers.fixed(guard["limit"])),
                    Cell(guard["rule"]),
                    Cell(
                        texts(
                            "guards.of",
                            count=numbers.fixed(guard["count"]),
                            all=numbers.fixed(found["run"][guard["of"]]),
                        )
                    ),
                    Cell(said, numbers.interval(share, percent=True)),
                ]
            )
        )
    heads = [texts(f"guards.{key}") for key in ("guard", "limit", "rule", "hit", "share")]
    return Table(texts("guards.caption"), heads, rows, words=(2,))


def strategies(found: Summary, texts: Texts) -> Table:
    """Results of each strategy."""
    numbers = texts.numbers
    rows = []
    for entry in found["strategies"]:
        share, margin = entry["win_share"], entry["margin"]
        rows.append(
            Row(
                [
                    Cell(entry["name"]),
                    Cell(", ".join(str(seat) for seat in entry["seats"])),
                    Cell(numbers.value(share, percent=True), numbers.interval(share, percent=True)) if share else NOTHING,
                    Cell(numbers.value(margin), numbers.interval(margin)) if margin else NOTHING,
                    Cell(numbers.value(entry["score"]), numbers.interval(entry["score"])),
                ]
            )
        )
    heads = [texts(f"strategies.{key}") for key in ("strategy", "seats", "win_share", "margin", "score")]
    return Table(texts("strategies.caption"), heads, rows)


def uses(found: Summary, texts: Texts) -> Table:
    """Times that each strategy used each combination: in all, and per deal and seat."""
    numbers = texts.numbers
    rows = []
    for item in found["items"]:
        if item["combination"] is False:
            continue
        cells = [Cell(texts.name(item))]
        for entry in item["strategies"]:
            cells += [Cell(numbers.fixed(entry["count"])), _rate(entry, texts)]
        rows.append(Row(cells))
    heads = [texts("play.item")]
    for strategy in found["strategies"]:
        heads += [
            texts("strategies.uses", name=strategy["name"]),
            texts("strategies.rate", name=strategy["name"]),
        ]
    return Table(texts("strategies.uses_caption", per=numbers.fixed(PER)), heads, rows)


def ladder(found: Summary, texts: Texts) -> Table:
    """How far each seat climbed, and what it was paid."""
    numbers = texts.numbers
    seats_ = found["ladder"]["stages"]
    rows = [
        Row(
            [
                Cell(texts("figures.stage", stage=stage)),
                *(
                    Cell(
                        numbers.value(seat["reached"][stage], percent=True),
                        numbers.interval(seat["reached"][stage], percent=True),
                    )
                    for seat in seats_
                ),
            ]
        )
        for stage in range(1, len(seats_[0]["reached"]))
    ]
    for key in ("mean", "payout"):
        if any(seat[key] is None for seat in seats_):
            continue
        cells = [Cell(numbers.value(seat[key]), numbers.interval(seat[key])) for seat in seats_]
        rows.append(Row([Cell(texts(f"ladder.{key}")), *cells], head=True))
    names = [texts("seats.seat", seat=seat["seat"], strategy=found["seats"][seat["seat"]]["strategy"]) for seat in seats_]
    return Table(texts("ladder.caption"), [texts("ladder.stage"), *names], rows)


def _by_category(found: Summary) -> list[tuple[Mapping[str, Any] | None, list[Mapping[str, Any]]]]:
    """Items by category in the order of the ruleset, those of none last."""
    groups: list[tuple[Mapping[str, Any] | None, list[Mapping[str, Any]]]] = [
        (category, [item for item in found["items"] if item["category"] == category["key"]]) for category in found["categories"]
    ]
    loose = [item for item in found["items"] if item["category"] is None and item["count"]]
    return [(category, items) for category, items in [*groups, (None, loose)] if items]


def _rate(entry: Mapping[str, Any], texts: Texts) -> Cell:
    estimate = entry["per_deal"]
    return Cell(texts.numbers.value(estimate, PER), texts.numbers.interval(estimate, PER))


def _price(item: Mapping[str, Any], texts: Texts) -> Cell:
    return NOTHING if item["price"] is None else Cell(texts.numbers.fixed(item["price"]))


def _chance(share: float, texts: Texts) -> str:
    """An exact probability as a percentage with two or three digits; a plain 0 where it cannot be."""
    if share == 0:
        return "0"
    return texts.numbers.sign(texts.numbers.significant(share * 100, 3 if share >= 0.01 else 2))


def setting(value: Any, texts: Texts) -> str:
    """A value of an option as a ruleset file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(str(each) for each in value)
    return texts.numbers.fixed(value) if isinstance(value, int) else str(value)
