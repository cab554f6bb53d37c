"""The page in a browser: nothing is missing, nothing leaves it, the point table in it works and agrees with ``simcore whatif``."""

from __future__ import annotations

import json
import os
import shutil
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from experiments.overview import summarise
from experiments.rescoring import rescored
from experiments.runs import load_run, run, table_of
from experiments.whatif import whatif
from reports.numbers import Numbers
from reports.render import render
from simcore.api import rules
from simcore.simulate import Table

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NUMBERS = {"en": Numbers("en"), "ru": Numbers("ru")}
LONG = 10.0
"""Seconds to wait for something in the page before it counts as missing."""

pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER) and not os.environ.get("CI"),
    reason="no browser: these tests need the Debian packages chromium and chromium-driver",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report in each language of a run of each of three games."""
    folder = tmp_path_factory.mktemp("page")
    for game, strategies, language in (
        ("kombinator", ("greedy", "counter"), "en"),
        ("gin_rummy", ("greedy", "random"), "ru"),
        ("seven_card_combo", ("greedy", "random"), "en"),
    ):
        done = run(Table(rules(game), strategies, None, 3), 1_000, folder / game)
        render(summarise(done), language, folder / game)
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1000", "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    downloads = tmp_path_factory.mktemp("downloads")
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    driver.downloads = downloads
    yield driver
    driver.quit()


def opened(browser: Any, folder: Path, game: str, fragment: str = "") -> Any:
    """Opens a report from nothing, and waits until its packed games are unpacked."""
    browser.get("about:blank")
    browser.get((folder / game / "report.html").as_uri() + fragment)
    wait(lambda: browser.execute_script("return document.querySelector('.prices')?.dataset.ready"))
    return browser


def wait(condition: Any) -> Any:
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("nothing came of it in time")


def find(browser: Any, css: str) -> Any:
    return browser.find_element("css selector", css)


def readout(browser: Any, key: str) -> tuple[str, str]:
    place = find(browser, f'[data-readout="{key}"]')
    return place.find_element("css selector", ".value").text, place.find_element("css selector", "small").text


def price(browser: Any, item: str) -> Any:
    return find(browser, f'[data-price="{item}"]')


def type_in(browser: Any, item: str, text: str) -> None:
    from selenium.webdriver.common.keys import Keys

    price(browser, item).send_keys(Keys.CONTROL, "a")
    price(browser, item).send_keys(text)


def rows(browser: Any) -> dict[str, list[str]]:
    return dict(
        browser.execute_script(
            "return [...document.querySelectorAll('[data-row]')].map(row =>"
            " [row.dataset.row, [...row.querySelectorAll('[data-cell]')].map(cell => cell.innerText.replace(/\\s*\\n\\s*/g, '|').trim())])"
        )
    )


# ---------------------------------------------------------------- the page as a whole


@pytest.mark.parametrize("game", ["kombinator", "gin_rummy", "seven_card_combo"])
def test_json_keeps_to_the_published_schema(folder: Path, game: str) -> None:
    schema = json.loads((Path(__file__).parent.parent / "docs" / "report.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads((folder / game / "report.json").read_text("utf-8")), schema)


@pytest.mark.parametrize("game", ["kombinator", "gin_rummy", "seven_card_combo"])
def test_no_error_and_no_request(browser: Any, folder: Path, game: str) -> None:
    browser.get_log("performance")
    opened(browser, folder, game)
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        message["params"]["request"]["url"].partition("#")[0]
        for message in messages
        if message["method"] == "Network.requestWillBeSent" and not message["params"]["request"]["url"].startswith(("data:", "blob:"))
    }
    assert asked == {(folder / game / "report.html").as_uri()}


@pytest.mark.parametrize("game", ["kombinator", "gin_rummy", "seven_card_combo"])
def test_the_script_prints_what_the_report_prints(browser: Any, folder: Path, game: str) -> None:
    """The numbers in the file are Python's; those on the screen are the script's, worked out anew."""
    page = opened(browser, folder, game)
    keys = page.execute_script("return [...document.querySelectorAll('[data-readout]')].map(each => each.dataset.readout)")
    assert {"points", "sources", "largest", "deals", "leader"} <= set(keys)
    shown = rows(page), {key: readout(page, key) for key in keys}
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page.get("about:blank")
    page.get((folder / game / "report.html").as_uri())
    try:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert rows(page) == shown[0]
        assert {key: readout(page, key) for key in keys} == shown[1]
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("width", [360, 1300])
@pytest.mark.parametrize("game", ["kombinator", "gin_rummy"])
def test_nothing_sticks_out(browser: Any, folder: Path, game: str, width: int) -> None:
    page = opened(browser, folder, game)
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        kind = "narrow" if width < 500 else "wide"
        assert find(page, f"figure .{kind}").is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["kombinator", "gin_rummy", "seven_card_combo"])
def test_nothing_stands_in_the_way(browser: Any, folder: Path, game: str, scheme: str) -> None:
    """axe-core's rules of accessibility, all that can be checked by machine."""
    page = browser
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    opened(page, folder, game)
    page.set_script_timeout(60)
    page.execute_script((Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8"))
    found = page.execute_async_script("const done = arguments[0]; axe.run(document).then(done, error => done({ violations: [String(error)] }))")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert found["violations"] == [] and len(found["passes"]) > 20


def test_dark_and_print(browser: Any, folder: Path) -> None:
    page = opened(browser, folder, "kombinator")
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page.execute_script(paper)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    dark = page.execute_script(paper)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    printed, tools = page.execute_script(paper), find(page, "#prices-tools").is_displayed()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert (light, dark, printed) == ("rgb(254, 254, 254)", "rgb(20, 23, 26)", "rgb(255, 255, 255)")
    assert not tools
    assert len(page.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 50_000


# ---------------------------------------------------------------- the point table

TABLES: list[tuple[str, dict[str, int]]] = [
    ("kombinator", {"pair": 12}),
    ("kombinator", {"pair": 2, "jackpot": 60, "dump": 1, "small_queue": 0}),
    ("kombinator", {"court_card": -1, "marriage": 9}),
    ("gin_rummy", {"gin_bonus": 40, "game_bonus": 50}),
    ("gin_rummy", {"undercut_bonus": 90, "box_bonus": 0}),
    ("seven_card_combo", {"three_pairs": -5}),
    ("seven_card_combo", {"loose_card": 3, "full_house": 0}),
]


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_what_the_page_shows_is_what_whatif_says(browser: Any, folder: Path, game: str, table: dict[str, int]) -> None:
    done = load_run(folder / game)
    told = whatif(done.folder, tuple(f"{item}={value}" for item, value in table.items()))
    page = opened(browser, folder, game, "#prices=" + ",".join(f"{item}:{value}" for item, value in table.items()))
    numbers = NUMBERS[find(page, "html").get_attribute("lang")]
    again = told["replayed"]
    for key, estimate, percent in (("deals", again["deals_per_game"]["after"], False), ("leader", again["leader_win_share"]["after"], True)):
        assert readout(page, key) == (numbers.value(estimate, percent=percent), numbers.interval(estimate, percent=percent))
    shown = rows(page)
    for item, entry in told["items"].items():
        assert shown[f"item:{item}"][0] == numbers.fixed(entry["points"])
    assert shown != rows(opened(browser, folder, game))
    # The rest of the page's numbers follow from the sums in it, as Python works them out.
    found = summarise(done)["rescoring"]
    worth = rescored(found, table)
    assert worth["points"] == told["points_total"]
    for name, cells in shown.items():
        kind, _, key = name.partition(":")
        entry = worth["items" if kind == "item" else "categories"][key]
        assert cells[0] == numbers.fixed(entry["points"])
        for cell, (field, percent) in zip(cells[1:], (("points_per_deal", False), ("share", True)), strict=True):
            value, interval = numbers.value(entry[field], percent=percent), numbers.interval(entry[field], percent=percent)
            assert cell == (f"{value}|{interval}" if interval else value)
    page = opened(browser, folder, game, "#prices=" + ",".join(f"{item}:{value}" for item, value in table.items()))
    assert readout(page, "points")[0] == numbers.value(worth["points_per_deal"])
    assert readout(page, "sources")[0] == numbers.fixed(worth["sources"], 2)


def test_type_undo_reset(browser: Any, folder: Path) -> None:
    page = opened(browser, folder, "kombinator")
    before = rows(page)
    undo, reset = find(page, "#prices-undo"), find(page, "#prices-reset")
    assert not undo.is_enabled() and not reset.is_enabled()
    type_in(page, "pair", "12")
    twelve = rows(page)
    assert twelve["item:pair"] != before["item:pair"] and twelve["item:triple"][1] == before["item:triple"][1]
    assert find(page, "#prices-state").text == "Changed: pair=12" and page.current_url.endswith("#prices=pair:12")
    type_in(page, "triple", "7")
    undo.click()
    assert rows(page) == twelve and price(page, "triple").get_attribute("value") == "6"
    undo.click()
    assert rows(page) == before and not undo.is_enabled(), "the digits of one number are one step"
    type_in(page, "pair", "0")
    type_in(page, "jackpot", "-4")
    reset.click()
    assert rows(page) == before and page.current_url.endswith("#table")
    undo.click()
    assert price(page, "jackpot").get_attribute("value") == "-4"
    reset.click()


def refused(browser: Any) -> str:
    return str(find(browser, "#prices-refused").text)


def test_what_is_no_price_changes_nothing_and_is_said(browser: Any, folder: Path) -> None:
    page = opened(browser, folder, "kombinator")
    before = rows(page)
    assert refused(page) == ""
    for text, taken in (("1.5", 1), ("1000000", 100_000), ("-", 3)):
        type_in(page, "pair", text)
        assert price(page, "pair").get_attribute("aria-invalid") == "true", text
        assert (refused(page) != "") is (text != "-"), "a lone minus may be half a price"
        page.execute_script("document.activeElement.blur()")
        assert price(page, "pair").get_attribute("value") == str(taken), text
        assert refused(page) == f"Pair stays at {taken:,}: a price is a whole number from \u2212100,000 to 100,000."
        if find(page, "#prices-reset").is_enabled():
            find(page, "#prices-reset").click()
            assert refused(page) == ""
    assert rows(page) == before
    type_in(page, "pair", "4")
    assert refused(page) == ""


def test_a_link_opens_the_same_table(browser: Any, folder: Path) -> None:
    page = opened(browser, folder, "kombinator")
    type_in(page, "pair", "5")
    link = find(page, "#prices-link").get_attribute("value")
    shown = rows(page)
    page = opened(browser, folder, "kombinator", "#" + link.partition("#")[2])
    assert rows(page) == shown and price(page, "pair").get_attribute("value") == "5"
    assert refused(page) == ""
    # What a link should not have is left out, and said.
    page = opened(browser, folder, "kombinator", "#prices=pair:5,nonsense:3,triple:x,jackpot:1e9")
    assert rows(page) == shown
    number = "no whole number from \u2212100,000 to 100,000"
    assert refused(page) == f"Not taken from the link: nonsense:3 (not in this table); triple:x ({number}); jackpot:1e9 ({number})."
    page = opened(browser, folder, "gin_rummy", "#prices=%zz,gin_bonus:40," + ",".join(f"no{place}:1" for place in range(9)))
    assert refused(page).startswith("Из ссылки не взято: %zz (в этой таблице такого нет); no0:1 (") and refused(page).endswith("; \u2026.")
    assert price(page, "gin_bonus").get_attribute("value") == "40"


def test_the_downloaded_file_is_a_ruleset(browser: Any, folder: Path) -> None:
    page = opened(browser, folder, "kombinator", "#prices=pair:5,dump:-2")
    file = Path(page.downloads) / "kombinator-table.toml"
    find(page, "#prices-download").click()
    wait(file.exists)
    assert tomllib.loads(file.read_text("utf-8")) == {"base": "kombinator", "points": {"pair": 5, "dump": -2}}
    chosen = rules(str(file))
    assert chosen.points["pair"] == 5 and chosen.points["dump"] == -2
    commands = find(page, "#prices-commands").text.splitlines()
    assert commands[0].endswith("--set pair=5 --set dump=-2") and "--ruleset kombinator-table.toml" in commands[1]
    assert table_of(load_run(folder / "kombinator").info | {"ruleset": chosen.canonical}).players == 2


def test_the_keyboard_is_enough(browser: Any, folder: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(browser, folder, "kombinator")
    page.execute_script("document.getElementById('prices-undo').focus()")
    find(page, "#prices-copy").send_keys(Keys.TAB)
    seen = []
    for _ in range(6):
        active = page.switch_to.active_element
        seen.append(active.get_attribute("data-price") or active.get_attribute("id") or active.get_attribute("class"))
        active.send_keys(Keys.TAB)
    assert seen[:2] == ["prices-download", "prices-link"] and "pair" in seen and "triple" in seen
    active = price(page, "pair")
    active.send_keys(Keys.ARROW_UP)
    assert active.get_attribute("value") == "4" and "pair=4" in find(page, "#prices-state").text
