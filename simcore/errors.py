"""The two kinds of mistake that are not the program's own, and the search for the name that was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """A mistake in what a user gave: an argument, a file, a name.

    Its text is one sentence that says what is wrong, where, and what is allowed. The command line prints it after
    ``simcore: error:`` on standard error and ends with exit code 2.

    Attributes:
        key: The option that is at fault, where whoever found the mistake knows it but not the place where the option
            was set; whoever read the ruleset puts that place before the text.
    """

    def __init__(self, text: str, *, key: str | None = None) -> None:
        """Takes the sentence, and the option that is at fault where there is one."""
        super().__init__(text)
        self.key = key


class StrategyError(RuntimeError):
    """A strategy that breaks its contract: a wrong signature, an illegal choice."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """The hint that ends an error about an unknown name.

    Case, hyphens and spaces count for nothing in the comparison, so ``Large-Row`` finds ``large_row``.

    Args:
        word: What the user wrote.
        allowed: The names that would have been right.

    Returns:
        ``" Did you mean 'x'?"``, with the space in front, or an empty text where no name is near.
    """
    by_plain = {_plain(name): name for name in allowed}
    found = get_close_matches(_plain(word), by_plain, n=1)
    return f" Did you mean {by_plain[found[0]]!r}?" if found else ""


def shown(value: object) -> str:
    """A value as an error shows it: as it stands in the file, and not too long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _plain(name: str) -> str:
    return name.casefold().strip().replace("-", "_").replace(" ", "_")
