"""Fixtures of the tests of webhooks: a partner, a receiver on this machine, and a clock."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from pytest_django.fixtures import Settings

from tests.catalog.fetching.servers import CERTIFICATES
from tests.compliance.partners.webhooks.receiving import Receiver
from tests.compliance.trip_watch.watching import released
from tests.support.ledger import FIRST
from tests.support.partners import Desk


@pytest.fixture(autouse=True)
def _reaches_this_machine(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.FETCH_TEST_NETWORKS = ["127.0.1.0/24"]
    monkeypatch.setenv("SSL_CERT_FILE", str(Path(CERTIFICATES) / "authority.pem"))


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Half a day after the drawn world was published."""
    with time_machine.travel(FIRST, tick=False) as traveler:
        yield traveler


@pytest.fixture
def desk(db: None, clock: time_machine.Traveller) -> Desk:
    """A partner, and a world to ask about."""
    released()
    clock.shift(datetime.timedelta(hours=12))
    return Desk()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running
