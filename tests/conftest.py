from __future__ import annotations

import pytest
from hypothesis import settings

# Machines are shared: how long an example takes says nothing. The same examples on every machine.
settings.register_profile("shared", deadline=None, derandomize=True)
settings.load_profile("shared")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run long checks in their full size")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether long checks run in full size; otherwise they run in a reduced one."""
    return bool(request.config.getoption("--full"))
