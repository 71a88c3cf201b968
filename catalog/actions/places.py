"""Recording countries, and the jurisdictions whose rules are curated."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.actions.writing import insert, require_recorded
from catalog.models import Country, Jurisdiction, Membership


@transaction.atomic
def record_countries(*, by: User, countries: Sequence[records.Country]) -> None:
    """Record countries."""
    now = timezone.now()
    insert(
        [
            Country(code=country.code, name=country.name, created_at=now, created_by=by)
            for country in countries
        ]
    )


def record_country(*, by: User, country: records.Country) -> None:
    """Record one country."""
    record_countries(by=by, countries=[country])


@transaction.atomic
def record_jurisdictions(*, by: User, jurisdictions: Sequence[records.Jurisdiction]) -> None:
    """Record jurisdictions. A region may stand among them, in any order."""
    now = timezone.now()
    insert(
        [
            Jurisdiction(
                code=place.code,
                name=place.name,
                regulator=place.regulator,
                regulator_url=place.regulator_url,
                created_at=now,
                created_by=by,
            )
            for place in jurisdictions
        ]
    )
    require_recorded(Jurisdiction, {place.code: place.member_of for place in jurisdictions})
    insert(
        [
            Membership(member_id=place.code, region_id=region, position=position)
            for place in jurisdictions
            for position, region in enumerate(place.member_of)
        ],
        owner="member_id",
    )


def record_jurisdiction(*, by: User, jurisdiction: records.Jurisdiction) -> None:
    """Record one jurisdiction."""
    record_jurisdictions(by=by, jurisdictions=[jurisdiction])
