"""Import and export of airlines with their policies. Called by their screen and the starter corpus."""

from collections.abc import Sequence

from catalog import records
from catalog.airlines.actions import change_airlines, delete_airline, record_airlines
from catalog.airlines.models import Airline
from catalog.bulk.tables import Table
from catalog.errors import Unfit
from catalog.sources.models import Source


def require_official_pages(
    edits: Sequence[tuple[records.Airline | None, records.Airline]], reason: str
) -> None:
    """Require an official page that was read for a confirmed policy. Raises `Unfit`.

    A policy that names a source which is not recorded is refused elsewhere, with that reason.
    """
    confirmed = [
        airline
        for before, airline in edits
        if airline.confidence == "confirmed"
        and (before is None or (before.confidence, before.sources) != (airline.confidence, airline.sources))
    ]
    cited = {source for airline in confirmed for source in airline.sources}
    basis = dict(Source.objects.filter(pk__in=cited).values_list("pk", "basis"))
    for airline in confirmed:
        recorded = basis.keys() >= set(airline.sources)
        if recorded and "official_page_read" not in {basis[source] for source in airline.sources}:
            raise Unfit(
                airline.airline,
                "`confidence` is confirmed only if one of the sources is an official page that was read",
            )


AIRLINES = Table(
    model=Airline,
    record_type=records.Airline,
    key="airline",
    record=lambda by, airlines: record_airlines(by=by, airlines=airlines),
    change=lambda by, airlines: change_airlines(by=by, airlines=airlines),
    # Everything: partners read the notes, too.
    deciding=(
        "icao",
        "name",
        "country",
        "policy_url",
        "confidence",
        "effective_from",
        "summary",
        "notes",
        "sources",
        "changes",
    ),
    require=require_official_pages,
    remove=lambda by, code: delete_airline(by=by, code=code),
)
