"""The events of the kernel, read back into the objects of a transcript."""

from itertools import groupby

from simcore.games.high_card import names
from simcore.games.high_card.rows import EV_CHANGE, EV_DEAL, EV_DEAL_END, EV_SCORE

from simcore.cards import Pack


def decode(rows, table, game):
    """The events of one game, from the kernel's rows."""
    pack, ruleset, scores = Pack(table.ruleset.schema.pack), table.ruleset, [0, 0]
    start = {"ruleset": ruleset.canonical, "options": dict(ruleset.options), "points": dict(ruleset.points), "seed": table.seed, "game": game}
    told = [{"event": "game", **start, "strategies": list(table.canonical_strategies), "seats": 2, "scores": [0, 0]}]
    deal = 0
    for kind, group in groupby(rows.tolist(), lambda row: row[0]):
        if kind == EV_SCORE:
            changes = []
            for _, seat, points, item, *_ in group:
                scores[seat] += points
                changes.append({"seat": seat, "delta": points, "reason": names.ITEMS[item], "rule": "H3"})
            told.append({"event": "score", "changes": changes, "scores": list(scores)})
            continue
        for _, seat, *fields in group:
            if kind == EV_DEAL:
                deal += 1
                deck = [pack.text(card) for card in fields[:12]]
                hands = [[deck[1]], [deck[0]]] if seat == 0 else [[deck[0]], [deck[1]]]
                told.append({"event": "deal", "deal": deal, "dealer": seat, "hands": hands, "stock": deck[2:], "leader": 1 - seat})
            elif kind == EV_CHANGE:
                told.append({"event": "change", "seat": seat, "card": pack.text(fields[0]) if fields[2] else None})
            elif kind == EV_DEAL_END:
                told.append({"event": "deal_end", "reason": names.DEAL_ENDINGS[seat], "scores": list(scores)})
            else:
                winners = [each for each in (0, 1) if scores[each] == max(scores)]
                told.append({"event": "game_end", "scores": list(scores), "winners": winners})
    return told
