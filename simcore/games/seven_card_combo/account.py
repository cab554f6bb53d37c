"""Whose score changes by what is tallied, see `simcore.game.Account`."""

from __future__ import annotations


def effect(item: str, role: str) -> tuple[int, int]:
    """Loose cards and the bonus that counts are added to the own total (S15 to S17); what is only held or only covers cards changes nothing."""
    return 0, int(role == "counted")
