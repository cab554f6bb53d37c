import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.errors import InputError, nearest
from simcore.game import FOLDERS, checker, games, schema
from simcore.rulefile import read_any
from simcore.ruleset import Ruleset, default, difference, difference_table, load_file, parse, resolve
from simcore.schema import MOST_POINTS, Option, Schema, load_schema
from simcore.tomltext import read_toml

KOMBINATOR = schema("kombinator")
CHECK = checker("kombinator")
RULES = FOLDERS[0] / "kombinator" / "rules.toml"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a file into the working folder, so that errors name it as the user did."""
    monkeypatch.chdir(tmp_path)

    def written(text: str | bytes, name: str = "my.toml") -> Path:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return Path(name)

    return written


def refused(call: Callable[..., Any], *arguments: Any) -> str:
    """The text of the InputError that a call must end with: one line that names something."""
    with pytest.raises(InputError) as caught:
        call(*arguments)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300
    return text


# ------------------------------------------------------------------------------------------------------------------
# The rules page of Kombinator


def test_the_point_table_is_the_one_of_the_rulebook() -> None:
    lengths = ("small", "medium", "large", "great", "legendary")
    expected = {"pair": 3, "triple": 6, "small_force": 12, "large_force": 15, "absolute_force": 20}
    expected |= {f"{length}_row": points for length, points in zip(lengths, (3, 5, 8, 12, 17), strict=True)}
    expected |= {f"{length}_queue": points for length, points in zip(lengths, (3, 5, 8, 12, 17), strict=True)}
    expected |= {f"{length}_optima": points for length, points in zip(lengths, (6, 12, 18, 24, 30), strict=True)}
    expected |= {"dump": 0, "marriage": 4, "assembly": 6, "jackpot": 25, "superblow": 40}
    expected |= {"small_force_beaten": 4, "large_force_beaten": 6, "absolute_force_beaten": 10, "assembly_beaten": 6}
    expected |= {"court_card": 1, "ace": 2}
    assert list(default(KOMBINATOR).points.items()) == list(expected.items())  # the order too: it decides between splits (K-23)


def test_five_categories_of_five_and_two_for_the_rest() -> None:
    counted: dict[str, int] = {}
    for item in KOMBINATOR.points.values():
        counted[item.category] = counted.get(item.category, 0) + 1
    assert counted == {"block": 5, "row": 5, "queue": 5, "optima": 5, "artifact": 5, "beaten": 4, "cards": 2}
    assert list(counted) == list(KOMBINATOR.categories)


def test_the_game_s_own_names() -> None:
    assert KOMBINATOR.points["legendary_optima"].name["ru"] == "Легендарная оптима"
    assert KOMBINATOR.points["small_force"].name["ru"] == "Малая форс-атака"
    assert KOMBINATOR.points["superblow"].name == {"en": "Superblow", "ru": "Сверхудар"}
    assert [words["ru"] for words in KOMBINATOR.categories.values()][:5] == ["Блоки", "Ряды", "Очереди", "Оптимы", "Артефакты"]
    assert KOMBINATOR.players.min == 2
    assert KOMBINATOR.players.max == 9


OPEN = {
    "nine_player_trump": "K-5",
    "lead_after_passes": "K-12",
    "loose_cards_in_attack": "K-21",
    "repeat_marriage": "K-31",
    "beaten_marriage_counts": "K-31",
    "superblow": "K-34",
    "superblow_in_composite": "K-34",
    "take_after_forced_pass": "K-44",
    "credit_per": "K-45",
    "superblow_counts_as_force": "K-91",
    "weak_marriage_passes_stage": "K-91",
}


def test_what_the_rulebook_leaves_open_is_marked() -> None:
    assert {key: option.rule for key, option in KOMBINATOR.options.items() if option.open} == OPEN


def test_the_ladder_has_the_fifteen_stages_of_the_rulebook() -> None:
    ladder = default(KOMBINATOR).options["ladder"]
    assert isinstance(ladder, tuple)
    assert [entry.rpartition(" = ")[2] for entry in ladder] == "0.1 0.2 0.3 0.5 1 2 4 8 16 32 64 125 250 500 1000".split()


@pytest.mark.parametrize("key", games())
def test_every_game_has_a_sound_page(key: str) -> None:
    page = schema(key)
    assert page.key == key
    checker(key)(default(page))
    for variant in page.variants:
        checker(key)(parse(page, variant))
    texts = [page.name, *page.categories.values(), *(variant.name for variant in page.variants.values())]
    texts += [option.help for option in page.options.values()]
    texts += [words for item in page.points.values() for words in (item.name, item.help)]
    for words in texts:
        assert words["en"].strip() and re.search("[а-я]", words["ru"])
    for item in page.points.values():
        assert re.fullmatch(r"[A-Z]+-?\d+\w*", item.rule)
    names = [item.name[lang] for item in page.points.values() for lang in ("en", "ru")]
    assert len(set(names)) == len(names)


# ------------------------------------------------------------------------------------------------------------------
# Canonical strings


def values(option: Option) -> st.SearchStrategy[Any]:
    """Any value that an option may have, as a designer would write it."""
    if option.type == "int":
        return st.integers(option.low, option.high)
    if option.type == "bool":
        return st.booleans()
    if option.type == "choice":
        return st.sampled_from(option.choices)
    words = st.text("abc_+@=.,' 019", min_size=1, max_size=12).filter(str.strip)
    return st.lists(words, max_size=4)


@st.composite
def rulesets(draw: st.DrawFn, page: Schema = KOMBINATOR) -> Ruleset:
    """A ruleset with any values whatever in some options and points."""
    options, points = dict(default(page).options), dict(default(page).points)
    for key in draw(st.sets(st.sampled_from(list(page.options)))):
        options[key] = draw(values(page.options[key]))
    for key in draw(st.sets(st.sampled_from(list(page.points)))):
        points[key] = draw(st.integers(-MOST_POINTS, MOST_POINTS))
    return Ruleset(page, options, points)


@given(rulesets())
def test_a_canonical_string_leads_back_to_its_ruleset(ruleset: Ruleset) -> None:
    again = parse(KOMBINATOR, ruleset.canonical)
    assert again == ruleset
    assert again.canonical == ruleset.canonical
    assert hash(again) == hash(ruleset)
    assert resolve(KOMBINATOR, ruleset.canonical) == ruleset


@given(rulesets(), rulesets())
def test_equal_strings_are_equal_rulesets(a: Ruleset, b: Ruleset) -> None:
    assert (a == b) == (a.canonical == b.canonical)
    assert (a == b) == (not difference(a, b))


@given(rulesets())
def test_rulesets_travel_to_other_processes(ruleset: Ruleset) -> None:
    again = pickle.loads(pickle.dumps(ruleset))
    assert again == ruleset
    assert {again: 1}[ruleset] == 1


@given(rulesets())
def test_every_value_can_be_set_by_itself(ruleset: Ruleset) -> None:
    rebuilt = default(KOMBINATOR)
    for row in difference(rebuilt, ruleset):
        rebuilt = rebuilt.with_(**{row.key: row.b})
    assert rebuilt == ruleset


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("kombinator", "kombinator"),
        ("kombinator()", "kombinator"),
        (" kombinator ( pair = 4 , superblow=adds ) ", "kombinator(superblow=adds, pair=4)"),
        ("kombinator(pair=3)", "kombinator"),
        ("kombinator(pair=-4, ace=+2)", "kombinator(pair=-4)"),
        ("kombinator(start_score=1_000)", "kombinator(start_score=1000)"),
        ("millionaire", "kombinator(millionaire=true)"),
        ("kombinator-millionaire(stake=5)", "kombinator(millionaire=true, stake=5)"),
        ("millionaire(millionaire=false)", "kombinator"),
        ("kombinator(ladder=[pair=0.1;  marriage , triple =2])", "kombinator(ladder=[pair = 0.1; marriage , triple = 2])"),
        ("kombinator(ladder=[])", "kombinator(ladder=[])"),
        ("kombinator(superblow=50)", "kombinator(points.superblow=50)"),
        ("kombinator(superblow=50, superblow=adds)", "kombinator(superblow=adds, points.superblow=50)"),
        ("kombinator(options.superblow=adds, points.pair=4)", "kombinator(superblow=adds, pair=4)"),
    ],
)
def test_ways_to_write_one_ruleset(text: str, canonical: str) -> None:
    ruleset = parse(KOMBINATOR, text)
    assert ruleset.canonical == canonical
    assert str(ruleset) == canonical
    assert parse(KOMBINATOR, canonical) == ruleset


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("kombinatr", "'kombinatr' is no ruleset of kombinator: .* Did you mean 'kombinator'?"),
        ("Kombinator", "Did you mean 'kombinator'?"),
        ("gin_rummy(pair=3)", "'gin_rummy' is no ruleset of kombinator: it has kombinator, kombinator-millionaire, millionaire, or give a file"),
        ("", "'' is no ruleset of kombinator"),
        ("pair=4", re.escape("A setting goes into parentheses: 'kombinator(pair=4)'.")),
        ("kombinator(pair=4", r"'\)' is missing at the end"),
        ("kombinator(ladder=[a", r"'\]' is missing at the end"),
        ("kombinator(ladder=[a; b)", r"'\)' stands where '\]' has to come first"),
        ("kombinator(pair=4))", r"nothing follows the last parenthesis, got '\)'"),
        ("kombinator(pair=4) more", "nothing follows the last parenthesis, got ' more'"),
        ("kombinator(pair)", "a setting is a key, '=' and a value, such as 'pair=4', got 'pair'"),
        ("kombinator(pair=4,)", "a setting is a key, '=' and a value, such as 'pair=4', got ''"),
        ("kombinator(=4)", "a setting is a key, '=' and a value"),
        ("kombinator(pair=4, triple=7, pair=5)", "pair is set twice, to 4 and to 5"),
        ("kombinator(pear=4)", "kombinator has no option and no points called 'pear'. Did you mean 'pair'?"),
        ("x" * 5000, "is no ruleset of kombinator"),
        ("kombinator\0", "is no ruleset of kombinator"),
    ],
)
def test_wrong_strings_are_refused(text: str, error: str) -> None:
    found = refused(resolve, KOMBINATOR, text)
    assert found.startswith("ruleset ")
    assert re.search(error.replace("?", r"\?"), found), found


# ------------------------------------------------------------------------------------------------------------------
# Settings


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("pair", "a setting is a key, '=' and a value, such as 'pair=4', got 'pair'"),
        ("pair=three", "points are whole numbers from -100000 to 100000, got 'three' for pair"),
        ("pair=4.0", "points are whole numbers from -100000 to 100000, got '4.0' for pair"),
        ("pair=", "points are whole numbers from -100000 to 100000, got '' for pair"),
        ("pair=100001", "points are whole numbers from -100000 to 100000, got 100001 for pair"),
        ("pair=٤", "points are whole numbers"),
        ("pair=true", "points are whole numbers"),
        ("Pair=4", "kombinator has no option and no points called 'Pair'. Did you mean 'pair'?"),
        ("large-row=4", "called 'large-row'. Did you mean 'large_row'?"),
        ("Пара=4", "called 'Пара'. Did you mean 'pair'?"),
        ("легендарная оптима=4", "Did you mean 'legendary_optima'?"),
        ("zzzzz=4", "called 'zzzzz'. 'simcore show kombinator' lists them all."),
        ("optons.superblow=adds", "before the dot of a key stands 'options' or 'points', got 'optons'. Did you mean 'options'?"),
        ("options.pair=4", "kombinator has no option and no points called 'pair'"),
        ("superblow=bth", "superblow is one of 'replaces', 'adds', got 'bth'. As points it takes a whole number"),
        ("superblow=Adds", "got 'Adds'. Did you mean 'adds'?"),
        ("options.superblow=3", "superblow is one of 'replaces', 'adds', got '3'"),
        ("points.superblow=adds", "points are whole numbers"),
        ("hand_size=8", "hand_size is a whole number from 1 to 7, got 8"),
        ("hand_size=true", "hand_size is a whole number from 1 to 7, got 'true'"),
        ("start_score=" + "9" * 5000, "start_score is a whole number from 1 to 1000000"),
        ("millionaire=1", "millionaire is true or false, got '1'"),
        ("ladder=pair = 1", r"ladder is a list, written [first; second; ...], got 'pair = 1'"),
        ("ladder=[pair = 1;; triple = 2]", "ladder is a list of texts, none of them empty"),
        ("ladder=[pear = 1]", "ladder, stage 1: 'pear' is no combination. Did you mean 'pair'?"),
        ("ladder=[]", "ladder has 0 stages"),
        ("hand_limit=3", "hand_limit is 3, but must be at least hand_size, which is 4"),
    ],
)
def test_wrong_settings_are_refused(setting: str, error: str) -> None:
    found = refused(resolve, KOMBINATOR, None, [setting], CHECK)
    assert found.startswith("setting ")
    assert error in found


def test_a_setting_given_twice_is_refused_even_where_both_agree() -> None:
    assert "pair is set twice, to 4 and to 4" in refused(resolve, KOMBINATOR, None, ["pair=4", "pair=4"])


def test_settings_change_what_a_ruleset_says() -> None:
    ruleset = resolve(KOMBINATOR, "kombinator(pair=4)", ["pair=5", "superblow=adds", "superblow=41"], CHECK)
    assert ruleset.canonical == "kombinator(superblow=adds, pair=5, points.superblow=41)"
    assert ruleset.with_settings(["pair=3"]).points["pair"] == 3
    assert ruleset.points["pair"] == 5


def test_python_values_are_checked_as_texts_are() -> None:
    plain = default(KOMBINATOR)
    assert plain.with_(superblow="adds", pair=4).canonical == "kombinator(superblow=adds, pair=4)"
    assert plain.with_(superblow=41).canonical == "kombinator(points.superblow=41)"
    assert "got true for pair" in refused(lambda: plain.with_(pair=True))
    assert "got 4.0 for pair" in refused(lambda: plain.with_(pair=4.0))  # type: ignore[arg-type]
    assert "got 1" in refused(lambda: plain.with_(millionaire=1))
    assert "Did you mean 'pair'" in refused(lambda: plain.with_(pear=1))
    options, points = dict(plain.options), dict(plain.points)
    assert "Did you mean 'pair'" in refused(Ruleset, KOMBINATOR, options, {**points, "pear": 1})
    del points["pair"]
    assert "wrong: pair" in refused(Ruleset, KOMBINATOR, options, points)


def test_a_ruleset_cannot_be_changed() -> None:
    plain = default(KOMBINATOR)
    with pytest.raises(AttributeError):
        plain.points = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        plain.points["pair"] = 4  # type: ignore[index]


# ------------------------------------------------------------------------------------------------------------------
# Files


def test_a_file_says_only_what_differs(write: Write) -> None:
    write('base = "kombinator"\nname = "My game"\n[options]\nsuperblow = "adds"\n[points]\npair = 4\n', "a.toml")
    write('base = "../a.toml"\n[points]\npair = 5\nsuperblow = -1\n', "more/b.toml")
    write('base = "more/b.toml"\n[options]\nladder = ["pair=0.1"]\n', "c.toml")
    ruleset = resolve(KOMBINATOR, "c.toml", ["triple=7"], CHECK)
    assert ruleset.canonical == "kombinator(superblow=adds, ladder=[pair = 0.1], pair=5, triple=7, points.superblow=-1)"
    assert ruleset.name == "My game"  # of the nearest file that gives one
    assert ruleset == parse(KOMBINATOR, ruleset.canonical)  # and the name counts for nothing


def test_a_base_may_be_a_variant_or_a_canonical_string(write: Write) -> None:
    assert load_file(KOMBINATOR, write('base = "millionaire"')).canonical == "kombinator(millionaire=true)"
    assert load_file(KOMBINATOR, write('base = "kombinator(pair=4)"')).canonical == "kombinator(pair=4)"


def test_names_of_the_game_come_before_files(write: Write) -> None:
    write('base = "kombinator(pair=4)"', "kombinator")
    assert resolve(KOMBINATOR, "kombinator").canonical == "kombinator"
    assert resolve(KOMBINATOR, "./kombinator").canonical == "kombinator(pair=4)"
    assert resolve(KOMBINATOR, Path("kombinator")).canonical == "kombinator(pair=4)"


GOOD = 'base = "kombinator"\n'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (GOOD + "[points]\npear = 4", "my.toml, line 3: kombinator has no option and no points called 'pear'. Did you mean 'pair'?"),
        (GOOD + '[points]\n\n# a\npair = "three"', "my.toml, line 5: points are whole numbers from -100000 to 100000, got 'three' for pair"),
        (GOOD + "points.pair = 1.5", "my.toml, line 2: points are whole numbers from -100000 to 100000, got 1.5 for pair"),
        (GOOD + 'points = { pair = "x" }', "my.toml, line 2: points are whole numbers"),
        (GOOD + '"points".\'pair\' = "x"', "my.toml, line 2: points are whole numbers"),
        (GOOD + "[options]\nhand_size = true", "my.toml, line 3: hand_size is a whole number from 1 to 7, got true"),
        (GOOD + "[options]\nmillionaire = 1", "my.toml, line 3: millionaire is true or false, got 1"),
        (GOOD + '[options]\nsuperblow = "add"', "my.toml, line 3: superblow is one of 'replaces', 'adds', got 'add'. Did you mean 'adds'?"),
        (GOOD + '[options]\nladder = "pair = 1"', "my.toml, line 3: ladder is a list of texts"),
        (GOOD + '[options]\nladder = [\n"pair = 1", # ] [\n2]', "my.toml, line 3: ladder is a list of texts"),
        (GOOD + "[options]\npair = 4", "my.toml, line 3: pair belongs under [points]"),
        (GOOD + "[points]\nstake = 4", "my.toml, line 3: stake belongs under [options]"),
        (GOOD + "pair = 4", "my.toml, line 2: pair belongs under [points]"),
        (GOOD + "[point]\npair = 4", "my.toml, line 2: unknown key 'point', allowed are base, name, options, points, expect. Did you mean 'points'?"),
        (GOOD + "points = 4", "my.toml, line 2: points is a table of keys and values, got 4"),
        (GOOD + "name = 4", "my.toml, line 2: name is a text in quotes, got 4"),
        (GOOD + "[points]\npair = 4\npair = 4", "my.toml, line 4: this is not valid TOML: Cannot overwrite a value"),
        (GOOD + "[points\npair = 4", "my.toml, line 2: this is not valid TOML: "),
        ('base = "kombinator', "my.toml, line 1: this is not valid TOML: "),
        (GOOD + "[options]\nhand_limit = 3", "my.toml, line 3: hand_limit is 3, but must be at least hand_size, which is 4"),
        (GOOD + '[options]\nladder = ["pear = 3"]', "my.toml, line 3: ladder, stage 1: 'pear' is no combination. Did you mean 'pair'?"),
        ("", "my.toml: the key 'base' is missing: it names what the file changes, such as base = \"kombinator\""),
        ("[points]\npair = 4", "my.toml: the key 'base' is missing"),
        ("base = 4", "my.toml, line 1: base is a text in quotes, got 4"),
        ('\nbase = "kombinatr"', "my.toml, line 2: base: ruleset 'kombinatr': 'kombinatr' is no ruleset of kombinator"),
        ('base = "other.toml"', "my.toml, line 1: base: other.toml: there is no such ruleset file"),
        ('base = "my.toml"', "my.toml, line 1: the bases go in a circle, back to 'my.toml'"),
        ("a = " + "[" * 5000, "my.toml: this TOML cannot be read, brackets are nested too deeply"),
        ("a = " + "9" * 5000, "my.toml: this TOML cannot be read, a number is too long"),
        (b"\xff\xfe\x00\x01", "my.toml: this is not a text file in UTF-8 (byte 0 cannot be read)"),
        ("\ufeff" + GOOD.replace("\n", "\r\n") + "[points]\r\npear = 4", "my.toml, line 3: kombinator has no option"),
    ],
)
def test_wrong_files_are_refused_with_the_line(write: Write, text: str | bytes, error: str) -> None:
    write(text)
    assert error in refused(resolve, KOMBINATOR, "my.toml", [], CHECK)


def test_bases_in_a_circle(write: Write) -> None:
    write('base = "b.toml"', "a.toml")
    write('\nbase = "c.toml"', "b.toml")
    write('base = "a.toml"', "c.toml")
    assert "c.toml, line 1: the bases go in a circle, back to 'a.toml'" in refused(resolve, KOMBINATOR, "a.toml")


def test_a_mistake_in_a_base_is_told_with_both_places(write: Write) -> None:
    write(GOOD + "[points]\npear = 4", "a.toml")
    write('base = "a.toml"', "b.toml")
    assert refused(resolve, KOMBINATOR, "b.toml").startswith("b.toml, line 1: base: a.toml, line 3: kombinator has no option")


def test_files_that_cannot_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write(GOOD, "mine.toml")
    Path("folder").mkdir()
    assert refused(resolve, KOMBINATOR, "folder") == "folder: this is a folder, not a ruleset file"
    assert refused(resolve, KOMBINATOR, "mime.toml") == "mime.toml: there is no such ruleset file. Did you mean 'mine.toml'?"
    assert refused(resolve, KOMBINATOR, "mine.tml") == "mine.tml: there is no such ruleset file. Did you mean 'mine.toml'?"
    assert "nowhere/mine.toml: there is no such ruleset file." in refused(resolve, KOMBINATOR, "nowhere/mine.toml")
    assert "cannot be read" in refused(resolve, KOMBINATOR, "m\0.toml")

    def forbidden(self: Path, **_: Any) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", forbidden)
    assert refused(resolve, KOMBINATOR, "mine.toml") == "mine.toml: this ruleset file cannot be read (Permission denied)"


def test_a_key_of_another_game_is_recognised(tmp_path: Path) -> None:
    for key, option in (("one", "stake"), ("two", "knock_limit")):
        folder = tmp_path / key
        folder.mkdir()
        text = RULES.read_text().replace('key = "kombinator"', f'key = "{key}"').replace("[options.stake]", f"[options.{option}]")
        (folder / "rules.toml").write_text(text)
    one = load_schema(tmp_path / "one" / "rules.toml")
    assert "one has no option and no points called 'knock_limit'. It belongs to two." in refused(resolve, one, None, ["knock_limit=5"])


# ------------------------------------------------------------------------------------------------------------------
# Changed copies of the whole page


def copy(write: Write, old: str = "", new: str = "") -> Path:
    text = RULES.read_text()
    assert old in text
    return write(text.replace(old, new, 1))


def entry(key: str) -> str:
    """The lines of one entry of the point table."""
    text = RULES.read_text()
    start = text.index(f'[[points]]\nkey = "{key}"\n')
    return text[start : text.index("\n\n", start) + 2]


@pytest.mark.parametrize(
    ("old", "new", "canonical"),
    [
        ("", "", "kombinator"),
        ("default = 100\n", "default = 90\n", "kombinator(start_score=90)"),
        ('key = "pair"\npoints = 3', 'key = "pair"\npoints = 4', "kombinator(pair=4)"),
        ('key = "superblow"\npoints = 40', 'key = "superblow"\npoints = 41', "kombinator(points.superblow=41)"),
        ('"marriage = 0.3"', '"marriage = 0.4"', None),
        ('en = "Pair"', 'en = "Twins"', "kombinator"),
    ],
)
def test_a_changed_copy_of_the_page(write: Write, old: str, new: str, canonical: str | None) -> None:
    ruleset = resolve(KOMBINATOR, copy(write, old, new), [], CHECK)
    assert canonical is None or ruleset.canonical == canonical
    assert parse(KOMBINATOR, ruleset.canonical) == ruleset
    assert bool(difference(default(KOMBINATOR), ruleset)) == (ruleset.canonical != "kombinator")


@pytest.mark.parametrize(
    ("old", "new", "line", "error"),
    [
        ('key = "kombinator"', 'key = "kombo"', 'key = "kombo"', "this is a ruleset of kombo, not of kombinator"),
        ("max = 9, rec", "max = 8, rec", "max = 8, rec", "changes only defaults, points and texts, but players differs"),
        ("max = 7", "max = 9", "max = 9\n", "changes only defaults, points and texts, but max differs"),
        ("default = 4\n", "default = 9\n", "default = 9\n", "hand_size is a whole number from 1 to 7, got 9"),
        ("[options.stake]", "[options.stak]", "[options.stak]", "Did you mean 'stake'?"),
        ('type = "int"', 'type = "number"', 'type = "number"', "type is one of int, bool, choice, list, got 'number'"),
        ('rule = "K-3"\n', "", "[options.start_score]", "the key 'rule' is missing in [options.start_score]"),
        ("open = false", "opened = false", "opened", "unknown key 'opened' in [options.start_score]"),
        ('key = "triple"', 'key = "trple"', 'key = "trple"', "called 'trple'. Did you mean 'triple'?"),
        ('key = "triple"', 'key = "pair"', None, "pair stands twice in the point table"),
        ("points = 6", 'points = "six"', '"six"', "points are whole numbers from -100000 to 100000, got 'six' for triple"),
        ('category = "block"', 'category = "blok"', '"blok"', "got 'blok'. Did you mean 'block'?"),
        ('category = "block"', 'category = "row"', None, "but category differs"),
        ("millionaire = true", "millionaire = false", "[variants.millionaire]", "but variants differs"),
        ("millionaire = true", "milionaire = true", "set = {", "unknown key 'milionaire' in [variants.millionaire.set]"),
        (entry("triple"), "", 'key = "small_force"', "small_force stands where the point table of kombinator has triple"),
        (entry("court_card") + entry("ace"), entry("ace") + entry("court_card"), 'key = "ace"', "ace stands where"),
        (entry("ace"), "", "[[points]]", "ace is missing in the point table; what is not wanted gets 0 points"),
    ],
)
def test_copies_that_change_more_than_values_are_refused(write: Write, old: str, new: str, line: str | None, error: str) -> None:
    path = copy(write, old, new)
    found = refused(resolve, KOMBINATOR, path)
    assert error in found
    if line:
        number = path.read_text()[: path.read_text().index(line)].count("\n") + 1
        assert found.startswith(f"my.toml, line {number}: ")


def test_a_word_that_is_option_and_points_must_be_tellable(write: Write) -> None:
    assert "an option too, and a whole number could mean either" in refused(load_schema, copy(write, 'key = "pair"', 'key = "stake"'))
    number_as_choice = RULES.read_text().replace('choices = ["replaces", "adds"]', 'choices = ["replaces", "2"]')
    assert "an option too" in refused(load_schema, write(number_as_choice))


# ------------------------------------------------------------------------------------------------------------------
# Lines


@given(rulesets(), st.randoms(use_true_random=False))
def test_every_key_of_a_file_has_its_line(ruleset: Ruleset, chance: Any) -> None:
    """The lines are found without a parser of TOML: they must agree with where the lines were put."""
    lines = ["# a # comment", 'base = """kombi', 'nator"""', ""]
    expected = {"base": 2}
    for table in ("options", "points"):
        lines.append(f"  [ {table} ] # [no]")
        values = list((ruleset.options if table == "options" else ruleset.points).items())
        chance.shuffle(values)
        for key, value in values:
            lines += chance.choice([[], [""], ["  # [points]", '# pair = "]'], ["\t"]])
            expected[f"{table}.{key}"] = len(lines) + 1
            if isinstance(value, tuple):
                lines += [f"{key} = [ # ]", *(f"  '{entry}'," if "'" not in entry else f'  """{entry}""",' for entry in value), "]"]
            elif isinstance(value, bool):
                lines.append(f"{key} = {str(value).lower()}")
            else:
                lines.append(f'"{key}" = {value!r}  # = "')
    text = "\n".join(lines)
    from simcore import tomltext

    found = {".".join(str(part) for part in path): line for path, line in tomltext._lines(text).items()}
    assert {key: found[key] for key in expected} == expected


def test_lines_of_tables_in_arrays() -> None:
    toml = read_toml(RULES)
    text = RULES.read_text().splitlines()
    for number, item in enumerate(KOMBINATOR.points):
        assert text[toml.lines["points", number, "key"] - 1] == f'key = "{item}"'
    for key in KOMBINATOR.options:
        assert text[toml.lines["options", key] - 1] == f"[options.{key}]"
        assert text[toml.lines["options", key, "help", "ru"] - 1].startswith("help.ru")


# ------------------------------------------------------------------------------------------------------------------
# Differences


def test_difference_is_in_the_order_of_the_rules() -> None:
    rows = difference(default(KOMBINATOR), parse(KOMBINATOR, "kombinator(ace=3, pair=4, superblow=adds, hand_size=5)"))
    assert [(row.kind, row.key, row.a, row.b, row.rule) for row in rows] == [
        ("option", "hand_size", 4, 5, "K-4"),
        ("option", "superblow", "replaces", "adds", "K-34"),
        ("points", "pair", 3, 4, "K-43"),
        ("points", "ace", 2, 3, "K-42"),
    ]


def test_difference_as_a_table() -> None:
    plain, changed = default(KOMBINATOR), parse(KOMBINATOR, "kombinator(pair=-4)").with_(ladder=["pair triple small_force+ = 0.1", "triple = 9"])
    table = difference_table(difference(plain, changed), ("old", "new")).splitlines()
    assert table[0].split() == ["old", "new"]
    assert table[1].split()[:3] == ["option", "ladder[2]", "small_row+"]  # the first stage is the same
    assert table[-1] == "points  pair        3" + table[-1][len("points  pair        3") :]
    assert table[-1].endswith("K-43  two cards of one rank")
    assert table[0].index("new") == table[-1].index("-4")
    assert len(table) == 1 + 14 + 1
    assert difference_table(difference(plain, changed), lang="ru").endswith("две карты одного старшинства")
    assert difference_table([]) == ""


def test_rulesets_of_two_games_have_no_difference(write: Write) -> None:
    other = load_schema(copy(write, 'key = "kombinator"', 'key = "kombo"'))
    assert "only rulesets of one game can be compared, got kombinator and kombo" in refused(difference, default(KOMBINATOR), default(other))


# ------------------------------------------------------------------------------------------------------------------
# Whatever is typed


@given(st.text(max_size=60) | st.text("kombinator()[]=;,. 04-", max_size=40).map(lambda text: "kombinator(" + text))
def test_any_text_is_a_ruleset_or_an_input_error(text: str) -> None:
    try:
        read_any(KOMBINATOR, text)
    except InputError as problem:
        assert str(problem)


@given(st.binary(max_size=80) | st.text("abc[]{}=\"'#\n.,:0-9\\ ", max_size=80).map(str.encode))
def test_any_file_is_a_ruleset_or_an_input_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(content)
    try:
        load_file(KOMBINATOR, path)
    except InputError as problem:
        assert str(path) in str(problem)


def test_nearest() -> None:
    assert nearest("Large Row", ["large_row", "small_row"]) == " Did you mean 'large_row'?"
    assert nearest("zzz", ["large_row"]) == ""


def test_the_game_of_bases_in_a_circle_is_refused(tmp_path: Path) -> None:
    from simcore.api import rules

    (tmp_path / "a.toml").write_text('base = "b.toml"\n')
    (tmp_path / "b.toml").write_text('base = "a.toml"\n')
    with pytest.raises(InputError, match="circle"):
        rules(str(tmp_path / "a.toml"))
