"""The sections of a report, in their order: which numbers, figures and words stand where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports import figures, tables
from reports.document import Block, Code, Document, Facts, Paragraph, Picture, Section
from reports.figures import PER, even_share
from reports.headlines import headlines
from reports.prices import prices
from reports.style import Figure
from reports.texts import Texts

Summary = Mapping[str, Any]


def document(found: Summary, language: str) -> Document:
    """The whole report of a summary in one language.

    Raises:
        ValueError: If there is no such language.
    """
    texts = Texts(language, found["ruleset"]["words"])
    run = found["run"]
    numbers = texts.numbers
    sections = [
        Section("findings", texts("findings.title"), [headlines(found, texts)]),
        _setup(found, texts),
        _hands(found, texts),
        _play(found, texts),
        _points(found, texts),
        *(section for section in [prices(found, texts)] if section),
        _seats(found, texts),
        _length(found, texts),
        _endings(found, texts),
        _guards(found, texts),
        _strategies(found, texts),
        *_ladder(found, texts),
        _method(found, texts),
    ]
    return Document(
        language=language,
        eyebrow=texts("page.eyebrow"),
        title=found["ruleset"]["game"]["name"][language],
        subtitle=texts(
            "page.subtitle",
            games=numbers.fixed(run["games"]),
            deals=texts.deals(run["deals"]),
            strategies=_players(run["strategies"], texts),
        ),
        contents=texts("page.contents"),
        sections=sections,
        footer=texts(
            "page.made",
            version=run["versions"].get("simcore", "\u2013"),
            hash=run.get("tallies_hash") or "\u2013",
        ),
    )


def _setup(found: Summary, texts: Texts) -> Section:
    run, rules, numbers = found["run"], found["ruleset"], texts.numbers
    wanted = run["wanted"]
    games = numbers.fixed(run["games"])
    if wanted and wanted != run["games"]:
        games = texts("setup.unfinished", games=games, wanted=numbers.fixed(wanted))
    changed = tables.differences(found, texts)
    rows = [
        ("game", rules["game"]["name"][texts.language]),
        ("ruleset", texts("setup.changed" if changed else "setup.base_rules", ruleset=rules["canonical"])),
        ("players", str(run["players"])),
        (
            "strategies",
            "; ".join(
                texts("setup.seat_strategy", seat=seat + 1, strategy=strategy)
                for seat, strategy in enumerate(run["strategies"])
            ),
        ),
        ("games", games),
        ("deals", numbers.fixed(run["deals"])),
        ("seed", str(run["seed"])),
    ]
    if run.get("seconds"):
        speed = {
            "seconds": numbers.significant(run["seconds"]),
            "rate": numbers.significant(run["deals"] / run["seconds"], 2),
        }
        rows.append(("speed", texts("setup.speed_text", **speed)))
    if run.get("machine"):
        rows.append(("machine", str(run["machine"])))
    rows.append(("versions", ", ".join(f"{name} {version}" for name, version in run["versions"].items())))
    if run.get("source_hash"):
        rows.append(("source", str(run["source_hash"])))
    if run.get("tallies_hash"):
        rows.append(("tallies", str(run["tallies_hash"])))
    blocks: list[Block] = [Facts([(texts(f"setup.{key}"), text) for key, text in rows])]
    blocks += [Paragraph(texts("setup.repeat")), Code(run["command"])]
    blocks.append(changed or Paragraph(texts("setup.no_differences")))
    readings = tables.open_readings(found, texts)
    if readings:
        blocks.append(readings)
    return Section("setup", texts("setup.title"), blocks)


def _hands(found: Summary, texts: Texts) -> Section:
    if found["hands"] is None:
        return Section("hands", texts("hands.title"), [Paragraph(texts("hands.none"))])
    blocks = [
        Paragraph(texts("hands.text" if len(found["hands"]["sizes"]) > 1 else "hands.text_one", cards=found["hands"]["main"])),
        *_pictures(figures.rarity_in_hands(found, texts)),
        tables.hands(found, texts),
    ]
    return Section("hands", texts("hands.title"), blocks)


def _play(found: Summary, texts: Texts) -> Section:
    said = texts("play.text", per=texts.numbers.fixed(PER), level=texts.numbers.percent(found["level"], 0))
    blocks = [
        Paragraph(said),
        *_pictures(figures.play_by_role(found, texts)),
        tables.play(found, texts),
        *_pictures(figures.rarity_in_play(found, texts)),
    ]
    return Section("play", texts("play.title"), blocks)


def _points(found: Summary, texts: Texts) -> Section:
    if not found["run"]["points_total"]:
        return Section("points", texts("points.title"), [Paragraph(texts("points.none"))])
    blocks = [
        Paragraph(texts("points.text")),
        *_pictures(figures.categories(found, texts)),
        tables.points(found, texts),
        tables.roles(found, texts),
    ]
    return Section("points", texts("points.title"), blocks)


def _seats(found: Summary, texts: Texts) -> Section:
    lead, numbers = found["lead"], texts.numbers
    blocks: list[Block] = [Paragraph(texts("seats.text", even=even_share(lead["even"], texts)))]
    if len(found["strategies"]) > 1:
        blocks.append(Paragraph(texts("seats.differ")))
    blocks += _pictures(figures.wins(found, texts))
    margin = {
        "value": numbers.value(lead["margin"]),
        "interval": numbers.interval(lead["margin"]) or "\u2013",
    }
    blocks += [
        tables.leader(found, texts),
        Paragraph(texts("seats.margin", **margin)),
        tables.seats(found, texts),
    ]
    if lead["kinds"]:
        heads = texts("seats.kinds"), texts("seats.kind"), texts("endings.deals")
        blocks.append(tables.counted(lead["kinds"], *heads, texts))
    return Section("lead", texts("seats.title"), blocks)


def _length(found: Summary, texts: Texts) -> Section:
    numbers = texts.numbers

    def ends(spread: Mapping[str, Any]) -> dict[str, str]:
        row = {each["q"]: numbers.fixed(each["value"]["value"]) for each in spread["quantiles"]}
        return {"low": row[0.05], "high": row[0.95]}

    games = found["length"]["games"]
    drawn = [
        figures.length(
            games,
            "games-length",
            texts("length.games"),
            texts("figures.games_title", **ends(games)),
            texts("figures.share_of_games"),
            texts,
        )
    ]
    for column, spread in found["length"]["deals"].items():
        name = spread["name"][texts.language]
        title = texts("figures.deals_title", name=name, **ends(spread))
        drawn.append(
            figures.length(spread, f"{column}-length", name, title, texts("figures.share_of_deals"), texts)
        )
    blocks: list[Block] = [*_pictures(*drawn), tables.lengths(found, texts)]
    blocks.append(Paragraph(texts("length.text", level=numbers.percent(found["level"], 0))))
    return Section("length", texts("length.title"), blocks)


def _endings(found: Summary, texts: Texts) -> Section:
    head, ends = texts("endings.ending"), found["endings"]
    blocks = [
        tables.counted(ends["deals"], texts("endings.deals_caption"), head, texts("endings.deals"), texts),
        tables.counted(ends["games"], texts("endings.games_caption"), head, texts("endings.games"), texts),
    ]
    return Section("endings", texts("endings.title"), blocks)


def _guards(found: Summary, texts: Texts) -> Section:
    if not found["guards"]:
        return Section("guards", texts("guards.title"), [Paragraph(texts("guards.none"))])
    return Section(
        "guards", texts("guards.title"), [Paragraph(texts("guards.text")), tables.guards(found, texts)]
    )


def _strategies(found: Summary, texts: Texts) -> Section:
    several = len(found["strategies"]) > 1
    said = (
        texts("strategies.text") if several else texts("strategies.one", name=found["strategies"][0]["name"])
    )
    blocks: list[Block] = [Paragraph(said), tables.strategies(found, texts)]
    if several:
        blocks += _pictures(figures.play_by_strategy(found, texts))
    blocks.append(tables.uses(found, texts))
    return Section("strategies", texts("strategies.title"), blocks)


def _ladder(found: Summary, texts: Texts) -> list[Section]:
    if found["ladder"] is None:
        return []
    blocks = [
        Paragraph(texts("ladder.text")),
        *_pictures(figures.ladder(found, texts)),
        tables.ladder(found, texts),
    ]
    return [Section("ladder", texts("ladder.title"), blocks)]


def _method(found: Summary, texts: Texts) -> Section:
    level = texts.numbers.percent(found["level"], 0)
    names = ", ".join(entry["name"] for entry in found["strategies"])
    keys = (
        "strategies",
        "unit",
        "shares",
        "lead",
        "rare",
        "quantiles",
        "intervals",
        "hands",
        "inversions",
        "doubt",
    )
    rows = [
        (texts(f"method.{key}"), texts(f"method.{key}_text", level=level, strategies=names)) for key in keys
    ]
    return Section("method", texts("method.title"), [Facts(rows)])


def _pictures(*drawn: Figure | None) -> list[Block]:
    """Figures as blocks, those with nothing to show left out."""
    return [Picture(each) for each in drawn if each is not None]


def _players(strategies: list[str], texts: Texts) -> str:
    """Who played: "one against another", or all the same."""
    if len(set(strategies)) == 1:
        return texts("page.all", players=len(strategies), strategy=strategies[0])
    return texts("page.versus").join(strategies)
