"""Import of jurisdictions. Called by the starter corpus, and by change sets."""

from catalog import records
from catalog.bulk.tables import Table
from catalog.places.actions import change_jurisdictions, record_jurisdictions
from catalog.places.models import Jurisdiction

JURISDICTIONS = Table(
    model=Jurisdiction,
    record_type=records.Jurisdiction,
    key="code",
    record=lambda by, jurisdictions: record_jurisdictions(by=by, jurisdictions=jurisdictions),
    change=lambda by, jurisdictions: change_jurisdictions(by=by, jurisdictions=jurisdictions),
    deciding=("name", "regulator", "regulator_url", "member_of"),
)
