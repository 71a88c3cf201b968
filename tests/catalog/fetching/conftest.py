from collections.abc import Iterator

import pytest

from catalog.fetching import Fetcher
from tests.catalog.fetching.servers import Server, policy


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(policy()) as opened:
        yield opened
