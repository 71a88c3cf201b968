"""Fixtures of the admin's tests."""

from collections.abc import Iterator

import pytest
import time_machine
from pytest_django import Settings

from compliance.models import Partner
from compliance.partners import register
from compliance.partners.actions.partners import record_partner
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.partners import AGREEMENT, NOON


@pytest.fixture
def acme(db: None) -> Partner:
    """A partner who has no key yet."""
    return record_partner(by=a_user("manager"), now=NOON, slug="acme", agreement=AGREEMENT)


@pytest.fixture
def manager(db: None) -> Visitor:
    """A signed-in user who may do everything with partners and keys, and nothing else."""
    return Visitor(
        "add_partner",
        "change_partner",
        "view_partner",
        "add_partnerkey",
        "change_partnerkey",
        "view_partnerkey",
    )


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock at the beginning of a minute. It stops until a test moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def quick_passwords(settings: Settings) -> None:
    """Passwords that are hashed at once. The real hash is slow on purpose."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def fresh_desk(fresh_process: None) -> Iterator[None]:
    """A process that has never read a key, and has no release of another test."""
    register.forget()
    yield
    register.forget()
