"""Kombinator, by Konstantin Dvornikov: 36 cards, two to nine players, 25 combinations that take points from the opponent.

The rulebook in short, with the numbers that code, tests and reports cite.

Play. Four cards each, the next card turned up for trump (K-4). The attacker plays a card, or combinations that together are no more than the defender
holds, or passes and draws (K-20 to K-24). The defender beats all of it card by card or yields (K-40). Beaten: the attacker loses the points of the
combinations among the beating cards, and something for each court card, and the defender leads (K-42). Not beaten: the defender loses the points of the
attack, and may take one card for an unbeatable credit to the attacker (K-43 to K-45). A trump on a card of its own rank earns an order (K-50).

Ends. A deal ends when somebody is out of cards with the stock empty (K-70), or by passes (K-71, K-72); hands that are left cost points. The game ends
when a score that began at 100 is used up (K-80).

House choices are options of ``rules.toml``. Two guards end what could go on for ever: ``max_bouts`` a deal (K-73) and ``max_deals`` a game (K-83).

Modules, bottom up: combinations (what they are, finding them), splits (the best division of cards), view (records), legal (what may be done), rows,
scoring, play (the kernel); moves and choices (what strategies build on); rules (ruleset to numbers), engine (kernel to Python), transcript.
"""

from __future__ import annotations

from simcore.game import Account, Game
from simcore.games.kombinator import names
from simcore.games.kombinator.account import effect, parts
from simcore.games.kombinator.engine import KombinatorEngine
from simcore.games.kombinator.view import MOVE_TYPE, RULES_TYPE, VIEW_TYPE, WORK_TYPE

GAME = Game(
    key="kombinator",
    decisions=("attack", "defend"),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS, "lead": names.LEADS}},
    view_type=VIEW_TYPE,
    rules_type=RULES_TYPE,
    work_type=WORK_TYPE,
    move_type=MOVE_TYPE,
    engine=KombinatorEngine,
    account=Account(effect=effect, parts=parts, start="start_score", floor=0, broken="game_over"),
)
