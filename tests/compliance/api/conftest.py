"""Fixtures of the API's tests: the starter corpus answers, and the clock stands still."""

from collections.abc import Iterator

import pytest
import time_machine

from rules.corpus import Published
from tests.support.starter import NOW


@pytest.fixture
def asked_now(starter_release: Published) -> Iterator[Published]:
    """The starter corpus answers at `tests.support.starter.NOW`.

    It is in memory, and pytest-django lets no test near a database that does not ask for one: so every test
    here also shows that an answer reads none.
    """
    with time_machine.travel(NOW, tick=False):
        yield starter_release
