"""How old a reading may be: the edges of each cadence, and one meaning of it for programs and for lists."""

import datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.cadence import (
    FRESHNESS,
    PACES,
    STANDARD,
    Cadence,
    Freshness,
    bearable_until,
    cadence_of,
    freshness,
    good_until,
    stalest,
    visit_days,
)
from catalog.models import Source
from catalog.records import POINTER, SourceBasis, SourceKind
from catalog.records import Source as SourceRecord
from catalog.sources.actions import record_sources
from catalog.sources.selectors import is_due, is_overdue, of_cadence
from compliance.api.reads.sources import SourceBody
from tests.support.factories import a_source, a_user

TODAY = datetime.date(2026, 11, 22)
DAY = datetime.timedelta(days=1)

SOURCES = st.builds(
    lambda kind, cadence, age: a_source(kind=kind, cadence=cadence, read_on=TODAY - age * DAY),
    st.sampled_from(get_args(SourceKind)),
    st.sampled_from((None, *get_args(Cadence))),
    st.integers(0, 800),
)


def worse(one: Freshness, other: Freshness) -> bool:
    return FRESHNESS.index(one) > FRESHNESS.index(other)


def test_every_kind_of_source_has_a_standard_and_every_cadence_a_pace() -> None:
    assert set(STANDARD) == set(get_args(SourceKind))
    assert set(PACES) == set(get_args(Cadence)) >= set(STANDARD.values())


def test_no_one_trusts_a_reading_for_less_than_two_visits_or_for_more_than_a_year() -> None:
    for pace in PACES.values():
        assert 2 * pace.visit_days <= pace.good_days <= 365
    assert sorted(PACES.values()) == list(PACES.values())


@pytest.mark.parametrize(
    ("kind", "cadence", "good_days"),
    [
        ("regulator", None, 90),
        ("airline", None, 90),
        ("manufacturer", None, 180),
        ("news", None, 180),
        ("regulator", "daily", 30),
        ("news", "weekly", 90),
        ("airline", "monthly", 180),
        ("airline", "quarterly", 365),
    ],
)
def test_a_reading_is_good_to_the_last_day_and_bearable_twice_as_long(
    kind: SourceKind, cadence: Cadence | None, good_days: int
) -> None:
    source = a_source(kind=kind, cadence=cadence, read_on=TODAY)
    last, bearable = TODAY + good_days * DAY, TODAY + 2 * good_days * DAY
    assert (good_until(source), bearable_until(source)) == (last, bearable)
    found = [freshness([source], day) for day in (TODAY, last, last + DAY, bearable, bearable + DAY)]
    assert found == ["fresh", "fresh", "stale", "stale", "very_stale"]


def test_a_source_follows_its_own_cadence_before_that_of_its_kind() -> None:
    assert cadence_of(a_source(kind="news")) == "monthly"
    assert visit_days(a_source(kind="news")) == 30
    assert visit_days(a_source(kind="news", cadence="daily")) == 1


def test_a_reading_on_the_last_day_of_the_calendar_never_grows_old() -> None:
    source = a_source(read_on=datetime.date.max)
    assert good_until(source) == bearable_until(source) == datetime.date.max


@given(st.lists(SOURCES, min_size=1, max_size=5), st.integers(1, 400))
def test_time_makes_nothing_fresher(sources: list[SourceRecord], later: int) -> None:
    assert not worse(freshness(sources, TODAY), freshness(sources, TODAY + later * DAY))


@given(st.lists(SOURCES, min_size=1, max_size=5), SOURCES, st.randoms())
def test_one_more_source_makes_nothing_staler_and_their_order_is_irrelevant(
    sources: list[SourceRecord], another: SourceRecord, random: object
) -> None:
    assert not worse(freshness([*sources, another], TODAY), freshness(sources, TODAY))
    assert freshness(sources[::-1], TODAY) == freshness(sources, TODAY)


def test_what_rests_on_no_reading_is_as_stale_as_can_be() -> None:
    assert freshness([], TODAY) == "very_stale"
    assert stalest(["stale", "fresh", "very_stale"]) == "very_stale"
    assert stalest([]) == "fresh"


@pytest.mark.django_db
def test_lists_of_rows_know_the_same_sources_to_be_due() -> None:
    """On every edge of every cadence, of every kind, read or not."""
    days = {pace.good_days for pace in PACES.values()} | {pace.bearable_days for pace in PACES.values()}
    sources = [
        a_source(
            id=f"{kind}-{cadence or 'standard'}-{basis.replace('_', '-')}-{age}",
            kind=kind,
            cadence=cadence,
            basis=basis,
            read_on=TODAY - age * DAY,
        )
        for kind in get_args(SourceKind)
        for cadence in (None, *PACES)
        for basis in get_args(SourceBasis)
        for age in {0, *days, *(one + 1 for one in days)}
    ]
    record_sources(by=a_user("author"), sources=sources)
    read = [one for one in sources if one.basis != POINTER]

    def listed(condition: object) -> set[str]:
        return set(Source.objects.filter(condition).values_list("pk", flat=True))

    assert listed(is_due(TODAY)) == {one.id for one in read if freshness([one], TODAY) != "fresh"}
    assert listed(is_overdue(TODAY)) == {one.id for one in read if freshness([one], TODAY) == "very_stale"}
    for cadence in PACES:
        assert listed(of_cadence(cadence)) == {one.id for one in sources if cadence_of(one) == cadence}


def test_the_contract_names_the_figures_that_hold() -> None:
    said = " ".join((SourceBody.__doc__ or "").split())
    assert ", ".join(f"{cadence} {pace.good_days}" for cadence, pace in PACES.items()) in said
