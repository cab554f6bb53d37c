"""The command line: contracts of its JSON, and one clear sentence for every mistake."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from commands.options import UNNAMED
from commands.output import FIRST_RUN
from simcore.game import games

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def say(capsys):
    def call(*words: str, code: int = 0) -> str:
        assert cli.main(list(words)) == code, capsys.readouterr()
        return capsys.readouterr().out

    return call


@pytest.fixture
def refuse(capsys):
    def call(*words: str) -> str:
        before = sorted(Path().rglob("*"))
        code = cli.main(list(words))
        out, err = capsys.readouterr()
        assert code == 2 and out == ""
        if "--measure" in words:  # what can be measured is known when a first game has been played, so on a new machine when its code has been compiled
            err = err.removeprefix(FIRST_RUN + "\n")
        assert err.startswith("simcore: error: ") and err.count("\n") == 1 and "Traceback" not in err
        assert sorted(Path().rglob("*")) == before
        return err

    return call


# ------------------------------------------------------------------ what is printed


def test_alone_it_says_what_can_be_asked(say):
    text = say()
    for name in cli.cli.commands:
        assert f"simcore {name}" in text
    assert "Как редка" in say("--lang", "ru")


def test_questions_name_commands_that_exist():
    for lang in cli.QUESTIONS:
        assert {command.split()[1] for _, command in cli.QUESTIONS[lang]} == set(cli.cli.commands)


def test_games(say):
    assert [entry["key"] for entry in json.loads(say("games", "--json"))["games"]] == list(games())
    assert "Комбинатор" in say("games", "--lang", "ru")


def test_show(say):
    text = say("show", "kombinator")
    for word in ("superblow_in_composite", "K-34", "legendary_optima", "greedy", "Marriage"):
        assert word in text
    assert "\x1b" not in text
    assert "Марьяж" in say("show", "kombinator", "--lang", "ru")
    shown = json.loads(say("show", "kombinator", "--set", "pair=4", "--json"))
    assert shown["canonical"] == "kombinator(pair=4)"
    assert "random" in [entry["name"] for entry in shown["strategies"]]


def test_show_against(say):
    text = say("show", "kombinator", "--set", "pair=4", "--against", "kombinator")
    assert "kombinator(pair=4)" in text and "pair " in text and "triple" not in text
    rows = json.loads(say("show", "kombinator", "--set", "pair=4", "--against", "kombinator", "--json"))
    assert [(row["key"], row["a"], row["b"]) for row in rows["differences"]] == [("pair", 3, 4)]
    assert "are the same" in say("show", "kombinator", "--against", "kombinator")


def test_freq_contract(say):
    found = json.loads(say("freq", "kombinator", "--cards", "4", "--deals", "2000", "--json"))
    assert found["cards"] == 4 and found["hands"] == math.comb(36, 4)
    fours = sum(found["items"][f"{size}_force"]["count"] for size in ("small", "large", "absolute"))
    assert fours == 9
    pair = found["items"]["pair"]
    assert pair["probability"] == pytest.approx(pair["count"] / found["hands"])
    assert sum(count for _, count in found["points"]) == found["hands"]
    assert None in found["items"].values()


def test_freq_of_all_sizes_and_in_play(say):
    found = json.loads(say("freq", "kombinator", "--deals", "500", "--strategy", "greedy", "--games", "5", "--json"))
    assert [entry["cards"] for entry in found["hands_of"]] == [1, 2, 3, 4, 5, 6, 7]
    assert all(entry["in_play"]["strategies"] == ["greedy", "greedy"] for entry in found["hands_of"])
    assert "Пара" in say("freq", "kombinator", "--deals", "500", "--lang", "ru")


def test_freq_fails_where_numbers_disagree(monkeypatch, capsys):
    from experiments import frequencies

    real = frequencies.dealt_hands

    def biased(*arguments):
        rows = real(*arguments)
        rows["hand"] = 0b1111
        return rows

    monkeypatch.setattr(frequencies, "dealt_hands", biased)
    assert cli.main(["freq", "kombinator", "--cards", "4", "--deals", "500", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["simulated"]["agreement"]["disagreements"]
    assert "simcore: disagreement: hands of 4 cards, items." in err


def test_run_contract(say):
    words = ["run", "kombinator", "--games", "3e1", "--strategy", "greedy", "--strategy", "random", "--threads", "1", "--json"]
    text = say(*words)
    found = json.loads(text)
    assert text.count("\n") == 1
    assert set(found) == {"run", "games", "deals", "seconds", "deals_per_second", "points_total", "tallies_hash"}
    assert found["games"] == 30 and len(found["tallies_hash"]) == 16 and int(found["tallies_hash"], 16)
    again = json.loads(say("run", "--resume", found["run"], "--json"))
    assert again["tallies_hash"] == found["tallies_hash"] and again["run"] == found["run"]
    second = json.loads(say(*words))
    assert second["run"] != found["run"] and second["tallies_hash"] == found["tallies_hash"]


def test_a_ruleset_file_is_played_where_a_game_is_named(say):
    Path("mine.toml").write_text('base = "kombinator"\n[points]\npair = 4\n')
    file, text = (json.loads(say("run", rules, "--games", "20", "--json")) for rules in ("mine.toml", "kombinator(pair=4)"))
    assert file["tallies_hash"] == text["tallies_hash"]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_run_report_and_summary(say, lang):
    text = say("run", "kombinator", "--games", "20", "--strategy", "greedy", "--out", "mine", "--lang", lang)
    assert "mine" in text and "greedy" in text
    paths = say("report", "mine", "--lang", lang).split()
    assert paths == ["mine/report.html", "mine/report.md", "mine/report.json", "mine/figures", "mine/data"]
    assert ("Комбинатор" if lang == "ru" else "Kombinator") in Path(paths[0]).read_text("utf-8")
    assert set(json.loads(say("report", "mine", "--out", "there", "--json"))) == {"report.html", "report.md", "report.json", "figures", "data"}


def test_a_canonical_run_command_plays_the_same(say):
    words = ("run", "kombinator", "--games", "10", "--set", "superblow=adds", "--players", "3", "--strategy", "random", "--json")
    first = json.loads(say(*words))
    import shlex

    command = json.loads((Path(first["run"]) / "run.json").read_text("utf-8"))["command"]
    assert json.loads(say(*shlex.split(command)[1:], "--json"))["tallies_hash"] == first["tallies_hash"]


def test_replay(say):
    lines = say("replay", "kombinator", "--game", "4711", "--format", "jsonl").splitlines()
    events = [json.loads(line) for line in lines]
    assert events[0]["event"] == "game" and events[0]["game"] == 4711 and events[-1]["event"] == "game_end"
    both = [json.loads(line) for line in say("replay", "kombinator", "--games", "4711:4713", "--format", "jsonl").splitlines()]
    assert both[: len(events)] == events and [each["game"] for each in both if each["event"] == "game"] == [4711, 4712]
    assert json.loads(say("replay", "kombinator", "--game", "4711", "--json")) == {"game": 4711, "events": events}
    text = say("replay", "kombinator", "--game", "4711")
    assert "♠" in text and "K-" in text and "\x1b" not in text
    say("replay", "kombinator", "--game", "4711", "--out", "game.txt")
    assert Path("game.txt").read_text("utf-8") == text


# ------------------------------------------------------------------ mistakes

NEAREST = {
    ("show", "kombinatr"): "Did you mean 'kombinator'",
    ("shw", "kombinator"): "Did you mean 'show'",
    ("show", "kombinator", "--agains", "x"): "--against",
    ("run", "kombinator", "--set", "supreblow=adds"): "Did you mean 'superblow'",
    ("run", "kombinator", "--set", "pair=many"): "'many'",
    ("run", "kombinator", "--set", "pair"): "pair",
    ("run", "kombinator", "--set", "hand_limit=2"): "hand_size",
    ("run", "kombinator", "--strategy", "greedi"): "Did you mean 'greedy'",
    ("run", "kombinator", "--strategy", "nowhere.py:bot"): "nowhere.py",
    ("run", "kombinator", "--strategy", "greedy", "--strategy", "greedy", "--players", "3"): "3 players",
    ("run", "kombinator", "--players", "10"): "2 to 9 players",
    ("run", "kombinator", "--games", "0"): "from 1 to",
    ("run", "kombinator", "--games", "1.5"): "'1.5'",
    ("run", "kombinator", "--games", "many"): "'many'",
    ("run", "kombinator", "--games", "1e99"): "'1e99' is too large",
    ("run", "kombinator", "--threads", "0"): "threads",
    ("run", "kombinator", "--seed", "-1"): "seed",
    ("run", "kombinator", "--ruleset", "nofile.toml"): "nofile.toml",
    ("run", "kombinator", "--ruleset", "kombinator(pair=4"): "kombinator(pair=4",
    ("run", "--resume", "nowhere"): "nowhere",
    ("run", "--resume", "nowhere", "--seed", "4"): "leave out --seed",
    ("run", "kombinator", "--resume", "nowhere"): "leave out GAME",
    ("run",): "--resume",
    ("run", "kombinator", "--out", "/dev/null/run"): "/dev/null/run",
    ("run", "kombinator", "--lang", "de"): "'de'",
    ("freq", "kombinator", "--cards", "8"): "8",
    ("freq", "kombinator", "--cards", "4", "--deals", "0"): "deals",
    ("freq", "kombinator", "--cards", "4", "--seed", "-1"): "the seed is a whole number",
    ("freq", "kombinator", "--cards", "4", "--strategy", "greedy", "--games", "0"): "games to look at",
    ("report", "nowhere"): "nowhere",
    ("report", "."): "run.json",
    ("extend", "nowhere", "--games", "5"): "nowhere",
    ("merge", "nowhere"): "at least two runs",
    ("verify", "nowhere"): "nowhere",
    ("run", "kombinator", "--precision", "60%"): "between 0 and 0.5",
    ("run", "kombinator", "--precision", "0"): "such as 1%",
    ("run", "kombinator", "--first", "-1"): "the first game",
    ("compare", "kombinator", "nofile.toml"): "nofile.toml",
    ("compare", "kombinator", "kombinator", "--games", "1"): "at least 2 games",
    ("compare", "kombinator", "kombinator", "--measure", "deals_per_gam"): "Did you mean 'deals_per_game'",
    ("compare", "kombinator", "kombinator", "--strategy", "greedy,"): "line-up",
    ("compare", "kombinator", "kombinator", "--games", "1e9", "--out", "nofolder/x.json"): "nofolder/x.json",
    ("whatif", "nowhere"): "--set pair=4",
    ("whatif", "nowhere", "--set", "pair=4", "--games", "5"): "add --confirm, or leave out --games",
    ("tournament", "kombinator", "--strategy", "greedy"): "two different strategies",
    ("tournament", "kombinator", "--field", "greedi"): "Did you mean 'greedy'",
    ("replay", "kombinator", "--games", "5:5"): "0:2000",
    ("replay", "kombinator", "--game", "-1"): "-1",
    ("replay", "kombinator", "--game", "1", "--games", "1:2"): "together",
    ("replay", "kombinator", "--out", "nofolder/game.txt"): "nofolder/game.txt",
}


@pytest.mark.parametrize("words", NEAREST, ids=" ".join)
def test_a_mistake_is_one_sentence_and_leaves_nothing(refuse, words):
    assert NEAREST[words] in refuse(*words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('base = "kombinator"\n[points]\npear = 4\n', ("mine.toml", "line 3", "Did you mean 'pair'")),
        ('base = "kombinator"\n[points\npair = 4\n', ("mine.toml", "line 2")),
        ('base = "kombinator"\n[options]\nhand_size = "four"\n', ("mine.toml", "line 3", "'four'")),
    ],
)
def test_a_ruleset_file_with_a_mistake(refuse, text, expected):
    Path("mine.toml").write_text(text)
    said = refuse("run", "kombinator", "--ruleset", "mine.toml")
    for part in expected:
        assert part in said


def test_a_price_of_the_other_sign_is_noted_once(capsys):
    def noted(*words: str) -> list[str]:
        assert cli.main(list(words)) == 0
        return [line for line in capsys.readouterr().err.splitlines() if line != FIRST_RUN and line not in UNNAMED.values()]

    pays = "a gain has become a loss, so that whoever has it pays: pair=-4 (by default 3), triple=-1 (by default 6)"
    assert noted("run", "kombinator", "--games", "5", "--set", "pair=-4", "--set", "triple=-1", "--set", "dump=0", "--out", "mine")[-1].endswith(pays)
    assert sum("pair=-4" in line for line in noted("compare", "kombinator", "kombinator(jackpot=7)", "--games", "5", "--set", "pair=-4")) == 1
    assert noted("whatif", "mine", "--set", "pair=3") == ["simcore: note: " + pays.replace("pair=-4 (by default 3), ", "")]
    # The lowest total wins here: what is below 0 is good.
    assert noted("show", "seven_card_combo", "--set", "three_pairs=-9") == []
    assert noted("show", "seven_card_combo", "--set", "loose_card=-2", "--lang", "ru")[0].endswith(": loose_card=-2 (обычно 1)")


@pytest.mark.parametrize(
    "words",
    [
        ("run", "kombinator", "--games", "3"),
        ("compare", "kombinator", "kombinator(pair=4)", "--games", "3"),
        ("first-move", "kombinator", "--games", "3"),
        ("plan", "kombinator", "--pilot", "30"),
        ("sensitivity", "kombinator", "--key", "pair", "--games", "3"),
        ("check", "mine.toml", "--games", "200"),
    ],
    ids=" ".join,
)
def test_who_plays_where_nobody_is_named_is_noted_once(capsys, words):
    Path("mine.toml").write_text('base = "kombinator"\n[expect]\ndeals_per_game = { min = 2 }\n')
    for more, lines in (((), 1), (("--strategy", "greedy"), 0)):
        for lang in ("en", "ru"):
            assert cli.main([*words, *more, "--lang", lang]) in (0, 3)
            assert capsys.readouterr().err.splitlines().count(UNNAMED[lang]) == lines


def test_nothing_is_overwritten(refuse):
    Path("full").mkdir()
    Path("full/mine.txt").write_text("precious")
    assert "is not empty" in refuse("run", "kombinator", "--out", "full")
    assert "is there already" in refuse("replay", "kombinator", "--out", "full/mine.txt")
    assert Path("full/mine.txt").read_text() == "precious"


def test_a_corrupted_part_is_named(say, refuse):
    say("run", "kombinator", "--games", "5", "--out", "mine", "--threads", "1")
    part = Path("mine/batches/000000000000/deals.parquet")
    part.write_bytes(b"nothing")
    assert str(part) in refuse("report", "mine")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from simcore import Strategy\nbot = Strategy('x', {'attack': lambda view: True})\n", "defend"),
        (
            "from simcore import Strategy\ndef f(view):\n    return True\nbot = Strategy('x', {'attack': f, 'defend': f})\n",
            "must take (view, rules, params, work, move)",
        ),
        ("def broken(:\n", "line 1"),
    ],
)
def test_a_strategy_file_with_a_mistake(refuse, source, expected):
    Path("bots.py").write_text(source)
    assert expected in refuse("run", "kombinator", "--strategy", "bots.py:bot")


# ------------------------------------------------------------------ as a process


def process(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, str(ROOT / "cli.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)


def test_help_and_import_load_nothing_heavy():
    heavy = "print([name for name in ('numba', 'numpy', 'polars', 'matplotlib', 'scipy', 'rich') if name in sys.modules])"
    assert process(code=f"import sys, simcore; {heavy}").stdout == "[]\n"
    assert process(code=f"import sys, cli; cli.main(['run', '--help']); {heavy}").stdout.endswith("[]\n")


def test_a_mistake_in_a_process():
    done = process("run", "kombinator", "--players", "10")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "simcore: error: kombinator is for 2 to 9 players, got 10\n"


def test_a_reader_that_leaves_early_hears_nothing():
    command = f"'{sys.executable}' '{ROOT / 'cli.py'}' replay kombinator --games 0:200 --format jsonl | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1 and "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


# ------------------------------------------------------------------ runs that grow, join, and are checked


def test_runs_are_extended_merged_and_verified(say):
    play = ("run", "kombinator", "--strategy", "greedy", "--json", "--games")
    whole = json.loads(say(*play, "30", "--out", "whole"))
    say(*play, "10", "--out", "a")
    say(*play, "12", "--first", "10", "--out", "b")
    extended = json.loads(say("extend", "b", "--games", "8", "--json"))
    assert extended["games"] == 20
    merged = json.loads(say("merge", "a", "b", "--out", "merged", "--json"))
    for key in ("games", "deals", "points_total", "tallies_hash"):
        assert merged[key] == whole[key]
    assert json.loads(say("verify", "merged", "--games", "5", "--json"))["different"] == []
    assert "every row is the same" in say("verify", "merged")
    info = json.loads(Path("merged/run.json").read_text())
    Path("merged/run.json").write_text(json.dumps(info | {"seed": 2}))
    assert "не совпали: 0 (" in say("verify", "merged", "--lang", "ru", code=1)


def test_a_run_stops_by_precision(say):
    found = json.loads(say("run", "kombinator", "--strategy", "greedy", "--precision", "3%", "--out", "run", "--json"))
    assert found["stopping"]["reached"] and found["stopping"]["precision"] == 0.03 and found["games"] == found["stopping"]["looks"][-1]
    assert "Stopped by rule" in say("run", "kombinator", "--strategy", "greedy", "--precision", "4%")
    assert "Остановлено на пределе" in say("run", "kombinator", "--precision", "1%", "--games", "1100", "--lang", "ru")
