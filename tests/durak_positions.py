"""Positions of durak made by hand, and players that do what a test tells them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit

from simcore.api import rules
from simcore.bits import lowest
from simcore.cards import Pack
from simcore.compiled import OPTIONS, cache_folder, cached_in, inner
from simcore.game import get
from simcore.games.durak.beating import beaters
from simcore.games.durak.deck import pack_of
from simcore.games.durak.legal import FAULTS, NO_ANSWER
from simcore.games.durak.play import emit_deal_end, play_bouts, score_deal, set_trumps
from simcore.games.durak.rows import EVENT_WIDTH
from simcore.games.durak.rules import pack as pack_rules
from simcore.games.durak.transcript import decode
from simcore.games.durak.view import DECISIONS, HIDDEN, MEMORY, MOVE, VIEW, WORK
from simcore.simulate import Table
from simcore.strategy import Player, Strategy, load

Event = dict[str, Any]


# --- a player that follows a script -------------------------------------------------------------------------------------------------------
#
# Its moves stand in its notes as masks, one after the other from place 0 on; the last places of the notes are how many there are, how many were made, and 1
# where it gives no answer at the end of the script, so that the game stops there. Otherwise it does nothing then.

LENGTH, MADE, STOPS = MEMORY - 3, MEMORY - 2, MEMORY - 1


@inner
def _next(work: Any) -> int:
    """The next mask, 0 at the end of the script."""
    work.memory[MADE] += 1
    return work.memory[work.memory[MADE] - 1] if work.memory[MADE] <= work.memory[LENGTH] else 0


@inner
def _answers(work: Any) -> bool:
    return work.memory[STOPS] == 0 or work.memory[MADE] <= work.memory[LENGTH]


def _follow(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads, or throws in, the cards of the next mask."""
    move.cards = _next(work)
    return _answers(work)


