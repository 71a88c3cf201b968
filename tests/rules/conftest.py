"""Fixtures of the releases' tests."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from rules import corpus

from .releasing import Desk


@pytest.fixture
def desk(db: None) -> Desk:
    """An editor's desk; what is published there is gone with the test."""
    return Desk()


@pytest.fixture
def committing_desk(committing_db: None) -> Desk:
    """An editor's desk whose releases other connections and processes see."""
    return Desk()


@pytest.fixture
def fresh_process(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """A process that holds no release and follows none, unless the test sets `CORPUS_POLL_SECONDS`."""
    settings.CORPUS_POLL_SECONDS = 0
    corpus.stop_following()
    for name in ("_current", "_held", "_refused"):
        monkeypatch.setattr(corpus, name, None)
    yield
    corpus.stop_following()
