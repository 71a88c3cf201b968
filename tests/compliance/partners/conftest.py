"""Fixtures of the partners' tests."""

from collections.abc import Iterator

import pytest

from compliance.partners import register
from tests.support.partners import Desk


@pytest.fixture
def desk(db: None) -> Desk:
    """A partner manager with one partner, `acme`, who has no key yet."""
    return Desk()


@pytest.fixture
def committing_desk(committing_db: None) -> Desk:
    """The same, where other connections see what is done."""
    return Desk()


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    """A process that has never read a key."""
    register.forget()
    yield
    register.forget()
