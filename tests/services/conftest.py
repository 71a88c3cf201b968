"""Helpers for tests that start processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from compliance.services import embedded

from .processes import Start

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
    "SECRET_KEY",
    "VERDICT_KEY",
)


@pytest.fixture
def bare_environment() -> dict[str, str]:
    """The environment of somebody who has set nothing."""
    return {name: value for name, value in os.environ.items() if name not in OURS}


@pytest.fixture
def start(bare_environment: dict[str, str]) -> Iterator[Start]:
    """Start `python ARGUMENTS` with more variables; whatever still runs at the end is killed."""
    processes: list[subprocess.Popen[str]] = []

    def start_python(*arguments: str, **variables: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=embedded.REPOSITORY,
            env=bare_environment | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start_python
    for process in processes:
        with process:
            process.kill()
