"""Facts of airports: editors keep them, another person approves them, and readers get them from memory."""

import datetime

import pytest
from msgspec.structs import replace

from aeo.asking.names.places import airport_countries
from catalog.airports.actions import change_airport_facts, delete_airport_fact, record_airport_facts
from catalog.airports.selectors import airport_facts
from catalog.database import cached_values
from catalog.errors import Unfit
from catalog.models import AirportFact, ChangeSet
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user, an_airport_fact
from tests.support.starter import starter_airport_facts

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk", "db")

FACTS = "/admin/catalog/airportfact/"


def readers_see() -> list[str]:
    cached_values.forget()
    return [fact.fact for fact in airport_facts().all]


def test_readers_see_a_fact_as_it_is_now_and_each_change_has_another_state() -> None:
    before = airport_facts().digest
    record_airport_facts(by=a_user(), facts=[an_airport_fact()])
    assert readers_see() == ["Stored for seven days."]
    recorded = airport_facts()
    assert recorded.digest != before
    change_airport_facts(by=a_user(), facts=[an_airport_fact(fact="Not stored.")])
    assert readers_see() == ["Not stored."]
    changed = airport_facts()
    assert changed.moved_at is not None
    assert recorded.moved_at is not None
    assert changed.moved_at >= recorded.moved_at
    delete_airport_fact(by=a_user(), fact_id="xax-storage")
    assert readers_see() == []


def test_a_fact_has_a_source_that_was_read_and_not_in_the_future() -> None:
    (source,) = an_airport_fact().sources
    tomorrow = replace(source, read_on=datetime.date(2199, 1, 1))
    for sources in ((), (tomorrow,)):
        with pytest.raises(Unfit):
            record_airport_facts(by=a_user(), facts=[an_airport_fact(sources=sources)])
    assert not AirportFact.objects.exists()


def test_an_editor_writes_a_fact_and_another_person_approves_it() -> None:
    editor = Visitor("add_airportfact", "change_airportfact", "view_airportfact")
    fact = an_airport_fact()
    (source,) = fact.sources
    response = save(
        editor,
        f"{FACTS}add/",
        id=fact.id,
        airport="XAX",
        country="XA",
        kind="storage",
        fact=fact.fact,
        since="2025-06",
        **{
            "pages-url": [source.url],
            "pages-authority": [source.authority],
            "pages-title": [source.title],
            "pages-page_date": ["2025-06-28"],
            "pages-read_on": [str(source.read_on)],
        },
    )
    assert response.status_code == 302
    assert not AirportFact.objects.exists()
    waiting = ChangeSet.objects.get()
    assert source.url in Visitor(superuser=True).page(f"/admin/catalog/changeset/{waiting.pk}/change/")
    approve_what_waits()
    assert AirportFact.objects.get().to_record() == fact
    assert save(editor, f"{FACTS}{fact.id}/change/").status_code == 302
    assert AirportFact.objects.get().changed_at is None
    save(editor, f"{FACTS}{fact.id}/change/", fact="Stored for ten days.")
    approve_what_waits()
    assert AirportFact.objects.get().fact == "Stored for ten days."


def test_the_facts_of_the_starter_corpus_are_of_known_airports_in_their_countries() -> None:
    facts = starter_airport_facts()
    assert len(facts.all) == 53
    assert {fact.airport: fact.country for fact in facts.all} == {
        fact.airport: airport_countries()[fact.airport] for fact in facts.all
    }
    assert {fact.airport for fact in facts.in_country("KR")} == {"ICN"}
    assert {fact.kind for fact in facts.at("XMN")} == {"storage"}
    assert facts.at("DXB") == facts.in_country("GB") == ()
