"""Experiment files: every question answered, mistakes named with their line, stopped experiments that go on, ready files for every game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cli
import simcore
from experiments import laboratory, runs
from experiments.compare import compare
from experiments.experiment_file import find, library, read_experiment
from experiments.first_move import first_move
from experiments.tournament import tournament
from simcore.errors import InputError
from simcore.game import games
from simcore.simulate import Table

HEAD = """[experiment]
game = "kombinator"
seed = 3
title = { en = "A test", ru = "Проверка" }
"""
ALL = (
    HEAD
    + """
[[run]]
name = "records"
ruleset = "dear.toml"
strategies = ["greedy", "random"]
games = 40

[[run]]
name = "many"
strategies = ["random"]
players = [2, 3]
games = 10

[[run]]
name = "precise"
strategies = ["greedy"]
precision = "4%"
games = 1200

[[compare]]
name = "pairs"
a = "kombinator"
b = "kombinator(pair=4)"
panel = ["greedy", ["greedy", "random"]]
games = 30
margin = "5%"
measures = ["*_win_share", "margin"]

[[tournament]]
name = "meeting"
strategies = ["greedy", "random"]
games = 20

[[restricted]]
name = "forbidden"
strategies = ["greedy"]
games = 20

[[first_move]]
name = "lead"
panel = ["greedy"]
games = 20
"""
)


@pytest.fixture
def file(tmp_path) -> Path:
    (tmp_path / "dear.toml").write_text('base = "kombinator"\n[points]\npair = 9\n')
    path = tmp_path / "all.toml"
    path.write_text(ALL)
    return path


def test_every_question_is_answered_as_by_its_own_function(file, tmp_path) -> None:
    experiment = read_experiment(file)
    folder = laboratory.begin(experiment, tmp_path / "out")
    found = {each.question.name: each.answer for each in laboratory.answers(experiment, folder)}
    assert list(found) == ["records", "many-2p", "many-3p", "precise", "pairs", "meeting", "forbidden", "lead"]
    rules = simcore.rules("kombinator")
    whole = runs.run(Table(simcore.rules(str(tmp_path / "dear.toml")), ["greedy", "random"], 2, 3), 40, tmp_path / "whole")
    assert found["records"]["tallies_hash"] == whole.info["tallies_hash"] == runs.load_run(folder / "01-records").info["tallies_hash"]
    assert found["records"]["ruleset"] == "kombinator(pair=9)"
    assert (found["many-2p"]["players"], found["many-3p"]["players"]) == (2, 3)
    assert found["precise"]["stopping"]["precision"] == 0.04
    wanted = compare(rules, rules.with_(pair=4), [["greedy"], ["greedy", "random"]], 30, seed=3, measures=["margin"])
    (row,) = (row for row in found["pairs"]["measures"] if row["measure"] == "margin")
    assert row["interval"] == wanted["measures"][0]["interval"] and row["margin"] == pytest.approx(0.05 * row["a"])
    assert found["meeting"]["win_share"] == tournament(rules, ["greedy", "random"], 20, seed=3)["win_share"]
    assert [row["restriction"] for row in found["forbidden"]["restrictions"]] == ["never_order", "never_combine", "never_beat"]
    assert found["lead"]["panel"] == json.loads(json.dumps(first_move(rules, [["greedy"]], 20, seed=3)["panel"]))
    assert (folder / "experiment.toml").read_text() == ALL
    state = json.loads((folder / "experiment.json").read_text())
    assert state["finished"] and all(question["finished"] for question in state["questions"])


def test_a_stopped_experiment_goes_on_with_what_has_no_answer(file, tmp_path) -> None:
    experiment = read_experiment(file)
    whole = laboratory.begin(experiment, tmp_path / "whole")
    wanted = [each.answer for each in laboratory.answers(experiment, whole)]
    folder = laboratory.begin(experiment, tmp_path / "out")
    stopped = laboratory.answers(experiment, folder)
    next(stopped), next(stopped)
    first = folder / "01-records.json"
    before = first.stat().st_mtime_ns
    # As if killed while the third question was being answered: a folder, no run in it.
    (folder / "03-many-3p" / "batches").mkdir(parents=True)
    again = [each.answer for each in laboratory.answers(laboratory.load(folder), folder)]
    assert first.stat().st_mtime_ns == before
    timed = ("seconds", "seconds_needed")
    assert [without(each, timed) for each in again] == [without(each, timed) for each in wanted]


def without(value, keys):
    if isinstance(value, dict):
        return {key: without(each, keys) for key, each in value.items() if key not in keys}
    return [without(each, keys) for each in value] if isinstance(value, list) else value


def test_a_changed_copy_is_refused(file, tmp_path) -> None:
    folder = laboratory.begin(read_experiment(file), tmp_path / "out")
    (folder / "experiment.toml").write_text(ALL.replace("games = 40", "games = 50"))
    with pytest.raises(InputError, match="has been changed"):
        laboratory.load(folder)


RUN = '[[run]]\nname = "x"\nstrategies = ["random"]\n'


@pytest.mark.parametrize(
    "text, line, told",
    [
        (RUN + "gamse = 5\n", 8, "Did you mean 'games'"),
        ("[[runs]]\n", 5, "unknown key 'runs'"),
        (RUN + "games = 1\n", 8, "at least 2"),
        (RUN + 'games = "5"\n', 8, "whole number"),
        (RUN + 'precision = "70%"\n', 8, "between 0 and 50%"),
        (RUN + "precision = 0.1\n", 8, "a text in quotes"),
        (RUN + "players = []\n", 8, "players is a whole number or a list"),
        (RUN + "players = 10\n", 6, "2 to 9 players"),
        (RUN + 'ruleset = "kombinator(pear=4)"\n', 8, "Did you mean 'pair'"),
        (RUN.replace("random", "randon"), 6, "Did you mean 'random'"),
        (RUN.replace('["random"]', "[]"), 7, "list of texts"),
        (RUN.replace('"x"', '"x y"'), 6, "letters, digits"),
        (RUN.replace('name = "x"\n', ""), 5, "'name' is missing"),
        (RUN + RUN, None, "two questions have the name 'x'"),
        ("", None, "nothing is asked"),
        ('[[compare]]\nname = "c"\na = "kombinator"\nb = "kombinator"\npanel = [[]]\n', 9, "list of line-ups"),
        ('[[compare]]\nname = "c"\na = "kombinator"\nb = "kombinator"\npanel = ["random"]\nprecision = "1%"\n', 10, "needs the measures"),
        ('[[compare]]\nname = "c"\na = "kombinator"\npanel = ["random"]\nb = "gin_rummy"\n', 9, "gin_rummy"),
        ('[[compare]]\nname = "c"\na = "kombinator"\nb = "kombinator"\npanel = ["random"]\nmargin = "0"\n', 10, "above 0"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, text, line, told) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(HEAD + text)
    with pytest.raises(InputError, match="(?s)" + told) as problem:
        read_experiment(path)
    assert str(problem.value).startswith(f"{path}, line {line}: " if line else f"{path}: ")


def test_every_game_has_a_ready_file_and_all_of_them_are_right() -> None:
    found = [read_experiment(path) for path in library()]
    assert {experiment.game for experiment in found} == set(games())
    for experiment in found:
        assert {question.kind for question in experiment.questions} >= {"run", "compare", "tournament", "first_move"}


def test_ready_files_are_found_by_name(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find("kombinator.toml") in library()
    Path("kombinator.toml").write_text("mine")
    assert find("kombinator.toml") == Path("kombinator.toml")
    with pytest.raises(InputError, match="Did you mean 'kombinator.toml'"):
        find("kombinatr.toml")


def test_the_command(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(HEAD + RUN + "games = 5\n" + '[[tournament]]\nname = "t"\nstrategies = ["greedy", "random"]\ngames = 5\n')
    assert cli.main(["run", "mine.toml", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["experiment"] == "runs/mine-s3" and [each["kind"] for each in found["questions"]] == ["run", "tournament"]
    assert cli.main(["run", "--resume", "runs/mine-s3", "--lang", "ru"]) == 0
    text = capsys.readouterr().out
    assert "Проверка" in text and "simcore report runs/mine-s3/01-x" in text and "Рейтинг" in text
    assert cli.main(["report", "runs/mine-s3/01-x"]) == 0
    assert cli.main(["run", "mine.toml", "--seed", "4"]) == 2
    assert "an experiment file says itself what is played: leave out --seed" in capsys.readouterr().err
