import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.cards import SUITS, Pack
from simcore.errors import InputError

PACK = Pack()
WHOLE = Pack("A23456789TJQK")


def test_a_card_is_rank_times_four_plus_suit() -> None:
    assert PACK.size == 36
    assert PACK.text(0) == "6s"  # the six of spades, which makes a jackpot
    assert PACK.text(35) == "Ac"
    for rank, letter in enumerate(PACK.ranks):
        for suit, sign in enumerate(SUITS):
            assert PACK.card(letter + sign) == rank * 4 + suit


def test_a_pack_states_its_own_order() -> None:
    assert WHOLE.size == 52
    assert WHOLE.card("As") == 0
    assert PACK.card("As") == 32


@given(st.integers(0, 2**36 - 1))
def test_masks_and_texts_are_one_to_one(mask: int) -> None:
    assert PACK.mask(PACK.hand(mask)) == mask
    assert sum(1 << card for card in PACK.cards(mask)) == mask


@pytest.mark.parametrize(("written", "meant"), [("qs", "Qs"), ("10d", "Td"), ("QS", "Qs"), (" 6h ", "6h"), ("tC", "Tc")])
def test_people_may_write_cards_their_way(written: str, meant: str) -> None:
    assert PACK.text(PACK.card(written)) == meant


@pytest.mark.parametrize("text", ["", "Q", "s", "5s", "Qx", "Qss", "♠", "Д♥", "101s"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no card .* in this pack: a card is a rank out of 6789TJQKA and a suit out of shdc"):
        PACK.card(text)


def test_wrong_masks_and_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="'6s' is given twice"):
        PACK.mask(["6s", "7s", "6s"])
    with pytest.raises(InputError, match="36 bits"):
        PACK.hand(1 << 36)
    with pytest.raises(InputError, match="36 bits"):
        PACK.hand(-1)
    with pytest.raises(InputError, match="from 0 to 35, got 36"):
        PACK.text(36)
    with pytest.raises(InputError, match="from 0 to 35, got -1"):
        PACK.text(-1)


@pytest.mark.parametrize("ranks", ["", "66", "6789X", "aKQ"])
def test_wrong_packs_are_refused(ranks: str) -> None:
    with pytest.raises(InputError, match="a pack is made of different ranks"):
        Pack(ranks)


def test_pretty_cards() -> None:
    assert PACK.pretty("Ts") == "10♠"
    assert PACK.pretty("Qh", lang="ru") == "Д♥"
    assert PACK.pretty("Qh", colour=True) == "\x1b[31mQ♥\x1b[0m"
    assert PACK.pretty("Qc", colour=True) == "Q♣"
    assert PACK.pretty_hand(["Kd", "6s"]) == "K♦ 6♠"  # the order that was given
    assert PACK.pretty_hand(PACK.mask(["Kd", "6s"]), lang="ru") == "6♠ К♦"
