"""Fixtures that all tests may use. The servers come from `tests/services_plugin.py`."""

from collections.abc import Iterator

import pytest
from django.test import Client

from rules.corpus import Published
from tests import starter
from tests.contract.conformance import checked


@pytest.fixture(autouse=True, scope="session")
def _every_answer_keeps_the_contract() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", checked(Client.request))
        yield


@pytest.fixture
def starter_release(monkeypatch: pytest.MonkeyPatch) -> Published:
    """The starter corpus, published in memory: what this process answers from during the test."""
    release = starter.starter_release()
    monkeypatch.setattr("rules.corpus._current", release)
    return release
