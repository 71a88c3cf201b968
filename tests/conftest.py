"""Fixtures that all tests may use. The servers come from `tests/services_plugin.py`."""

import pytest

from rules.corpus import Published
from tests import starter


@pytest.fixture
def starter_release(monkeypatch: pytest.MonkeyPatch) -> Published:
    """The starter corpus, published in memory: what this process answers from during the test."""
    release = starter.starter_release()
    monkeypatch.setattr("rules.corpus._current", release)
    return release
