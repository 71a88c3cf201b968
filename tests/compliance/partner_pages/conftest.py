"""Fixtures of the pages of partners. Requests have the rights of a deployment in the database."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from compliance.models import Partner
from compliance.partners import register
from compliance.partners.actions.partners import record_partner
from tests.support.factories import a_user
from tests.support.partners import AGREEMENT, NOON


@pytest.fixture(autouse=True)
def _as_deployed(roles_of_the_database: None, settings: Settings) -> Iterator[None]:
    """Ask everyone for a second factor; begin and end as a process that has never read a key."""
    settings.DESK_SECOND_FACTOR = True
    register.forget()
    yield
    register.forget()


@pytest.fixture
def acme(db: None) -> Partner:
    """A partner."""
    return record_partner(by=a_user("manager"), now=NOON, slug="acme", agreement=AGREEMENT)


@pytest.fixture
def other(acme: Partner) -> Partner:
    """Another partner."""
    return record_partner(by=a_user("manager"), now=NOON, slug="other", agreement=AGREEMENT)
