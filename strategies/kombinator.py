"""placeholder"""
from simcore.games.kombinator import moves
from simcore.games.kombinator.choices import attack_at_random, defend_at_random
from simcore.games.kombinator.combinations import points_of
from simcore.games.kombinator.legal import may_order
from simcore.games.kombinator.moves import *  # noqa
from simcore.games.kombinator.view import INVULNERABLE, REINFORCED, NO_ORDER
from simcore.strategy import Strategy, Param

def random_attack(view, rules, params, work, move):
    return attack_at_random(view, rules, work, move)
def random_defend(view, rules, params, work, move):
    return defend_at_random(view, rules, work, move)
random = Strategy("Plays uniformly at random among legal choices.", {"attack": random_attack, "defend": random_defend})

def greedy_attack(view, rules, params, work, move):
    n = study_attack(view, rules, work)
    best = 0
    for i in range(1, n):
        cover = work.cover[i]
        if work.value[cover] > work.value[best]:
            best = cover
    if best:
        return play_cover(best, NO_ORDER, work, move)
    return play_single(cheapest(view.hand, view.trump_cards), NO_ORDER, move)

def greedy_defend(view, rules, params, work, move):
    best, points = -1, -1
    for i in range(study_defence(view, rules, work)):
        p = defence_points(i, rules, work)
        if p > points:
            best, points = i, p
    if best < 0:
        return give_up(-1, move)
    return beat_with(best, work, move)
greedy = Strategy("", {"attack": greedy_attack, "defend": greedy_defend})