def _cover(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Covers with each card of the next mask the lowest open card that it beats, or that is left; takes where the mask is empty."""
    cards, left = _next(work), view.open
    while cards:
        other = lowest(cards)
        cards &= cards - 1
        card = lowest(left if left else view.open)
        rest = left
        while rest:
            if beaters(lowest(rest), view) >> other & 1:
                card = lowest(rest)
                break
            rest &= rest - 1
        left &= ~(1 << card)
        move.attacking[move.n_pairs] = card
        move.covering[move.n_pairs] = other
        move.n_pairs += 1
    return _answers(work)


SCRIPT = Strategy("Does what its notes say.", {"attack": _follow, "defend": _cover, "throw_in": _follow})


def compiled(function: Callable[..., Any]) -> Any:
    """Compile an entry point of these tests; its machine code is kept as long as the sources of the game are the same."""
    with cached_in(cache_folder("durak")) as possible:
        return njit(cache=possible, **OPTIONS)(function)


@compiled
def _play(views: Any, rule_records: Any, hiddens: Any, moves: Any, events: Any) -> None:
    view, rules_, hidden = views[0], rule_records[0], hiddens[0]
    set_trumps(view, rules_)
    reason = play_bouts(view, rules_, hidden, moves, events)
    if hidden.fault == 0:
        score_deal(view, rules_, hidden, reason)
        emit_deal_end(view, hidden, reason, events)


def _run(
    hands: Sequence[str],
    script: Sequence[Sequence[str]],
    *,
    trump: str = "6d",
    stock: str = "",
    leader: int = 0,
    beaten: bool = True,
    bouts: int = 1,
    ranks: Sequence[int] = (),
    stops: bool = False,
    player: Player | None = None,
    **changes: Any,
) -> tuple[Any, Any, list[Event]]:
    """Play from a position, in which all other cards were beaten: the records VIEW and HIDDEN as they are then, and the events."""
    ruleset = rules("durak", max_bouts=bouts, **changes)
    table = Table(ruleset, ["random"], len(hands))
    script_player = Player("script", SCRIPT, {}, __file__, "durak-script")
    table.seats = (player or script_player, *(script_player,) * (len(hands) - 1))
    engine: Any = table.engine
    pack = pack_of(ruleset)
    masks = [pack.mask(hand.split()) for hand in hands]
    cards = [pack.card(card) for card in stock.split()]
    views, hidden, works, moves = np.zeros(1, VIEW), np.zeros(1, HIDDEN), np.zeros(len(hands), WORK), np.zeros(len(hands) + 1, MOVE)
    view, secret = views[0], hidden[0]
    view["players"], view["leader"], view["deal"], view["stock_size"] = len(hands), leader, 1, len(cards)
    view["turned"] = pack.card(trump)
    view["trump"] = view["turned"] & 3
    view["sizes"][: len(hands)] = [mask.bit_count() for mask in masks]
    view["scores"][: len(ranks)] = ranks
    view["out"] = sum(1 << seat for seat, mask in enumerate(masks) if not mask and not cards)
    view["discarded"] = (1 << pack.size) - 1 & ~sum(masks) & ~sum(1 << card for card in cards)
    secret["hands"][: len(hands)] = masks
    secret["beaten"], secret["hung_by"] = beaten, -1
    secret["deck"][: len(cards)] = cards
    secret["decisions"][: DECISIONS * len(hands)] = engine.addresses.ravel()
    secret["params"][: len(hands)] = engine.params
    secret["works"][: len(hands)] = works.ctypes.data + WORK.itemsize * np.arange(len(hands))
    for seat, moves_of_seat in enumerate(script):
        assert len(moves_of_seat) < LENGTH
        works[seat]["memory"][: len(moves_of_seat)] = [pack.mask(text.split()) for text in moves_of_seat]
        works[seat]["memory"][LENGTH], works[seat]["memory"][STOPS] = len(moves_of_seat), stops
    events = np.zeros((500, EVENT_WIDTH), np.int64)
    _play(views, engine.rules, hidden, moves, events)
    return view, secret, decode(events[: secret["n_events"]], table, 0)[1:]


def position(hands: Sequence[str], script: Sequence[Sequence[str]], **given: Any) -> list[Event] | str:
    """Play some bouts from a position; returns the events with the end of the deal, or what is wrong with a move.

    Args:
        hands: The cards of each seat; without any a seat is out.
        script: The moves of each seat, in the order in which it is asked: cards that are led or thrown in, cards that cover, ``""`` to decline or take.
        given: ``trump``, the turned card, whose suit counts; ``stock``, in drawing order; ``leader``; ``beaten``, whether a bout has been beaten before, so
            that the limit of the first one is over; ``bouts``, after which the deal is cut off; ``ranks`` that each seat hangs in epaulettes, 0 for sixes;
            options.
    """
    _, secret, events = _run(hands, script, **given)
    return FAULTS[int(secret["fault"])] if secret["fault"] else events


PACK = Pack()


def view_of(seat: int, hands: Sequence[str], script: Sequence[Sequence[str]], **given: Any) -> Any:
    """The record VIEW as ``seat`` is given it when its script is at its end; the others' must be longer."""
    view, secret, _ = _run(hands, script, stops=True, **given)
    assert (secret["fault"], secret["fault_seat"]) == (NO_ANSWER, seat)
    return view


def lead_of(strategy: str, hands: Sequence[str], **given: Any) -> list[str]:
    """The cards that a built-in player on seat 0 leads."""
    _, secret, events = _run(hands, [[]] * len(hands), player=load(strategy, get("durak")), **given)
    assert not secret["fault"]
    cards: list[str] = events[0]["cards"]
    return cards


def told(events: list[Event] | str) -> list[str]:
    """Events in few words: ``0 leads 6s``, ``1 covers 6s 7s``, ``0 throws 7h``, ``0 done``, ``1 takes``, ``beaten``, ``taken``, ``0 draws 8s``, ``fool 1``."""
    assert not isinstance(events, str), events
    lines = []
    for event in events:
        kind, seat = event["event"], event.get("seat")
        match kind:
            case "attack" | "throw_in" | "draw":
                word = {"attack": "leads", "throw_in": "throws", "draw": "draws"}[kind]
                lines.append(f"{seat} {word} {' '.join(event['cards'])}")
            case "beat":
                lines.append(f"{seat} covers {' '.join(card for pair in event['pairs'] for card in pair)}")
            case "take" | "done" | "pass":
                lines.append(f"{seat} {kind}")
            case "bout_end":
                lines.append("beaten" if event["beaten"] else "taken")
            case "deal_end":
                lines.append(event["reason"] if event["fool"] is None else f"fool {event['fool']}")
    return lines


def end_of(events: list[Event] | str) -> Event:
    """The end of the deal."""
    assert not isinstance(events, str), events
    return events[-1]


@compiled
def _beaters(views: Any, rule_records: Any, card: int) -> int:
    set_trumps(views[0], rule_records[0])
    found: int = beaters(card, views[0])
    return found


def beaten_table(trump: str, plain_joker_beaten_by: str) -> dict[str, set[str]]:
    """By card of the pack of 54, the cards that beat it."""
    ruleset = rules("durak", deck="54", plain_joker_beaten_by=plain_joker_beaten_by)
    pack = pack_of(ruleset)
    views = np.zeros(1, VIEW)
    views["trump"] = pack.card(trump) & 3
    return {card: set(pack.hand(_beaters(views, pack_rules(ruleset), number))) for number, card in enumerate(pack.texts)}
