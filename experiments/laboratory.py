"""Carries out an experiment file: a folder with a copy of the file, an answer for each question, and the records of its runs.

``experiment.toml`` is the file as it was, ``experiment.json`` says what is finished. An answer is written when it is known, so an experiment that was
stopped at any moment goes on with the first question that has none.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from experiments.experiment_file import Experiment, Question, read_experiment
from experiments.progress import Progress, Report
from experiments.run_folder import new_folder, read_json, write_json
from simcore.errors import InputError

COPY: Final = "experiment.toml"
STATE: Final = "experiment.json"
FORMAT: Final = 1


@dataclass(frozen=True)
class Answered:
    """A question with its answer.

    Attributes:
        question: The question.
        answer: The answer, as it stands in its JSON file.
        place: That file.
    """

    question: Question
    answer: dict[str, Any]
    place: Path


def begin(experiment: Experiment, out: str | os.PathLike[str] | None = None) -> Path:
    """Makes the folder of an experiment, with the copy of its file and nothing answered yet.

    Raises:
        InputError: The folder is not empty or cannot be written to.
    """
    with new_folder(out, f"{experiment.path.stem}-s{experiment.seed}") as folder:
        try:
            shutil.copyfile(experiment.path, folder / COPY)
        except OSError as error:
            raise InputError(f"'{folder}' cannot be written to: {error.strerror}") from None
        write_json(folder / STATE, _state(experiment, folder, str(experiment.path.resolve().parent)))
    return folder


def is_experiment(folder: Path) -> bool:
    """Whether a folder is that of an experiment."""
    return (folder / STATE).is_file()


def load(folder: Path) -> Experiment:
    """The experiment of a folder.

    Raises:
        InputError: It is damaged, or its file has been changed.
    """
    state = read_json(folder / STATE)
    if state.get("format") != FORMAT or "base" not in state or "sha256" not in state:
        raise InputError(f"'{folder / STATE}' is damaged")
    experiment = read_experiment(folder / COPY, Path(state["base"]))
    if _sha256(folder / COPY) != state["sha256"]:
        raise InputError(f"'{folder / COPY}' has been changed since the experiment was begun: start a new one")
    return experiment


def answers(experiment: Experiment, folder: Path, threads: int | None = None, progress: Report | None = None) -> Iterator[Answered]:
    """Answers what has no answer yet and yields all answers in order.

    Raises:
        InputError, StrategyError: As the question's own command.
    """
    base = read_json(folder / STATE)["base"]

    def heard(each: Progress) -> None:
        if progress:
            progress(replace(each, folder=folder))

    for number, question in enumerate(experiment.questions, 1):
        place = folder / f"{number:02d}-{question.name}"
        file = place.with_name(f"{place.name}.json")
        if not file.is_file():
            write_json(file, question.answer(place, threads, heard))
            write_json(folder / STATE, _state(experiment, folder, base))
        yield Answered(question, read_json(file), file)


def _state(experiment: Experiment, folder: Path, base: str) -> dict[str, Any]:
    names = [f"{number:02d}-{question.name}.json" for number, question in enumerate(experiment.questions, 1)]
    done = [(folder / name).is_file() for name in names]
    questions = [
        {"name": question.name, "kind": question.kind, "answer": name, "finished": finished}
        for question, name, finished in zip(experiment.questions, names, done, strict=True)
    ]
    return {"format": FORMAT, "base": base, "sha256": _sha256(folder / COPY), "finished": all(done), "questions": questions}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
