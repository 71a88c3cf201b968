"""Fixtures of the releases' tests."""

import pytest

from tests.support.releasing import Desk


@pytest.fixture
def desk(db: None) -> Desk:
    """An editor's desk; what is published there is gone with the test."""
    return Desk()


@pytest.fixture
def committing_desk(committing_db: None) -> Desk:
    """An editor's desk whose releases other connections and processes see."""
    return Desk()
