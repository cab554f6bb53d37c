"""Every command and every snippet in the README and the docs works."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = [
    pytest.param(command, shown.splitlines(), id=f"{page.name}-{command[:60]}")
    for page in PAGES
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL)
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]
SNIPPETS = [
    pytest.param(snippet, id=f"{page.name}-{number}")
    for page in PAGES
    for number, snippet in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


FILES = {name: text for page in PAGES for name, text in re.findall(r"`([\w-]+\.toml)`[^`]*```toml\n(.*?)```", page.read_text(), re.DOTALL)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commands of a page build on each other, so they share a folder, with the files that the pages show, and run in their order."""
    folder = tmp_path_factory.mktemp("docs")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_command(command: str, shown: list[str], folder: Path) -> None:
    """It works, and prints what the page shows of it."""
    program, *arguments = shlex.split(command)
    assert program == "simcore"
    done = run(["-m", "cli", *arguments], folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    printed, expected = ({tuple(line.split()) for line in lines} for lines in (done.stdout.splitlines(), shown))
    assert expected <= printed


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippet(snippet: str, folder: Path) -> None:
    done = run(["-c", snippet], folder)
    assert done.returncode == 0, done.stderr


def test_the_strategy_of_the_docs_plays(folder: Path) -> None:
    page = (ROOT / "docs" / "adding-a-strategy.md").read_text()
    (snippet,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (folder / "mybots.py").write_text(snippet)
    (name,) = re.findall(r'`--strategy "(mybots.py:[^"]+)"`', page)
    done = run(["-m", "cli", "run", "kombinator", "--games", "50", "--strategy", name, "--out", "runs/bots"], folder)
    assert done.returncode == 0, done.stderr


def test_every_file_that_is_shown_is_used() -> None:
    assert len(FILES) == sum(page.read_text().count("```toml") for page in PAGES)
    commands = " ".join(str(command.values[0]) for command in COMMANDS)
    assert [name for name in FILES if name not in commands] == []


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
