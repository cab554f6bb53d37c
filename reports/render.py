"""Writes a report: the page, the Markdown and the JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from reports import data
from reports.comparison import comparison, rows
from reports.document import Document, Picture
from reports.numbers import NARROW
from reports.sections import document
from reports.style import Figure, standalone
from reports.texts import Texts

NAMES = ("report.html", "report.md", "report.json")
FIGURES, DATA = "figures", "data"
"""Folders beside the report: the figures as SVG and PNG, the numbers as CSV and Parquet."""


def render(summary: Mapping[str, Any], lang: str, out_dir: str | os.PathLike[str]) -> dict[str, Path]:
    """Writes ``report.html``, ``report.md`` and ``report.json`` of a summary, and beside them its figures and its numbers.

    The page is one file that needs nothing else. The same summary and language give the same bytes.

    Args:
        summary: What `experiments.summary.summary` returns.
        lang: ``en`` or ``ru``.
        out_dir: Folder to write to; made where it does not exist. Reports in it are replaced.

    Returns:
        Path of each file by its name, and of the folders ``figures`` and ``data``.

    Raises:
        ValueError: If there is no such language.
        OSError: If the folder cannot be written to.
    """
    texts = Texts(lang, summary["ruleset"]["words"])
    return _write(document(summary, lang), texts, summary, data.frames(summary), Path(out_dir))


def render_comparison(found: Mapping[str, Any], lang: str, out_dir: str | os.PathLike[str]) -> dict[str, Path]:
    """The same for what `experiments.side_by_side.side_by_side` returns. Arguments, result and errors as for `render`."""
    texts = Texts(lang, found["runs"][0]["ruleset"]["words"])
    frames = {"measures": data.frame(rows(found))}
    return _write(comparison(found, lang), texts, found, frames, Path(out_dir))


def _write(made: Document, texts: Texts, found: Mapping[str, Any], frames: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    """Writes a report in all its forms."""
    written = {
        "report.html": page(made, texts),
        "report.md": markdown(made, texts),
        "report.json": json.dumps(dict(found) | {"figures": _data(made)}, ensure_ascii=False, indent=1, allow_nan=False) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    before = _drawn_before(folder)
    paths = {}
    for name in NAMES:
        paths[name] = folder / name
        unfinished = folder / f".{name}.part"
        unfinished.write_text(written[name], "utf-8")
        unfinished.replace(paths[name])
    paths |= {FIGURES: folder / FIGURES, DATA: folder / DATA}
    paths[FIGURES].mkdir(exist_ok=True)
    for drawn in _figures(made):
        (paths[FIGURES] / f"{drawn.key}.svg").write_text(standalone(drawn), "utf-8")
        (paths[FIGURES] / f"{drawn.key}.png").write_bytes(drawn.png)
    for key in before - {drawn.key for drawn in _figures(made)}:
        for kind in ("svg", "png"):
            (paths[FIGURES] / f"{key}.{kind}").unlink(missing_ok=True)
    data.write(frames, paths[DATA])
    return paths


def _drawn_before(folder: Path) -> set[str]:
    """Keys of the figures of the report that a folder has now, if it has one."""
    try:
        return set(json.loads((folder / "report.json").read_text("utf-8"))["figures"])
    except (OSError, ValueError, KeyError):
        return set()


def page(made: Document, texts: Texts) -> str:
    """The report as one HTML page."""
    return _environment(autoescape=True).get_template("page.html").render(report=made, texts=texts)


def markdown(made: Document, texts: Texts) -> str:
    """The report as Markdown."""
    return _environment(autoescape=False).get_template("page.md").render(report=made, texts=texts)


def _figures(made: Document) -> list[Figure]:
    """The figures of a report in their order."""
    return [block.figure for section in made.sections for block in section.blocks if isinstance(block, Picture)]


def _data(made: Document) -> dict[str, Any]:
    """Title and data of each figure by its key."""
    return {drawn.key: {"title": drawn.title, "data": drawn.data} for drawn in _figures(made)}


def _plain(text: object) -> str:
    """A text as Markdown says it: tags and pipes stay text, narrow spaces become those of every font."""
    return re.sub(r"<(?=[A-Za-z/!])", r"\<", str(text)).replace("|", "\\|").replace(NARROW, "\u00a0")


def _environment(*, autoescape: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = _plain
    return environment
