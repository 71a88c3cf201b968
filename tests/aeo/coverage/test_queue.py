"""Where an editor's hour helps most: what is asked about most, of the weakest and oldest evidence."""

import datetime
import itertools

import pytest

from aeo.coverage import asked
from aeo.coverage.asked import ASKED_CLASSES
from aeo.coverage.models import AskedFlights
from aeo.coverage.queue import Waiting, queue, sources_of
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import Airline, Rule
from tests.aeo.coverage.counts import a_count
from tests.support import starter
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.starter import NOW

TODAY = NOW.date()
DAY = datetime.timedelta(days=1)

BASES = {"O": "official_page_read", "C": "official_copy_read", "R": "secondary_read"}


def source_of(kind: str, age: int) -> str:
    return f"{kind}-{age}".lower()


SOURCES = tuple(
    a_source(id=source_of(kind, age), basis=basis, read_on=TODAY - age * DAY)
    for kind, basis in BASES.items()
    for age in (1, 50)
)


def airline(code: str, age: int = 1, confidence: str = "reported") -> Airline:
    """An airline that was read as the letter of its code says."""
    return an_airline(
        airline=code,
        icao=f"XX{code[0]}",
        name=f"Airline {code}",
        confidence=confidence,
        sources=(source_of(code[0], age),) if code[0] in BASES else (source_of("R", age),),
    )


def its_rule(one: Airline) -> Rule:
    return a_rule(
        rule_id=f"{one.airline.lower()}.permit",
        airline=one.airline,
        authority=one.name,
        confidence="reported",
        sources=one.sources,
    )


def released(*airlines: Airline, without_rules: tuple[str, ...] = ()) -> Published:
    rules = tuple(its_rule(one) for one in airlines if one.airline not in without_rules)
    return starter.published(
        Content(countries=(a_country(),), sources=SOURCES, airlines=airlines, rules=rules)
    )


def order(release: Published, counted: AskedFlights | None = None) -> list[str]:
    return [one.code for one in queue(release, TODAY, counted)]


def test_the_weakest_evidence_comes_first_where_all_are_asked_about_as_often() -> None:
    release = released(airline("O1"), airline("C1"), airline("R1"), airline("N1", confidence="unverified"))
    assert order(release) == ["N1", "R1", "C1", "O1"]
    assert [one.weakness for one in queue(release, TODAY, None)] == [4, 3, 2, 1]


def test_what_is_asked_about_most_comes_first_where_the_evidence_is_as_weak() -> None:
    release = released(*(airline(f"R{number}") for number in range(1, 5)))
    counted = a_count({"R1": 99, "R2": 100, "R3": 10_000, "R4": 1_000})
    assert order(release, counted) == ["R3", "R4", "R2", "R1"]


def test_among_equals_the_oldest_reading_comes_first_and_before_it_what_was_never_read() -> None:
    release = released(airline("R1", age=1), airline("R2", age=50))
    assert order(release) == ["R2", "R1"]
    # Asked about a hundred times and a dated copy weigh as much as nothing read.
    release = released(airline("C1", age=50), airline("N1", confidence="unverified"))
    assert [one.weight for one in queue(release, TODAY, a_count({"C1": 100}))] == [4, 4]
    assert order(release, a_count({"C1": 100})) == ["N1", "C1"]


def test_each_place_weighs_what_is_asked_times_how_weak_it_is() -> None:
    release = released(airline("O1"), airline("C1"), airline("R1"), airline("N1", confidence="unverified"))
    for asked_about in itertools.product((0, 100, 1_000, 10_000), repeat=4):
        counted = a_count(dict(zip(("O1", "C1", "R1", "N1"), asked_about, strict=True)))
        found = queue(release, TODAY, counted)
        weights = [one.weight for one in found]
        assert weights == sorted(weights, reverse=True)
        for one in found:
            demand = 1 + (0, 100, 1_000, 10_000).index(counted.airlines[one.code])
            assert one.weight == demand * {"O": 1, "C": 2, "R": 3, "N": 4}[one.code[0]]


def test_an_airline_without_a_rule_in_force_is_as_weak_as_one_of_which_nothing_was_read() -> None:
    release = released(airline("O1"), airline("O2"), without_rules=("O2",))
    first, second = queue(release, TODAY, None)
    assert (first.code, first.read.how, first.rules, first.weakness) == ("O2", "own_page", 0, 4)
    assert (second.code, second.weakness) == ("O1", 1)


def test_numbers_of_one_class_never_show_in_the_order() -> None:
    release = released(*(airline(f"R{number}") for number in range(1, 6)))
    for low, high in ((0, 99), (100, 999), (1_000, 9_999), (10_000, 10**9)):
        rising = a_count({f"R{number}": low + (high - low) * number // 5 for number in range(1, 6)})
        falling = a_count({f"R{number}": high - (high - low) * number // 5 for number in range(1, 6)})
        assert queue(release, TODAY, rising) == queue(release, TODAY, falling)


@pytest.mark.parametrize(
    ("flights", "expected"),
    [
        (0, "rarely"),
        (99, "rarely"),
        (100, "from_100"),
        (999, "from_100"),
        (1_000, "from_1000"),
        (9_999, "from_1000"),
        (10_000, "from_10000"),
        (10**9, "from_10000"),
    ],
)
def test_a_number_of_flights_has_one_of_four_classes(flights: int, expected: str) -> None:
    assert asked.class_of(flights) == expected
    assert expected in ASKED_CLASSES


# --- Authorities --------------------------------------------------------------------------------------------


def authorities(release: Published) -> dict[str, Waiting]:
    return {one.code: one for one in queue(release, TODAY, None) if one.issuer == "regulator"}


def test_an_authority_waits_where_its_country_has_no_rules_but_not_where_its_region_has() -> None:
    rule = a_rule(
        rule_id="eu.rule",
        airline=None,
        issuer="regulator",
        jurisdiction="EU",
        applies=("departure",),
        sources=("r-50",),
    )
    content = Content(
        countries=(a_country(), a_country(code="XB"), a_country(code="XC")),
        jurisdictions=(
            a_jurisdiction(code="EU", regulator="Agency of the region"),
            a_jurisdiction(code="XB", member_of=("EU",)),
            a_jurisdiction(code="XC"),
        ),
        sources=SOURCES,
        rules=(rule,),
    )
    found = authorities(starter.published(content))
    assert found.keys() == {"EU", "XC"}
    assert (found["EU"].name, found["EU"].rules, found["EU"].read.how) == (
        "Agency of the region",
        1,
        "reports",
    )
    assert (found["XC"].rules, found["XC"].read.how, found["XC"].weakness) == (0, "nothing", 4)


def test_every_airline_and_every_authority_with_rules_waits_once() -> None:
    release = starter.starter_release()
    found = queue(release, TODAY, None)
    airlines = [one.code for one in found if one.issuer == "airline"]
    assert sorted(airlines) == sorted(release.shelf.airlines)
    codes = [one.code for one in found if one.issuer == "regulator"]
    assert len(codes) == len(set(codes))
    assert {rule.jurisdiction for rule in release.shelf.rules.values() if rule.airline is None} <= set(codes)


def test_the_sources_of_a_place_are_those_of_its_record_and_of_its_rules() -> None:
    release = released(airline("R1", age=50), airline("O1"))
    found = {one.code: one for one in queue(release, TODAY, None)}
    assert sources_of(release, found["R1"]) == ("r-50",)
    starters = starter.starter_release()
    for one in queue(starters, TODAY, None):
        names = sources_of(starters, one)
        assert len(names) == len(set(names))
        assert bool(names) or not one.rules
