"""The moment at which the pages of the checker are asked for."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.support.starter import NOW


@pytest.fixture
def now() -> Iterator[None]:
    """Stop the clock on a day on which the evidence is fresh."""
    with time_machine.travel(NOW, tick=False):
        yield
