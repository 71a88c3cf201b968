"""Fixtures of the partners' tests."""

from collections.abc import Iterator

import pytest
from django.db import connection

from compliance import partner_register

from .partners import Desk


@pytest.fixture
def desk(db: None) -> Desk:
    """A partner manager with one partner, `acme`, who has no key yet."""
    return Desk()


@pytest.fixture
def committing_desk(transactional_db: None) -> Iterator[Desk]:
    """The same, where other connections see what is done."""
    yield Desk()
    # pytest-django cleans up by TRUNCATE, which the ledger refuses a session that has not said so.
    with connection.cursor() as cursor:
        cursor.execute("SET rules.ledger_may_be_emptied = 'yes'")


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    """A process that has never read a key."""
    partner_register.forget()
    yield
    partner_register.forget()
