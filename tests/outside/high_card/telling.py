"""A game told to a person."""


def tell(events, ruleset, lang="en", colour=False):
    """The lines of one game."""
    for event in events:
        yield " ".join(f"{value}" for key, value in event.items() if key not in ("options", "points"))
