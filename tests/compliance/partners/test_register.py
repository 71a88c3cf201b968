"""What the API hears about a key: in memory, up to date within seconds, and never in doubt."""

import datetime
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection
from pytest_django import DjangoAssertNumQueries, Settings

from compliance.models import PartnerKey
from compliance.partners import register
from compliance.partners.keys import make_key
from compliance.partners.register import KnownKey, partner_for, partner_named
from tests.support.partners import DAY, MINUTE, NOON, SECOND, Desk

UNKNOWN = make_key().reveal()
"""Spelled as a key, and nobody's."""

TTL = 5

OUTAGE = 60


class Clock:
    """The monotonic clock of the register."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    settings.PARTNER_KEYS_TTL_SECONDS = TTL
    settings.PARTNER_KEYS_OUTAGE_SECONDS = OUTAGE
    clock = Clock()
    monkeypatch.setattr(register, "monotonic", clock)
    return clock


@pytest.fixture
def always_asks(settings: Settings) -> None:
    settings.PARTNER_KEYS_TTL_SECONDS = 0


def fail(*_: object) -> Any:
    raise OperationalError("the database is away")


def test_a_live_key_is_known_with_all_that_goes_with_it(desk: Desk) -> None:
    desk.change(allowed_origins=("https://A.example", "https://b.example:8443"), receipts=True)
    row, plain = desk.issue(valid_until=NOON + DAY)

    assert partner_for(plain.reveal(), NOON) == KnownKey(
        partner="acme",
        public_id=row.public_id,
        rate_per_minute=600,
        allowed_origins=frozenset({"https://a.example", "https://b.example:8443"}),
        terms_url="https://acme.example/terms",
        valid_until=NOON + DAY,
        receipts=True,
    )


def test_the_limit_is_spelled_as_django_ratelimit_reads_it(desk: Desk) -> None:
    known = partner_for(desk.issue().plain.reveal(), NOON)

    assert known is not None
    assert known.rate == "600/m"


@pytest.mark.usefixtures("always_asks")
@pytest.mark.parametrize(
    "alter",
    [
        lambda key: "",
        lambda key: key[:-1],
        lambda key: f"{key} ",
        lambda key: key.upper(),
        lambda key: key.rpartition("_")[0],
        lambda key: "btk_\ud800",
        lambda key: PartnerKey.objects.get().digest,
    ],
)
def test_what_is_not_exactly_a_key_is_unknown(desk: Desk, alter: Callable[[str], str]) -> None:
    key = desk.issue().plain.reveal()

    assert partner_for(key, NOON) is not None
    assert partner_for(alter(key), NOON) is None


def test_a_public_id_names_its_key_and_the_key_itself_names_none(desk: Desk, clock: Clock) -> None:
    issued = desk.issue(valid_until=NOON + DAY)
    public_id, key = issued.row.public_id, issued.plain.reveal()

    assert partner_named(public_id, NOON) == partner_for(key, NOON)
    assert partner_for(public_id, NOON) is None
    for text in (key, f"{public_id}_", public_id.upper(), f"{public_id} ", "btk_aaaaaaaa", "demo", ""):
        assert partner_named(text, NOON) is None
    assert partner_named(public_id, NOON + DAY) is None
    desk.revoke(issued)
    clock.seconds += TTL
    assert partner_named(public_id, NOON) is None


def test_to_be_named_is_a_use(desk: Desk) -> None:
    public_id = desk.issue().row.public_id
    assert partner_named(public_id, NOON) is not None
    assert last_used(public_id) == NOON


def test_no_one_is_named_while_it_cannot_be_told(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_id = desk.issue().row.public_id
    partner_named(public_id, NOON)
    monkeypatch.setattr(register, "_live_keys", fail)
    clock.seconds += TTL
    assert partner_named(public_id, NOON) is not None
    with pytest.raises(OperationalError):
        partner_named("btk_aaaaaaaa", NOON)
    clock.seconds += OUTAGE
    with pytest.raises(OperationalError):
        partner_named(public_id, NOON)


def test_a_key_counts_until_the_instant_at_which_it_expires(
    desk: Desk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    key = desk.issue(valid_until=NOON + SECOND).plain.reveal()

    assert partner_for(key, NOON) is not None
    with django_assert_num_queries(0):
        assert partner_for(key, NOON + SECOND) is None


def test_between_two_readings_no_one_asks_the_database(
    desk: Desk, clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    key = desk.issue().plain.reveal()
    # The keys, and that this one was used.
    with django_assert_num_queries(2):
        partner_for(key, NOON)

    with django_assert_num_queries(0):
        for _ in range(100):
            clock.seconds += TTL / 101
            assert partner_for(key, NOON) is not None

    clock.seconds += TTL
    with django_assert_num_queries(1):
        assert partner_for(UNKNOWN, NOON) is None


def test_a_new_key_works_within_a_second_and_guessing_costs_one_query_in_that_time(
    desk: Desk, clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    partner_for(desk.issue().plain.reveal(), NOON)
    new = desk.issue().plain.reveal()
    with django_assert_num_queries(0):
        assert partner_for(new, NOON) is None
    clock.seconds += register.NEW_KEY_SECONDS
    assert partner_for(new, NOON) is not None

    clock.seconds += register.NEW_KEY_SECONDS
    with django_assert_num_queries(1):
        for _ in range(100):
            assert partner_for(make_key().reveal(), NOON) is None


@pytest.mark.parametrize(
    "end",
    [lambda desk, issued: desk.revoke(issued), lambda desk, issued: desk.close()],
    ids=["revoked", "closed"],
)
def test_a_revocation_counts_when_the_time_is_up(
    desk: Desk, clock: Clock, end: Callable[[Desk, Any], object]
) -> None:
    issued = desk.issue()
    key = issued.plain.reveal()
    assert partner_for(key, NOON) is not None
    end(desk, issued)

    clock.seconds += TTL - 0.1
    assert partner_for(key, NOON) is not None
    clock.seconds += 0.1
    assert partner_for(key, NOON) is None


@pytest.mark.usefixtures("always_asks")
def test_rotation_and_a_change_of_the_agreement_are_seen(desk: Desk) -> None:
    old = desk.issue().plain.reveal()
    assert partner_for(old, NOON) is not None
    new = desk.rotate().plain.reveal()
    desk.change(rate_per_minute=7)

    for key in (old, new):
        known = partner_for(key, NOON)
        assert known is not None
        assert known.rate_per_minute == 7
    assert partner_for(old, NOON + 7 * DAY) is None
    assert partner_for(new, NOON + 7 * DAY) is not None


def last_used(public_id: str) -> datetime.datetime | None:
    return PartnerKey.objects.get(pk=public_id).last_used


def test_a_use_is_noted_at_once_or_at_the_next_reading_and_once_a_minute(
    desk: Desk, clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = desk.issue(), desk.issue()

    partner_for(one.plain.reveal(), NOON)
    assert last_used(one.row.public_id) == NOON

    partner_for(other.plain.reveal(), NOON + SECOND)
    assert last_used(other.row.public_id) is None
    clock.seconds += TTL
    partner_for(one.plain.reveal(), NOON + TTL * SECOND)
    assert last_used(other.row.public_id) == NOON + SECOND
    # That of the other key is less than a minute old.
    assert last_used(one.row.public_id) == NOON

    clock.seconds += TTL
    with django_assert_num_queries(1):
        partner_for(UNKNOWN, NOON + MINUTE - SECOND)
    clock.seconds += TTL
    partner_for(UNKNOWN, NOON + 2 * MINUTE)
    assert last_used(one.row.public_id) == NOON + TTL * SECOND
    clock.seconds += TTL
    with django_assert_num_queries(1):
        partner_for(UNKNOWN, NOON + 9 * MINUTE)


def test_an_expired_key_is_not_used(desk: Desk) -> None:
    issued = desk.issue(valid_until=NOON + SECOND)
    partner_for(issued.plain.reveal(), NOON + SECOND)

    assert last_used(issued.row.public_id) is None


def test_while_the_database_is_away_the_last_reading_serves(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "compliance.partners.register")
    key = desk.issue(valid_until=NOON + DAY).plain.reveal()
    partner_for(key, NOON)

    with monkeypatch.context() as outage:
        outage.setattr(register, "_live_keys", fail)
        for _ in range(3):
            clock.seconds += TTL
            assert partner_for(key, NOON) is not None
            assert partner_for(key, NOON + DAY) is None
            # It may be a key that was issued meanwhile.
            with pytest.raises(OperationalError):
                partner_for(UNKNOWN, NOON)
        # It may have been revoked, where this process cannot see it.
        clock.seconds += OUTAGE
        with pytest.raises(OperationalError):
            partner_for(key, NOON)
    clock.seconds += TTL
    assert partner_for(key, NOON) is not None

    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (
            "WARNING",
            "Partner keys cannot be read or their use recorded; continuing with the keys in memory: "
            "OperationalError",
        ),
        ("INFO", "Partner keys can be read again."),
    ]


def test_an_absent_database_is_asked_once_per_reading_not_once_per_request(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = desk.issue().plain.reveal()
    partner_for(key, NOON)
    asked: list[datetime.datetime] = []

    def note_and_fail(now: datetime.datetime) -> None:
        asked.append(now)
        fail()

    monkeypatch.setattr(register, "_live_keys", note_and_fail)

    clock.seconds += TTL
    for _ in range(10):
        partner_for(key, NOON)

    assert len(asked) == 1


def test_a_text_that_is_not_spelled_as_a_key_is_refused_without_asking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(register, "_live_keys", fail)
    for text in ("", "nobody", UNKNOWN.upper(), f"{UNKNOWN}a", f" {UNKNOWN}", UNKNOWN[:-1]):
        assert partner_for(text, NOON) is None


def test_without_any_reading_the_failure_goes_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "_live_keys", fail)

    for _ in range(2):
        with pytest.raises(OperationalError):
            partner_for(UNKNOWN, NOON)


def test_a_use_that_cannot_be_noted_is_noted_later(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = desk.issue()
    with monkeypatch.context() as outage:
        outage.setattr(register, "note_keys_used", lambda used: fail())
        assert partner_for(issued.plain.reveal(), NOON) is not None
    assert last_used(issued.row.public_id) is None

    clock.seconds += TTL
    partner_for(UNKNOWN, NOON + SECOND)
    assert last_used(issued.row.public_id) == NOON


class SlowReading:
    """A reading that takes until it is told to end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_end, self.count = threading.Event(), threading.Event(), 0
        self._read = register._live_keys
        monkeypatch.setattr(register, "_live_keys", self)

    def __call__(self, now: datetime.datetime) -> dict[str, KnownKey]:
        self.count += 1
        self.begun.set()
        assert self.may_end.wait(20)
        return self._read(now)


