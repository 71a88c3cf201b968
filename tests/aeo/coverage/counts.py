"""What was asked about, as tests count it."""

from aeo.coverage.models import AskedFlights
from tests.support.starter import NOW


def a_count(airlines: dict[str, int] | None = None, places: dict[str, int] | None = None) -> AskedFlights:
    """A count of the thirty days before the day on which tests ask."""
    return AskedFlights(
        day=NOW.date(),
        days=30,
        finished=NOW,
        flights=sum((airlines or {}).values()),
        airlines=airlines or {},
        places=places or {},
    )
