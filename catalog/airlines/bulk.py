"""Import and export of airlines. Called by their screen and the starter corpus."""

from catalog import records
from catalog.airlines.actions import change_airlines, record_airlines
from catalog.airlines.models import Airline
from catalog.bulk.tables import Table

AIRLINES = Table(
    model=Airline,
    record_type=records.Airline,
    key="airline",
    record=lambda by, airlines: record_airlines(by=by, airlines=airlines),
    change=lambda by, airlines: change_airlines(by=by, airlines=airlines),
)
