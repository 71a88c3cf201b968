"""Recording airlines with their policies and the changes of those."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.actions.writing import insert, insert_evidence, require_recorded
from catalog.models import Airline, AirlinePolicy, AirlinePolicyEvidence, Country, PolicyChange, Source


@transaction.atomic
def record_airlines(*, by: User, airlines: Sequence[records.Airline]) -> None:
    """Record airlines, each with its policy."""
    now = timezone.now()
    require_recorded(Country, {airline.airline: [airline.country] for airline in airlines})
    require_recorded(
        Source,
        {
            airline.airline: [*airline.sources, *(change.source for change in airline.changes)]
            for airline in airlines
        },
    )
    insert(
        [
            Airline(
                code=airline.airline,
                icao=airline.icao,
                name=airline.name,
                country_id=airline.country,
                created_at=now,
                created_by=by,
            )
            for airline in airlines
        ]
    )
    insert(
        [
            AirlinePolicy(
                airline_id=airline.airline,
                policy_url=airline.policy_url,
                confidence=airline.confidence,
                effective_from=airline.effective_from,
                summary=airline.summary,
                notes=list(airline.notes),
                created_at=now,
                created_by=by,
            )
            for airline in airlines
        ]
    )
    insert_evidence(
        AirlinePolicyEvidence, "policy_id", {airline.airline: airline.sources for airline in airlines}
    )
    insert(
        [
            PolicyChange(
                policy_id=airline.airline,
                date=change.date,
                what=change.what,
                source_id=change.source,
                position=position,
                created_at=now,
                created_by=by,
            )
            for airline in airlines
            for position, change in enumerate(airline.changes)
        ],
        owner="policy_id",
    )


def record_airline(*, by: User, airline: records.Airline) -> None:
    """Record one airline with its policy."""
    record_airlines(by=by, airlines=[airline])
