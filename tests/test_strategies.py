"""The built-in players: legal everywhere, blind to what is hidden, and each as it says of itself; a user's own file."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kombinator_positions import BOUT, PACK, SCRIPTED, Bench, player

from simcore.errors import InputError, StrategyError
from simcore.game import get
from simcore.games.kombinator.combinations import MARRIAGE, SUPERBLOW, WEAK_MARRIAGE
from simcore.games.kombinator.rules import pack
from simcore.games.kombinator.view import MOVE, VIEW, WORK
from simcore.ruleset import Ruleset, resolve
from simcore.simulate import Table
from simcore.strategy import Param, available, load

GAME = get("kombinator")
NAMES = ("random", "greedy", "thrifty", "builder", "blocker", "counter", "climber")
SETTINGS = (
    [],
    ["loose_cards_in_attack=true", "repeat_marriage=illegal", "superblow=adds"],
    ["beaten_marriage_counts=true", "superblow_in_composite=false", "take_after_forced_pass=false", "credit_per=combination"],
    ["millionaire=true", "superblow_counts_as_force=false", "weak_marriage_passes_stage=false", "lead_after_passes=last_leader"],
    ["nine_player_trump=none", "hand_size=3", "hand_limit=5", "millionaire=true", "repeat_marriage=illegal"],
    ["pair=-3", "small_row=-1", "marriage=0"],
)


def rules(*settings: str) -> Ruleset:
    return resolve(GAME.schema, "kombinator", list(settings))


def mask(text: str) -> int:
    return sum(1 << ("6789TJQKA".index(card[0]) * 4 + "shdc".index(card[1])) for card in text.split())


def decide(name: str, decision: str, hand: str, attack: str = "", *settings: str, **fields: Any) -> Any:
    """What a strategy does on a position made by hand: two players, hearts are trumps, ten cards in the stock, four cards with the other."""
    view, work, move = np.zeros(1, VIEW), np.zeros(1, WORK), np.zeros(1, MOVE)
    work["top"] = -1
    work["stream"] = 1, 0x9E3779B97F4A7C15  # of zeros only it would never give a number
    view["players"], view["trump"], view["trump_cards"], view["turned"] = 2, 1, 0x222222222, -1
    view["stock_size"], view["hand"], view["attack"] = 10, mask(hand), mask(attack)
    seat = 0 if decision == "attack" else 1
    view["seat"], view["defender"] = seat, 1
    view["sizes"][0, :2] = 4
    view["sizes"][0, seat] = len(hand.split())
    for key, value in fields.items():
        view[key] = value
    move["n_parts"], move["take"] = -1, -1
    player = load(name, GAME)
    address = player.compile(GAME)[GAME.decisions.index(decision)]
    function = CFUNCTYPE(c_int64, *[c_void_p] * 5)(address)
    records = (view, pack(rules(*settings)), player.params, work, move)
    assert function(*(record.ctypes.data for record in records)) == 1
    return move[0]


def test_all_seven_are_there_in_order_and_say_what_they_do() -> None:
    found = available(GAME)
    assert tuple(found) == NAMES
    assert all(strategy.doc and all(function.__doc__ for function in strategy.decisions.values()) for strategy in found.values())


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_no_strategy_leaves_the_rules(settings: list[str], full: bool) -> None:
    for i, one in enumerate(NAMES):
        for other in NAMES[i:]:
            assert len(Table(rules(*settings), [one, other], 2, 5).play(0, 1000 if full else 40).games)
    for players in range(3, 10):
        if players * rules(*settings).options["hand_size"] <= 36:
            seats = [NAMES[(seat + players) % 7] for seat in range(players)]
            assert len(Table(rules(*settings), seats, players, 5).play(0, 1000 if full else 40).games)


def test_greedy_beats_random_and_counter_beats_greedy() -> None:
    assert Table(rules(), ["greedy", "random"], 2, 1).play(0, 500).games["share"][:, 0].mean() > 0.95
    assert Table(rules(), ["counter", "greedy"], 2, 1).play(0, 4000).games["share"][:, 0].mean() > 0.55


def test_builder_holds_more_than_four_cards() -> None:
    held = Table(rules(), ["builder"], 2, 1).hands(0, 20)["hand"]
    assert max(int(hand).bit_count() for hand in held) == 7
    assert Table(rules(), ["builder(patience=0)"], 2, 1).canonical_strategies[0] == "builder(patience=0)"


def test_greedy_reads_the_point_table() -> None:
    hand = "6s 6d 7s 8s"
    assert decide("greedy", "attack", hand)["cards"] == mask("6s 7s 8s")
    assert decide("greedy", "attack", hand, "", "pair=50")["cards"] == mask("6s 6d")


def test_equal_points_go_by_the_cheapest_cards() -> None:
    assert decide("greedy", "attack", "6s 6d As Ad")["cards"] == mask("6s 6d As Ad")
    assert decide("greedy", "attack", "6s 6d As Ad", sizes=[4, 2, 0, 0, 0, 0, 0, 0, 0])["cards"] == mask("6s 6d")


def test_builder_waits_as_long_as_its_patience_says() -> None:
    assert decide("builder", "attack", "6s 8d Tc Qh")["cards"] == 0
    assert decide("builder(patience=0)", "attack", "6s 8d Tc Qh")["cards"] == mask("6s")


def test_thrifty_keeps_trumps_and_court_cards() -> None:
    assert decide("thrifty", "attack", "6h 9d Kc As")["cards"] == mask("9d")
    assert decide("thrifty", "attack", "6h Jd Kc As")["cards"] == 0


def test_blocker_beats_with_the_cheapest_card_and_greedy_with_the_dearest() -> None:
    assert decide("blocker", "defend", "7s As 6h 9c", "6s")["beater"][0] == 4
    assert decide("greedy", "defend", "7s As 6h 9c", "6s", stock_size=0)["beater"][0] == 32


def test_counter_plays_what_nobody_can_beat() -> None:
    """All the spades above the nine and all trumps are gone, so the nine holds, and the other cards do not."""
    gone = mask("Ts Js Qs Ks As 6h 7h 8h 9h Th Jh Qh Kh Ah")
    assert decide("counter", "attack", "9s 7d 6c", discard=gone, stock_size=0)["cards"] == mask("9s")


def test_climber_plays_for_its_stage() -> None:
    assert decide("climber", "attack", "6s 6d 7s 8s", "", "millionaire=true")["cards"] == mask("6s 6d")
    assert decide("climber", "attack", "6s 6d 7s 8s")["cards"] == mask("6s 7s 8s")


@pytest.mark.parametrize("name", NAMES)
def test_records_have_no_hidden_fields_and_equal_views_give_equal_moves(name: str) -> None:
    """A decision is given no field for other hands or the stock, and keeps nothing from one call to the next outside its records."""
    hidden = {"hands", "deck", "next_card", "seed"}
    for record in (VIEW, WORK, MOVE):
        assert not hidden & set(record.names or ())
    first, second = (decide(name, "attack", "6s 9d Tc Qh") for _ in range(2))
    assert first.tobytes() == second.tobytes()


# --- what nobody may know -------------------------------------------------------------------------------------------------------------------


class Seated(Bench):
    """A position in which one strategy sits on every seat, and of which what is hidden can be dealt anew."""

    def __init__(self, name: str, players: int, rng: np.random.Generator) -> None:
        deck = [PACK.texts[card] for card in rng.permutation(36)]
        hands = [" ".join(deck[4 * seat : 4 * seat + 4]) for seat in range(players)]
        super().__init__(*hands, stock=" ".join(deck[4 * players :]), trump=deck[-1][1])
        self.player = load(name, GAME)
        self.asked = self.player.compile(GAME)
        self.records = (self.view, self.hidden, self.moves, self.works)
        self.seat_all()

    def seat_all(self) -> None:
        """The strategy makes every decision."""
        self.hidden["decisions"][0, : 2 * self.players] = self.asked * self.players
        self.hidden["params"][0, : self.players] = self.player.params.ctypes.data

    def script(self, seat: int, attack: np.void) -> None:
        """The next attack of a seat is this one, whatever it holds."""
        self.hidden["decisions"][0, 2 * seat] = SCRIPTED_ATTACK
        self.hidden["params"][0, seat] = self.params.ctypes.data
        self.params[0]["cards"], self.params[0]["order"], self.params[0]["dump"] = attack["cards"], attack["order"], attack["dump"]
        self.params[0]["n_parts"] = attack["n_parts"]
        for i in range(3):
            kind = {SUPERBLOW: attack["base_force"], WEAK_MARRIAGE: MARRIAGE}.get(int(attack["kind"][i]), attack["kind"][i])
            self.params[0][f"kind{i}"], self.params[0][f"part{i}"] = kind, attack["part"][i]

    def deal_anew(self, seat: int, laid: int, rng: np.random.Generator) -> bool:
        """Change what ``seat`` does not know: the order of the stock, and cards in other hands but ``laid`` ones; False if there is nothing."""
        hands, deck, first = self.hidden["hands"][0], self.hidden["deck"][0], int(self.hidden["next_card"][0])
        last = 35 if self.view["stock_size"][0] else 36  # the turned card stays where all know it to be
        slots = [int(card) for card in deck[first:last]]
        free = {}
        for other in range(self.players):
            if other != seat:
                unknown = int(hands[other]) & ~int(self.view["known"][0, other]) & ~laid
                free[other] = [card for card in range(36) if unknown >> card & 1]
                slots += free[other]
        slots = [slots[i] for i in rng.permutation(len(slots))]
        deck[first:last] = slots[: last - first]
        slots = slots[last - first :]
        for other, cards in free.items():
            hands[other] &= ~sum(1 << card for card in cards)
            hands[other] |= sum(1 << card for card in slots[: len(cards)])
            slots = slots[len(cards) :]
        return last - first + sum(map(len, free.values())) > 1


SCRIPTED_ATTACK = player("scripted", SCRIPTED).compile(GAME)[0]
CHOSEN = ("cards", "order", "dump", "beats", "take")


def chosen(move: np.void) -> tuple[object, ...]:
    """What a move says (beaters and parts as far as they count)."""
    return (*(int(move[name]) for name in CHOSEN), move["beater"].tobytes(), move["kind"][: max(0, move["n_parts"])].tobytes())


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_card_changes_no_choice(name: str, players: int, full: bool) -> None:
    """In every bout of some deals the cards that a seat cannot know are dealt anew, and it makes the same move (K-0)."""
    rng = np.random.default_rng(7)
    changed = 0
    for _ in range(200 if full else 12):
        position = Seated(name, players, rng)
        for _ in range(60):
            before = [record.copy() for record in position.records]

            def back(before: list[np.ndarray] = before, position: Seated = position) -> None:
                for record, old in zip(position.records, before, strict=True):
                    record[:] = old

            result = position._step(BOUT)
            assert not position.fault
            attack, answer = position.moves[0].copy(), position.moves[1].copy()
            after = [record.copy() for record in position.records]
            attacker = int(before[0]["attacker"][0])
            back()
            if position.deal_anew(attacker, 0, rng):
                position._step(BOUT)
                assert chosen(position.moves[0]) == chosen(attack)
                changed += 1
            if attack["cards"]:
                back()
                position.script(attacker, attack)
                if position.deal_anew((attacker + 1) % players, int(attack["cards"]), rng):
                    position._step(BOUT)
                    assert not position.fault
                    assert chosen(position.moves[1]) == chosen(answer)
                    changed += 1
            for record, new in zip(position.records, after, strict=True):
                record[:] = new
            if result >= 0:
                break
    assert changed > 100


OWN = '''"""A bot."""
from simcore.games.kombinator.moves import cheapest, give_up, play_single
from simcore.strategy import Strategy

def attack(view, rules, params, work, move):
    return play_single(cheapest(view.hand, view.trump_cards), 0, move)

def defend({arguments}):
    return {result}

cautious = Strategy("Sheds.", {{"attack": attack, "defend": defend}})
'''


def own(folder: Path, arguments: str = "view, rules, params, work, move", result: str = "give_up(-1, move)") -> str:
    (folder / "mybots.py").write_text(OWN.format(arguments=arguments, result=result))
    return f"{folder / 'mybots.py'}:cautious"


def test_a_users_own_file_plays(tmp_path: Path) -> None:
    assert len(Table(rules(), [own(tmp_path), "greedy"], 2, 1).play(0, 5).games) == 5


def test_a_wrong_signature_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mybots\.py: cautious, line 8: the decision 'defend' takes \(view, move\)"):
        load(own(tmp_path, "view, move"), GAME)


def test_what_does_not_compile_or_is_illegal_is_said(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="defend.*does not compile"):
        Table(rules(), [own(tmp_path, result="view.hands")], 2, 1).play(0, 1)
    with pytest.raises(StrategyError, match="did not return True"):
        Table(rules(), [own(tmp_path, result="False")], 2, 1).play(0, 1)


@pytest.mark.parametrize(
    ("written", "record"), [("view.hand = 0", "view"), ("view.sizes[0] -= 1", "view"), ("rules.points[2], a = 9, 1", "rules"), ("params.x = 1", "params")]
)
def test_what_is_the_games_is_not_written_into(tmp_path: Path, written: str, record: str) -> None:
    """The kernel goes by the view and checks moves by it."""
    own(tmp_path)
    file = tmp_path / "mybots.py"
    file.write_text(
        file.read_text().replace("def defend(view, rules, params, work, move):\n", f"def defend(view, rules, params, work, move):\n    {written}\n")
    )
    with pytest.raises(InputError, match=rf"mybots\.py: cautious, line 9: the decision 'defend' writes into {record}, which is the game's"):
        load(f"{file}:cautious", GAME)
    file.write_text(file.read_text().replace(written, "work.memory[0] = view.hand"))
    load(f"{file}:cautious", GAME)


def test_mistakes_are_said_in_the_words_of_the_author(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"there is no field 'stock_sise'\. Did you mean 'stock_size'\?"):
        Table(rules(), [own(tmp_path, result="view.stock_sise")], 2, 1).play(0, 1)
    with pytest.raises(StrategyError, match="there is no field 'trump' in the record that it is asked of: view has it"):
        Table(rules(), [own(tmp_path, result="params.trump")], 2, 1).play(0, 1)
    with pytest.raises(StrategyError, match="cannot be compiled for these values: decisions have whole numbers, loops"):
        Table(rules(), [own(tmp_path, result='{"a": 1}["a"] > 0')], 2, 1).play(0, 1)
    with pytest.raises(StrategyError, match="must return True or False"):
        Table(rules(), [own(tmp_path, result="None")], 2, 1).play(0, 1)
    with pytest.raises(InputError, match="name one of its strategies"):
        load("mybots.py", GAME)
    with pytest.raises(InputError, match=r"strategies are a list.* such as \['greedy'\], got a text"):
        Table(rules(), "greedy")
    with pytest.raises(InputError, match="default, 9, is not from 0 to 7"):
        Param(9, 0, 7, "")


@pytest.mark.parametrize("text", ["gredy", "builder(patienc=1)", "builder(patience=x)", "builder(patience=101)", "nofile.py:x"])
def test_wrong_names_and_parameters(text: str) -> None:
    with pytest.raises(InputError):
        load(text, GAME)
