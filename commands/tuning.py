"""The commands that look for better prices: what if, lint, price, check, sensitivity, tune."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from commands.options import WHOLE, shared
from commands.output import say, say_json, shown_progress, tell_of_compiling


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--confirm", is_flag=True, help="Also play games by the new table, on the same cards: how much do players adapt?")
@click.option("--games", type=WHOLE, default=20_000, metavar="N", help="Games to confirm with, at most those of the run; default 20,000.")
@shared("settings", "threads", "lang", "out", "as_json")
def whatif(run: Path, confirm: bool, games: int, settings: tuple[str, ...], threads: int | None, lang: str, out: Path | None, as_json: bool) -> None:
    """What if a pair were worth 4? The stored deals of a run under another point table, strategies held fixed."""
    from experiments import whatif as rescoring
    from reports.console_tuning import whatif as shown
    from simcore.game import schema

    tell_of_compiling()
    found: dict[str, Any] = rescoring.whatif(run, settings, threads)
    if confirm:
        with shown_progress() as progress:
            found["confirmed"] = rescoring.confirm(run, settings, games, threads, progress)
    if as_json:
        say_json(found, out)
    else:
        say(shown(found, schema(found["game"]), lang), out)


COMMANDS = (whatif,)
