from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run long checks in their full size")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether long checks run in full size; otherwise they run in a reduced one."""
    return bool(request.config.getoption("--full"))
