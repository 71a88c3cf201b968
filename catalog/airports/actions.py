"""Records, changes and deletes facts of airports."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.airports.models import AirportFact
from catalog.errors import Unfit
from catalog.places.models import Country
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import insert, require_recorded
from catalog.tables.actions.updating import locked, update


@transaction.atomic
def record_airport_facts(*, by: User, facts: Sequence[records.AirportFact]) -> None:
    """Record facts. Raises `Unfit` for a page that was read in the future, `NotRecorded` for a country."""
    now = timezone.now()
    _check(facts)
    insert([AirportFact(id=fact.id, **_columns(fact), created_at=now, created_by=by) for fact in facts])


@transaction.atomic
def change_airport_facts(*, by: User, facts: Sequence[records.AirportFact]) -> None:
    """Replace the recorded data of facts, found by their ids. One that does not change is not written."""
    rows = locked(AirportFact, [fact.id for fact in facts])
    changed = [fact for fact in facts if fact != rows[fact.id].to_record()]
    _check(changed)
    update(by, {rows[fact.id]: _columns(fact) for fact in changed})


def delete_airport_fact(*, by: User, fact_id: str) -> None:
    """Delete a fact. Nothing refers to one. Raises `NotRecorded`."""
    delete(AirportFact, by=by, record_id=fact_id)


def _check(facts: Sequence[records.AirportFact]) -> None:
    require_recorded(Country, {fact.id: [fact.country] for fact in facts})
    today = timezone.now().date()
    for fact in facts:
        if any(source.read_on > today for source in fact.sources):
            raise Unfit(fact.id, "`read_on` of a source is in the future")


def _columns(fact: records.AirportFact) -> dict[str, Any]:
    return {
        "airport": fact.airport,
        "country_id": fact.country,
        "kind": fact.kind,
        "fact": fact.fact,
        "since": fact.since,
        "sources": msgspec.to_builtins(fact.sources),
    }
