"""Import and export of facts of airports. Called by their screen, change sets and the starter corpus."""

from catalog import records
from catalog.airports.actions import change_airport_facts, delete_airport_fact, record_airport_facts
from catalog.airports.models import AirportFact
from catalog.bulk.tables import Table

AIRPORT_FACTS = Table(
    model=AirportFact,
    record_type=records.AirportFact,
    key="id",
    record=lambda by, facts: record_airport_facts(by=by, facts=facts),
    change=lambda by, facts: change_airport_facts(by=by, facts=facts),
    # Everything: travelers read it.
    deciding=("airport", "country", "kind", "fact", "since", "sources"),
    remove=lambda by, fact_id: delete_airport_fact(by=by, fact_id=fact_id),
)
