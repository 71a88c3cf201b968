"""Tests ask the sandbox more often than anybody else does."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _may_ask(settings: Settings) -> None:
    settings.SANDBOX_RATE = "100000/m"
