"""How rules were read: the best reading of an issuer's own words counts, and when that was."""

import datetime

import pytest
from msgspec.structs import replace

from rules.engine.document import Content
from rules.selectors import readings
from rules.selectors.readings import LastRead
from tests.support import starter
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline

OLD, NEW = datetime.date(2026, 1, 2), datetime.date(2026, 3, 4)

SOURCES = (
    a_source(id="own", read_on=OLD),
    a_source(id="own-newer", read_on=NEW),
    a_source(id="copy", basis="official_copy_read", read_on=NEW),
    a_source(id="report", kind="news", basis="secondary_read", read_on=OLD),
    a_source(id="retold", basis="secondary_read", read_on=NEW),
    a_source(id="authority", kind="regulator", read_on=NEW),
    a_source(id="authority-copy", kind="regulator", basis="official_copy_read", read_on=OLD),
    a_source(id="pointer", basis="general_knowledge", read_on=NEW),
)


def read(*sources: str, confidence: str = "reported") -> LastRead:
    airline = an_airline(sources=sources, confidence=confidence)
    content = Content(countries=(a_country(),), sources=SOURCES, airlines=(airline,))
    return readings.of_airline(starter.published(content), airline)


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (("own", "own-newer", "copy", "report"), LastRead("own_page", NEW)),
        (("report", "own"), LastRead("own_page", OLD)),
        (("report", "copy"), LastRead("dated_copy", NEW)),
        (("report", "pointer"), LastRead("reports", OLD)),
        # A page of the airline in other words is a report, and so is what an authority says of it.
        (("retold",), LastRead("reports", NEW)),
        (("authority", "authority-copy"), LastRead("reports", NEW)),
        (("pointer",), LastRead("nothing", None)),
    ],
)
def test_the_best_reading_of_an_airlines_own_words_counts(
    sources: tuple[str, ...], expected: LastRead
) -> None:
    assert read(*sources) == expected
    assert read(*reversed(sources)) == expected


def test_reports_that_do_not_state_a_policy_are_no_reading_of_it() -> None:
    assert read("report", "authority", confidence="unverified") == LastRead("nothing", None)
    # The airline's own page was read all the same, and says nothing of it.
    assert read("report", "own", confidence="unverified") == LastRead("own_page", OLD)


def test_an_authority_was_read_where_its_own_page_was() -> None:
    rule = a_rule(airline=None, issuer="regulator", applies=("departure",), confidence="reported")
    content = Content(countries=(a_country(),), jurisdictions=(a_jurisdiction(),), sources=SOURCES)
    release = starter.published(content)

    def of(*rules: tuple[str, ...]) -> LastRead:
        return readings.of_authority(
            release,
            [replace(rule, rule_id=f"xa.rule-{number}", sources=names) for number, names in enumerate(rules)],
        )

    assert of(("report",), ("authority", "own")) == LastRead("own_page", NEW)
    assert of(("report",), ("authority-copy",)) == LastRead("dated_copy", OLD)
    # Pages of an airline are reports of an authority's rules.
    assert of(("own",)) == LastRead("reports", OLD)
    assert of() == LastRead("nothing", None)


def test_every_airline_and_every_rule_is_counted_once() -> None:
    release = starter.starter_release()
    counted = readings.airlines_by_reading(release)
    assert sum(counted.values()) == len(release.shelf.airlines)
    assert all(counted[how] for how in ("own_page", "reports", "nothing"))
    by_confidence = readings.by_confidence(release.shelf.rules.values())
    assert sum(by_confidence.values()) == len(release.shelf.rules)


def test_copies_of_official_pages_are_never_enough_to_be_confirmed() -> None:
    release = starter.starter_release()
    for airline in release.shelf.airlines.values():
        if readings.of_airline(release, airline).how != "own_page":
            assert airline.confidence != "confirmed", airline.airline
