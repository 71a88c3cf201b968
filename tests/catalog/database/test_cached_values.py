"""What a process holds of the database: renewed by a thread or read by whoever asks, and never lost."""

from collections.abc import Iterator
from typing import NoReturn

import pytest
from django.db import OperationalError

from catalog.database import availability, cached_values
from catalog.database.cached_values import CachedValue


class Table:
    """Something in the database: a number that others change, and that can be away."""

    def __init__(self) -> None:
        self.number, self.is_away, self.readings = 1, False, 0

    def read(self, known: int) -> int:
        self.readings += 1
        if self.is_away:
            raise OperationalError
        return self.number


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture(autouse=True)
def _no_other_values(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cached_values, "_all", [])
    monkeypatch.setattr(cached_values, "_renewers", [])
    yield
    cached_values.leave_alone()
    availability.forget()


def test_where_no_thread_renews_it_anyone_who_asks_reads_what_is_too_old(table: Table) -> None:
    one = CachedValue(table.read, 0, seconds=60, alone=0)
    assert one.current() == 1
    table.number = 2
    assert one.current() == 2
    patient = CachedValue(table.read, 0, seconds=60)
    assert patient.current() == 2
    table.number = 3
    assert patient.current() == 2


def test_where_a_thread_renews_it_no_question_reads(table: Table) -> None:
    one = CachedValue(table.read, 0, seconds=0, alone=0)
    cached_values.renew()
    assert table.readings == 1
    table.number = 2
    assert [one.current() for _ in range(3)] == [1, 1, 1]
    cached_values.renew()
    assert (one.current(), table.readings) == (2, 2)


def test_while_the_database_is_away_what_was_read_goes_on_serving(table: Table) -> None:
    one = CachedValue(table.read, 0, seconds=0, alone=0)
    assert one.current() == 1
    table.number, table.is_away = 2, True
    assert one.current() == 1
    cached_values.renew()
    assert one.current() == 1
    table.is_away = False
    cached_values.renew()
    assert one.current() == 2


def test_what_was_never_read_cannot_be_told_while_the_database_is_away(table: Table) -> None:
    table.is_away = True
    one = CachedValue(table.read, 0, seconds=60)
    cached_values.renew()
    for _ in range(2):
        with pytest.raises(OperationalError):
            one.current()
    table.is_away = False
    assert one.current() == 1


def test_the_generation_moves_with_what_pages_are_made_of_and_with_nothing_else(table: Table) -> None:
    paged, other = CachedValue(table.read, 0, seconds=0), CachedValue(table.read, 0, seconds=0, paged=False)
    before = cached_values.generation()
    paged.current()
    assert cached_values.generation() == before + 1
    paged.current()
    other.current()
    assert cached_values.generation() == before + 1


def test_one_that_fails_in_another_way_keeps_no_other_from_being_renewed(table: Table) -> None:
    def broken(known: int = 0) -> NoReturn:
        raise ValueError

    CachedValue(broken, 0, seconds=0)
    one = CachedValue(table.read, 0, seconds=0)
    renewed: list[int] = []
    cached_values.renewing(broken)
    cached_values.renewing(lambda: renewed.append(1))
    cached_values.renew()
    assert one.current() == 1
    assert renewed == [1]


def test_the_database_is_away_after_an_error_and_until_an_answer() -> None:
    assert not availability.is_away()
    with pytest.raises(OperationalError), availability.asking():
        raise OperationalError
    assert availability.is_away()
    with availability.asking():
        assert availability.is_away()
    assert not availability.is_away()


def test_a_database_that_says_nothing_is_away_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 100.0
    monkeypatch.setattr(availability, "monotonic", lambda: seconds)
    with availability.asking():
        assert not availability.is_away()
        seconds += availability.SILENT_SECONDS + 0.1
        assert availability.is_away()
    assert not availability.is_away()
