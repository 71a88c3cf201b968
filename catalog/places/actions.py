"""Records countries; records and changes the jurisdictions whose rules are curated."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.places.models import Country, Jurisdiction, Membership
from catalog.tables.actions.inserting import insert, require_recorded
from catalog.tables.actions.updating import locked, replace_parts, update


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
    """Record jurisdictions. Regions may be among them, in any order."""
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
    insert(_memberships(jurisdictions), owner="member_id")


def record_jurisdiction(*, by: User, jurisdiction: records.Jurisdiction) -> None:
    """Record one jurisdiction."""
    record_jurisdictions(by=by, jurisdictions=[jurisdiction])


@transaction.atomic
def change_jurisdictions(*, by: User, jurisdictions: Sequence[records.Jurisdiction]) -> None:
    """Replace the recorded data of jurisdictions, found by their codes.

    One that does not change is not written.
    """
    rows = locked(Jurisdiction, [place.code for place in jurisdictions])
    before = {code: row.to_record() for code, row in rows.items()}
    changed = [place for place in jurisdictions if place != before[place.code]]
    require_recorded(Jurisdiction, {place.code: place.member_of for place in changed})
    update(
        by,
        {
            rows[place.code]: {
                "name": place.name,
                "regulator": place.regulator,
                "regulator_url": place.regulator_url,
            }
            for place in changed
        },
    )
    moved = [place for place in changed if place.member_of != before[place.code].member_of]
    replace_parts(Membership, "member_id", [place.code for place in moved], _memberships(moved))


def change_jurisdiction(*, by: User, jurisdiction: records.Jurisdiction) -> None:
    """Replace the recorded data of one jurisdiction."""
    change_jurisdictions(by=by, jurisdictions=[jurisdiction])


def _memberships(jurisdictions: Sequence[records.Jurisdiction]) -> list[Membership]:
    return [
        Membership(member_id=place.code, region_id=region, position=position)
        for place in jurisdictions
        for position, region in enumerate(place.member_of)
    ]
