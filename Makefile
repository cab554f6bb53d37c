# make demo: deal, play, and leave a balance report. make test: pass the tests. Both make .venv first.
PYTHON ?= python3
GAMES ?= 50000
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Where this is set no library keeps its compiled bytecode, and each command would start some seconds later.
unexport PYTHONDONTWRITEBYTECODE
# What nearly every command imports. Compiled once here, which is faster than to have pip compile every file of every package.
WARM := import click, rich.progress, joblib, numba, pandas, polars, pyarrow, scipy.stats, matplotlib.figure; numba.njit(lambda: 0)()

.PHONY: setup demo test lint bench
setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-input --no-compile --prefer-binary --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -c '$(WARM)'
	touch $@

demo: setup
	rm -rf runs/demo
	$(BIN)/simcore run kombinator --games $(GAMES) --strategy greedy --strategy counter --seed 1 --out runs/demo
	$(BIN)/simcore report runs/demo

test: setup
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done
