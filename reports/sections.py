"""The sections of a report, in their order: which numbers, figures and words stand where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports import figures, tables
from reports.document import Block, Code, Document, Facts, Paragraph, Picture, Section, Story
from reports.figures import PER, even_share
from reports.headlines import headline, headlines
from reports.prices import prices
from reports.readings import readings
from reports.strength import strength, until
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
        Section("findings", texts("findings.title"), [Paragraph(texts("findings.text")), headlines(found, texts)]),
        _setup(found, texts),
        _hands(found, texts),
        _play(found, texts),
        _lead(found, texts),
        _points(found, texts),
        *(section for section in [prices(found, texts)] if section),
        _experience(found, texts),
        _strategies(found, texts),
        *_ladder(found, texts),
        _rules(found, texts),
        _games(found, texts),
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
            "; ".join(texts("setup.seat_strategy", seat=seat, strategy=strategy) for seat, strategy in enumerate(run["strategies"])),
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
    return Section("setup", texts("setup.title"), blocks)


def _hands(found: Summary, texts: Texts) -> Section:
    if found["hands"] is None:
        return Section("hands", texts("hands.title"), [Paragraph(texts("hands.none"))])
    blocks = [
        Paragraph(texts("hands.text" if len(found["hands"]["sizes"]) > 1 else "hands.text_one", cards=found["hands"]["main"])),
        *_pictures(figures.rarity_in_hands(found, texts)),
        *_some(tables.inversions(found, "hands", texts)),
        tables.hands(found, texts),
    ]
    return Section("hands", texts("hands.title"), blocks)


def _play(found: Summary, texts: Texts) -> Section:
    said = texts("play.text", per=texts.numbers.fixed(PER), level=texts.numbers.percent(found["level"], 0))
    blocks: list[Block] = [
        Paragraph(said),
        *_pictures(figures.play_by_role(found, texts)),
        tables.play(found, texts),
        *_pictures(figures.rarity_in_play(found, texts)),
        *_some(tables.inversions(found, "play", texts)),
    ]
    fair = tables.fair(found, texts)
    if fair:
        blocks += [fair, Paragraph(texts("fair.text", game=found["ruleset"]["game"]["key"]))]
    return Section("play", texts("play.title"), blocks)


def _points(found: Summary, texts: Texts) -> Section:
    if not found["run"]["points_total"]:
        return Section("points", texts("points.title"), [Paragraph(texts("points.none"))])
    sources = found["rescoring"]["sources"]
    blocks: list[Block] = [
        Paragraph(texts("points.text")),
        Paragraph(texts("points.sources", sources=texts.numbers.fixed(sources, 2))),
        *_pictures(figures.categories(found, texts)),
        tables.points(found, texts),
        tables.roles(found, texts),
    ]
    decides = (found.get("evidence") or {}).get("decides")
    if decides:
        blocks.insert(-1, Paragraph(texts("points.decides_text", games=texts.numbers.fixed(decides["games"]))))
    return Section("points", texts("points.title"), blocks)


def _lead(found: Summary, texts: Texts) -> Section:
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
    measured = (found.get("evidence") or {}).get("first_move")
    if measured:
        blocks += [
            Paragraph(texts("first_move.text" if measured["swapped"] else "first_move.text_natural", games=numbers.fixed(measured["games"]))),
            tables.first_move(measured, texts),
            Paragraph(_compensation(measured, texts)),
        ]
    if lead["kinds"]:
        heads = texts("seats.kinds"), texts("seats.kind"), texts("endings.deals")
        blocks.append(tables.counted(lead["kinds"], *heads, texts))
    return Section("lead", texts("seats.title"), blocks)


def _compensation(measured: Mapping[str, Any], texts: Texts) -> str:
    """What makes up for moving first; where that may be nothing, no number, which chance alone would have found."""
    points = measured["compensation"]
    said = {key: texts.numbers.fixed(each, 0 if each.is_integer() else 1) for key, each in points.items()}
    interval = "" if points["low"] == points["high"] else texts("first_move.interval", **said)
    needed = not points["low"] <= 0 <= points["high"]
    key = ("compensation" if measured["swapped"] else "compensation_natural") if needed else "no_compensation"
    return texts(f"first_move.{key}", value=said["value"], interval=interval)


def _experience(found: Summary, texts: Texts) -> Section:
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
        drawn.append(figures.length(spread, f"{column}-length", name, title, texts("figures.share_of_deals"), texts))
    blocks: list[Block] = [*_pictures(*drawn, figures.race(found, texts)), tables.lengths(found, texts)]
    blocks.append(Paragraph(texts("length.text", level=numbers.percent(found["level"], 0))))
    if found["experience"] is not None:
        said = texts("experience.text", games=numbers.fixed(found["experience"]["games"]))
        blocks += [Paragraph(said), tables.experience(found, texts)]
    blocks += until(found, texts)
    blocks += [
        tables.counted(found["endings"][of], texts(f"endings.{of}_caption"), texts("endings.ending"), texts(f"endings.{of}"), texts)
        for of in ("deals", "games")
    ]
    return Section("length", texts("length.title"), blocks)


def _rules(found: Summary, texts: Texts) -> Section:
    guards = [Paragraph(texts("guards.text")), tables.guards(found, texts)] if found["guards"] else [Paragraph(texts("guards.none"))]
    blocks: list[Block] = [*guards, *_some(tables.open_readings(found, texts))]
    measured = (found.get("evidence") or {}).get("readings")
    if measured:
        level = texts.numbers.percent(measured["level"], 0)
        blocks += [*readings(measured, found, texts), Paragraph(texts("readings.text", level=level))]
    found_by_lint = (found.get("evidence") or {}).get("lint")
    if found_by_lint:
        blocks.insert(0, tables.lint(found_by_lint, texts) if found_by_lint["findings"] else Paragraph(texts("lint.none")))
    return Section("guards", texts("guards.title"), blocks)


def _games(found: Summary, texts: Texts) -> Section:
    told = (found.get("evidence") or {}).get("games")
    if not told:
        return Section("games", texts("games.title"), [Paragraph(texts("games.none"))])
    blocks: list[Block] = [Paragraph(texts("games.text"))]
    for entry in told:
        title = texts("games.caption", game=entry["game"], shows="; ".join(headline(key, found, texts) for key in entry["findings"]))
        more = texts("games.more", lines=texts.numbers.fixed(entry["left_out"])) if entry["left_out"] else ""
        blocks.append(Story(entry["game"], title, entry["command"], entry["text"][texts.language], more))
    return Section("games", texts("games.title"), blocks)


def _strategies(found: Summary, texts: Texts) -> Section:
    several = len(found["strategies"]) > 1
    said = texts("strategies.text") if several else texts("strategies.one", name=found["strategies"][0]["name"])
    blocks: list[Block] = [Paragraph(said), tables.strategies(found, texts), *strength(found, texts)]
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
        "table",
        "games",
        "concerns",
    )
    rows = [(texts(f"method.{key}"), texts(f"method.{key}_text", level=level, strategies=names)) for key in keys]
    return Section("method", texts("method.title"), [Facts([*rows, *_stopping(found, texts)])])


def _stopping(found: Summary, texts: Texts) -> list[tuple[str, str]]:
    """By which rule the run was stopped, if by one."""
    rule = found["run"].get("stopping")
    if not rule:
        return []
    said = texts("method.stopping_text", precision=texts.numbers.percent(rule["precision"], 2), looks=texts.numbers.fixed(len(rule["looks"])))
    return [(texts("method.stopping"), said)]


def _some(block: Block | None) -> list[Block]:
    """A block, or none."""
    return [] if block is None else [block]


def _pictures(*drawn: Figure | None) -> list[Block]:
    """Figures as blocks, those with nothing to show left out."""
    return [Picture(each) for each in drawn if each is not None]


def _players(strategies: list[str], texts: Texts) -> str:
    """Who played: "one against another", or all the same."""
    if len(set(strategies)) == 1:
        return texts("page.all", players=len(strategies), strategy=strategies[0])
    return texts("page.versus").join(strategies)
