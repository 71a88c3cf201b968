"""Helpers for tests that start processes of their own."""

import os
from collections.abc import Iterator

import pytest

from tests.support.processes import Start, starting

# What the tests' plugin sets, and what `make` passes on.
OURS = (
    "ANONYMOUS_RATE",
    "CORPUS_POLL_SECONDS",
    "DATABASE_URL",
    "DATA_DIR",
    "PORT",
    "RECEIPT_KEYS",
    "RECEIPT_RETIRED_KEYS",
    "REDIS_URL",
    "RELEASE_HEAD_FILE",
    "RELEASE_KEY",
    "RELEASE_PUBLIC_KEYS",
    "SECRET_KEY",
    "VERDICT_KEY",
)


@pytest.fixture(scope="session")
def bare_environment() -> dict[str, str]:
    """The environment of somebody who has set nothing."""
    return {name: value for name, value in os.environ.items() if name not in OURS}


@pytest.fixture
def start(bare_environment: dict[str, str]) -> Iterator[Start]:
    """Start processes that end with the test."""
    with starting(bare_environment) as start:
        yield start


@pytest.fixture(scope="module")
def start_once(bare_environment: dict[str, str]) -> Iterator[Start]:
    """Start what all tests of a module ask. It ends with them."""
    with starting(bare_environment) as start:
        yield start
