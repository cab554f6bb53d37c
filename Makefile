# make demo: deal, play, and leave a balance report. make test: pass the tests. Both make .venv first.
PYTHON ?= python3
GAMES ?= 50000
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: setup demo test lint bench
setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-input --no-compile --prefer-binary --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: setup
	rm -rf runs/demo
	$(BIN)/simcore run kombinator --games $(GAMES) --strategy greedy --strategy counter --seed 1 --out runs/demo
	$(BIN)/simcore report runs/demo

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/kombinator.py
