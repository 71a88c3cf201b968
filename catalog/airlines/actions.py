"""Records, changes and deletes airlines, with their policies and the dated changes of those policies."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.airlines.models import Airline, AirlinePolicy, AirlinePolicyEvidence, PolicyChange
from catalog.places.models import Country
from catalog.sources.models import Source
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import evidence, insert, insert_evidence, require_recorded
from catalog.tables.actions.updating import locked, replace_parts, update


@transaction.atomic
def record_airlines(*, by: User, airlines: Sequence[records.Airline]) -> None:
    """Record airlines, each with its policy."""
    now = timezone.now()
    _require_what_they_name(airlines)
    insert(
        [
            Airline(code=airline.airline, **_columns(airline), created_at=now, created_by=by)
            for airline in airlines
        ]
    )
    insert(
        [
            AirlinePolicy(
                airline_id=airline.airline, **_policy_columns(airline), created_at=now, created_by=by
            )
            for airline in airlines
        ]
    )
    sources = {airline.airline: airline.sources for airline in airlines}
    insert_evidence(AirlinePolicyEvidence, "policy_id", sources, owner="policy_id")
    insert(_policy_changes(by, airlines, known={}), owner="policy_id")


def record_airline(*, by: User, airline: records.Airline) -> None:
    """Record one airline with its policy."""
    record_airlines(by=by, airlines=[airline])


@transaction.atomic
def change_airlines(*, by: User, airlines: Sequence[records.Airline]) -> None:
    """Replace the recorded data of airlines, found by their codes.

    An airline that does not change is not written.
    """
    rows = locked(Airline, [airline.airline for airline in airlines])
    before = {code: row.to_record() for code, row in rows.items()}
    changed = [airline for airline in airlines if airline != before[airline.airline]]
    _require_what_they_name(changed)
    update(by, {rows[airline.airline]: _columns(airline) for airline in changed})
    update(
        by,
        {rows[airline.airline].policy: _policy_columns(airline) for airline in changed},
        owner="airline_id",
    )
    cited = {
        airline.airline: airline.sources
        for airline in changed
        if airline.sources != before[airline.airline].sources
    }
    replace_parts(
        AirlinePolicyEvidence, "policy_id", cited, evidence(AirlinePolicyEvidence, "policy_id", cited)
    )
    with_new_changes = [airline for airline in changed if airline.changes != before[airline.airline].changes]
    known = {
        (code, change.to_record()): change
        for code, row in rows.items()
        for change in row.policy.changes.all()
    }
    replace_parts(
        PolicyChange,
        "policy_id",
        [airline.airline for airline in with_new_changes],
        _policy_changes(by, with_new_changes, known=known),
    )


def change_airline(*, by: User, airline: records.Airline) -> None:
    """Replace the recorded data of one airline."""
    change_airlines(by=by, airlines=[airline])


def delete_airline(*, by: User, code: str) -> None:
    """Delete an airline with its policy. Raises `NotRecorded`, or `StillReferred` if it has a rule."""
    delete(Airline, by=by, record_id=code)


def _require_what_they_name(airlines: Sequence[records.Airline]) -> None:
    require_recorded(Country, {airline.airline: [airline.country] for airline in airlines})
    require_recorded(
        Source,
        {
            airline.airline: [*airline.sources, *(change.source for change in airline.changes)]
            for airline in airlines
        },
    )


def _columns(airline: records.Airline) -> dict[str, Any]:
    return {"icao": airline.icao, "name": airline.name, "country_id": airline.country}


def _policy_columns(airline: records.Airline) -> dict[str, Any]:
    return {
        "policy_url": airline.policy_url,
        "confidence": airline.confidence,
        "effective_from": airline.effective_from,
        "summary": airline.summary,
        "notes": list(airline.notes),
    }


def _policy_changes(
    by: User,
    airlines: Sequence[records.Airline],
    *,
    known: Mapping[tuple[str, records.PolicyChange], PolicyChange],
) -> list[PolicyChange]:
    """Return the rows of policy changes, unsaved. A change that is already known keeps its author."""
    now = timezone.now()
    rows = []
    for airline in airlines:
        for position, change in enumerate(airline.changes):
            written = known.get((airline.airline, change))
            rows.append(
                PolicyChange(
                    policy_id=airline.airline,
                    date=change.date,
                    what=change.what,
                    source_id=change.source,
                    position=position,
                    created_at=written.created_at if written else now,
                    created_by_id=written.created_by_id if written else by.pk,
                )
            )
    return rows