def ask(key: str) -> KnownKey | None:
    try:
        return partner_for(key, NOON)
    finally:
        connection.close()


def test_while_one_reads_the_others_go_on_with_what_is_held(
    committing_desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = committing_desk.issue()
    key = issued.plain.reveal()
    partner_for(key, NOON)
    committing_desk.revoke(issued)
    clock.seconds += TTL
    reading = SlowReading(monkeypatch)

    with ThreadPoolExecutor(1) as threads:
        reader = threads.submit(ask, key)
        assert reading.begun.wait(20)
        assert partner_for(key, NOON) is not None
        reading.may_end.set()
        assert reader.result(20) is None
    assert partner_for(key, NOON) is None
    assert reading.count == 1


def test_all_wait_for_the_first_reading_and_share_it(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = committing_desk.issue().plain.reveal()
    reading = SlowReading(monkeypatch)

    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(ask, key) for _ in range(4)]
        assert reading.begun.wait(20)
        reading.may_end.set()
        assert all(answer.result(20) is not None for answer in answers)
    assert reading.count == 1


def test_a_forked_child_is_not_stuck_behind_a_reader_of_its_parent(desk: Desk) -> None:
    key = desk.issue().plain.reveal()
    partner_for(key, NOON)
    with register._reading:
        child = os.fork()
        if child == 0:
            free = register._reading.acquire(blocking=False)
            # What the parent read is good for the child; what it saw used is the parent's to note.
            still_known = partner_for(key, NOON) is not None and list(register._noted) == []
            os._exit(0 if free and still_known else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
