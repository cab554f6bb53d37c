"""Single bouts, endings and choices from positions made by hand, played by the kernel itself.

A `Bench` is a position. Cards are written "Qs Kd", moves are made by `lay`, `beat` and `give_up`, declared combinations are written
"pair Qs Qh; marriage Qd Kd"; where nothing is declared (None) the game splits the cards as K-23 says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simcore.cards import Pack
from simcore.compiled import hash_of, kernel
from simcore.game import checker, get, schema
from simcore.games.kombinator import names
from simcore.games.kombinator.bout import ask, play_bout
from simcore.games.kombinator.legal import FAULTS
from simcore.games.kombinator.play import choose_leader, deal_ending, end_deal, winners
from simcore.games.kombinator.rows import SCORE
from simcore.games.kombinator.rules import pack
from simcore.games.kombinator.splits import default_split
from simcore.games.kombinator.view import HIDDEN, INVULNERABLE, MAX_PARTS, MOVE, UNDECLARED, VIEW, WORK
from simcore.recording import write_cells
from simcore.records import TALLY
from simcore.ruleset import Ruleset, resolve
from simcore.simulate import Table
from simcore.strategy import NO_PARAMS, Param, Player, Strategy, compile_decision, load

GAME = get("kombinator")
PACK = Pack(schema("kombinator").pack)
ITEMS, ROLES = names.ITEMS, names.ROLES
ORDER = {None: 0, "invulnerable": 1, "reinforced": 2, "assembly": 3}
BOUT, END, LEADER, WINNERS = range(4)
GAME_IS_OVER = 100


# --- what is compiled ---------------------------------------------------------------------------------------------------------------------


@kernel
def step(what: int, argument: int, views: Any, rule_records: Any, hiddens: Any, moves: Any, works: Any, tallies: Any) -> int:
    """One thing that happens in a deal, and the tallies that it leaves."""
    view, rules, hidden = views[0], rule_records[0], hiddens[0]
    hidden.n_tallies = 0
    hidden.fault = 0
    result = 0
    if what == BOUT:
        view.bout += 1
        over = play_bout(view, rules, hidden, moves[0], moves[1], None)
        if hidden.fault == 0:
            result = GAME_IS_OVER if over == SCORE else deal_ending(view, rules)
    elif what == END:
        result = GAME_IS_OVER if end_deal(view, rules, hidden, argument, None) else 0
    elif what == LEADER:
        choose_leader(view, rules, hidden)
    else:
        result = winners(view, argument)
    write_cells(hidden, view.deal, len(names.ITEMS), len(names.ROLES), tallies)
    return result


@kernel
def ask_often(decision: int, views: Any, rule_records: Any, hiddens: Any, moves: Any, out: Any) -> int:
    """Ask the seat that has to choose once a row of ``out``: cards, order, dump, beats, packed beaters, take, parts; 1 if all was legal."""
    view, rules, hidden, move = views[0], rule_records[0], hiddens[0], moves[0]
    seat = view.defender if decision else view.attacker
    for i in range(len(out)):
        if not ask(view, rules, hidden, seat, decision, move):
            return 0
        out[i, 0] = move.cards
        out[i, 1] = move.order
        out[i, 2] = move.dump
        out[i, 3] = move.beats
        out[i, 4] = 0
        for j in range(7):
            out[i, 4] |= (move.beater[j] & 63) << (6 * j)
        out[i, 5] = move.take
        out[i, 6] = 0 if move.cards == 0 and not move.beats else move.n_parts
        for j in range(3):
            out[i, 7 + j] = move.kind[j]
            out[i, 10 + j] = move.part[j]
    return 1


def _scripted_attack(view, rules, params, work, move):  # type: ignore[no-untyped-def]
    move.cards = params.cards
    move.order = params.order
    move.dump = params.dump
    move.n_parts = params.n_parts
    move.kind[0], move.kind[1], move.kind[2] = params.kind0, params.kind1, params.kind2
    move.part[0], move.part[1], move.part[2] = params.part0, params.part1, params.part2
    return True


def _scripted_defence(view, rules, params, work, move):  # type: ignore[no-untyped-def]
    move.beats = params.beats
    for i in range(7):
        move.beater[i] = params.beaters >> (6 * i) & 63
    move.take = params.take
    move.n_parts = params.n_parts
    move.kind[0], move.kind[1], move.kind[2] = params.kind0, params.kind1, params.kind2
    move.part[0], move.part[1], move.part[2] = params.part0, params.part1, params.part2
    return True


def _shed_attack(view, rules, params, work, move):  # type: ignore[no-untyped-def]
    """Play the highest card, hand the right to attack over by a pass, and so on by turns."""
    if work.memory[0] == view.bout - 1 and work.memory[0] > 0:
        return True
    work.memory[0] = view.bout
    top = view.hand
    while top & (top - 1):
        top &= top - 1
    move.cards = top
    move.n_parts = 0
    return True


def _shed_defence(view, rules, params, work, move):  # type: ignore[no-untyped-def]
    """Never beat; with an empty stock take the card if the strategy goes round in circles."""
    if params.circle and view.stock_size == 0:
        card = 0
        while view.attack >> card > 1:
            card += 1
        move.take = card
    return True


_FIELDS = ("cards", "order", "dump", "beats", "beaters", "take", "n_parts", *(f"{name}{i}" for i in range(MAX_PARTS) for name in ("kind", "part")))
_WHATEVER = Param(0, -(2**63), 2**63 - 1, "")
SCRIPTED = Strategy("plays what its parameters say", {"attack": _scripted_attack, "defend": _scripted_defence}, dict.fromkeys(_FIELDS, _WHATEVER))
SHED = Strategy("sheds single cards, highest first, by turns", {"attack": _shed_attack, "defend": _shed_defence}, {"circle": Param(0, 0, 1, "take for ever")})


@cache
def _code_key() -> str:
    return hash_of([Path(__file__)], Path(__file__).parent)


def player(name: str, strategy: Strategy, **values: int) -> Player:
    """A strategy of the tests with parameters."""
    return Player(name, strategy, {**{key: param.default for key, param in strategy.params.items()}, **values}, __file__, _code_key())


def table_of(rules: Ruleset, *players: Player, seed: int = 1) -> Table:
    """A table at which strategies of the tests sit."""
    table = Table(rules, ["random"], len(players), seed)
    table.seats = players
    return table


@cache
def _addresses() -> tuple[list[int], list[int], int]:
    splitter: int = compile_decision(default_split, GAME, NO_PARAMS).address
    return player("scripted", SCRIPTED).compile(GAME), load("random", GAME).compile(GAME), splitter


@cache
def ruleset(*settings: str) -> Ruleset:
    """Kombinator with options and points set as on the command line."""
    return resolve(schema("kombinator"), None, settings, checker("kombinator"))


# --- moves --------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Move:
    """What a scripted player does."""

    fields: dict[str, int]


def mask(text: str) -> int:
    """Cards as a mask."""
    return sum(1 << PACK.card(card) for card in text.split())


def _parts(declared: str | None) -> dict[str, int]:
    if declared is None:
        return {"n_parts": UNDECLARED}
    fields: dict[str, int] = {}
    pieces = [piece.split(maxsplit=1) for piece in declared.split(";") if piece.strip()]
    for i, (kind, cards) in enumerate(pieces):
        fields |= {f"kind{i}": ITEMS.index(kind), f"part{i}": mask(cards)}
    return {"n_parts": len(pieces), **fields}


def lay(cards: str, declared: str | None = None, order: str | None = None, dump: bool = False) -> Move:
    """An attack."""
    return Move({"cards": mask(cards), "order": ORDER[order], "dump": int(dump), "take": -1, **_parts(declared)})


def beat(pairs: str, declared: str | None = None) -> Move:
    """A defence, "attacking>beating" by pair."""
    laid = sorted([PACK.card(card) for card in pair.split(">")] for pair in pairs.split())
    return Move({"beats": 1, "beaters": sum(beater << 6 * i for i, (_, beater) in enumerate(laid)), "take": -1, **_parts(declared)})


def give_up(take: str | None = None) -> Move:
    """A defence that does not beat, and takes one of the cards or none."""
    return Move({"take": -1 if take is None else PACK.card(take), "n_parts": UNDECLARED})


PASS = Move({"take": -1, "n_parts": UNDECLARED})


# --- positions ----------------------------------------------------------------------------------------------------------------------------


class Bench:
    """A position in a deal. ``stock`` is written in the order of drawing; its last card is the turned one, face up under it."""

    def __init__(self, *hands: str, stock: str = "", trump: str | None = "d", settings: tuple[str, ...] = (), attacker: int = 0, **public: Any):
        """Further keywords are fields of the view, a number or one by seat (``scores=[5, 100]``, ``orders=[1, 0]``, ``bout=3``)."""
        self.players = len(hands)
        self.rules = pack(ruleset(*settings))
        self.view, self.hidden = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
        self.works = np.zeros(self.players + 1, WORK)
        self.works["top"] = -1
        self.works["stream"] = np.random.default_rng(5).integers(2**63, size=(self.players + 1, 2), dtype=np.uint64) | np.uint64(1)
        self.moves = np.zeros(2, MOVE)
        self.params = np.zeros(self.players, player("scripted", SCRIPTED).params.dtype)
        cards = [PACK.card(card) for card in stock.split()]
        suit = -1 if trump is None else "shdc".index(trump)
        n = self.players
        self.view["players"], self.view["trump"], self.view["attacker"], self.view["deal"] = n, suit, attacker, 1
        self.view["trump_cards"] = 0 if suit < 0 else 0x111111111 << suit
        self.view["turned"], self.view["stock_size"] = cards[-1] if cards else -1, len(cards)
        self.view["scores"][0, :n] = 100
        for seat, hand in enumerate(hands):
            self.hidden["hands"][0, seat] = mask(hand)
            self.view["sizes"][0, seat] = len(hand.split())
        self.hidden["deck"][0, 36 - len(cards) :] = cards
        self.hidden["next_card"] = 36 - len(cards)
        for name, value in public.items():
            if isinstance(value, list):
                self.view[name][0, :n] = value
            else:
                self.view[name] = value
        scripted, _, splitter = _addresses()
        self.hidden["decisions"][0, : 2 * n] = scripted * n
        self.hidden["splitter"] = splitter
        self.hidden["told"] = self.rules.ctypes.data
        self.hidden["split_work"] = self.works.ctypes.data + WORK.itemsize * n
        self.hidden["works"][0, :n] = self.works.ctypes.data + WORK.itemsize * np.arange(n)
        self.hidden["params"][0, :n] = self.params.ctypes.data + self.params.itemsize * np.arange(n)
        self.fault = ""
        self.ending: str | None = None
        self.game_over = False
        self.tallies: dict[tuple[int, str, str], tuple[int, int]] = {}
        self.lost: list[int] = []

    def _step(self, what: int, argument: int = 0) -> int:
        rows = np.zeros(1000, TALLY)
        before = self.scores
        result = int(step(what, argument, self.view, self.rules, self.hidden, self.moves, self.works, rows))
        self.fault = FAULTS.get(int(self.hidden["fault"][0]), "")
        written = rows[: int(self.hidden["n_tallies"][0])]
        self.tallies = {(int(r["seat"]), ITEMS[r["item"]], ROLES[r["role"]]): (int(r["count"]), int(r["points"])) for r in written}
        self.lost = [old - new for old, new in zip(before, self.scores, strict=True)]
        self.game_over = result == GAME_IS_OVER
        return result

    def bout(self, attack: Move, answer: Move = PASS) -> Bench:
        """Play one bout: ``fault`` says what was illegal, ``lost`` what it cost whom, ``ending`` whether it ended the deal."""
        attacker = int(self.view["attacker"][0])
        self.params[:] = 0
        for seat, move in ((attacker, attack), ((attacker + 1) % self.players, answer)):
            for name, value in move.fields.items():
                self.params[name][seat] = value
        result = self._step(BOUT)
        self.ending = "game_over" if self.game_over else None if result < 0 or self.fault else names.DEAL_ENDINGS[result]
        return self

    def end(self, reason: str) -> Bench:
        """End the deal."""
        self._step(END, names.DEAL_ENDINGS.index(reason))
        return self

    def leader(self, deal: int, out: tuple[int, ...] = (), dealer: int = 0, last_leader: int = 0) -> tuple[int, str]:
        """Who leads a deal, and why."""
        self.view["deal"], self.view["dealer"], self.view["leader"] = deal, dealer, last_leader
        self.hidden["out"] = sum(1 << seat for seat in out)
        self._step(LEADER)
        assert self.view["attacker"][0] == self.view["leader"][0]
        return int(self.view["leader"][0]), names.LEADS[int(self.hidden["lead"][0])]

    def winners(self, reason: str = "score") -> list[int]:
        """Who wins at these scores."""
        bits = self._step(WINNERS, names.GAME_ENDINGS.index(reason))
        return [seat for seat in range(self.players) if bits >> seat & 1]

    def random_choices(self, times: int, decision: int, attack: str = "", unbeatable: bool = False) -> np.ndarray:
        """What the strategy `random` chooses in this position (rows of `ask_often`); every choice is legal."""
        self.hidden["decisions"][0, : 2 * self.players] = _addresses()[1] * self.players
        self.view["defender"] = (self.view["attacker"] + 1) % self.players
        self.view["attack"], self.view["unbeatable"] = mask(attack), int(unbeatable)
        self.view["attack_order"] = INVULNERABLE if unbeatable else 0
        out = np.zeros((times, 13), np.int64)
        assert ask_often(decision, self.view, self.rules, self.hidden, self.moves, out)
        return out

    def get(self, name: str, seat: int | None = None) -> int:
        """A field of the view."""
        field = self.view[name][0]
        return int(field if seat is None else field[seat])

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.view["scores"][0, : self.players]]

    def hand(self, seat: int) -> str:
        """The cards of a hand."""
        return " ".join(PACK.hand(int(self.hidden["hands"][0, seat])))
