"""A partner with a key whose origins may show the check, and the release that it answers from."""

from collections.abc import Iterator

import pytest
import time_machine

from compliance.partners import register
from rules.corpus import Published
from tests.support.partners import Desk
from tests.support.starter import NOW

ORIGINS = ("https://www.acme.example", "https://shop.acme.example:8443", "http://localhost:3000")


@pytest.fixture(autouse=True)
def _noon(db: None, starter_release: Published) -> Iterator[None]:
    register.forget()
    with time_machine.travel(NOW, tick=False):
        yield
    register.forget()


@pytest.fixture
def desk() -> Desk:
    """A partner manager whose partner `acme` has agreed on three origins."""
    desk = Desk()
    desk.change(allowed_origins=ORIGINS)
    return desk


@pytest.fixture
def key(desk: Desk) -> str:
    """The public id of a live key of `acme`."""
    public_id: str = desk.issue().row.public_id
    return public_id
