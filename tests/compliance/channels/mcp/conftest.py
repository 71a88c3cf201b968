"""Fixtures of the tests of agents: a client at a fixed moment, and servers in processes of their own."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from rules.corpus import Published
from tests.compliance.services.conftest import bare_environment, start, start_once
from tests.support.api_callers import a_client
from tests.support.starter import NOW

__all__ = ["bare_environment", "start", "start_once"]


@pytest.fixture
def client(starter_release: Published) -> Iterator[Client]:
    """A client that nobody else's calls are counted with, while the starter corpus answers at `NOW`."""
    with time_machine.travel(NOW, tick=False):
        yield a_client()
