"""All tables of the catalog, where Django looks for them. Each slice defines its own.

The public never reads them: a release is compiled from them. Only the actions of a slice write its rows.
"""

from catalog.airlines.models import Airline, AirlinePolicy, AirlinePolicyEvidence, PolicyChange
from catalog.airports.models import AirportFact
from catalog.chunks.models import Chunk, ChunkedWork
from catalog.devices.label_pictures.models import LabelPicture
from catalog.devices.models import Brand, Certificate, Certification, Device, DeviceEvidence
from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.owed.models import MeasuredRevision
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.jobs.models import DeadLetter, Run, RunOutcome
from catalog.places.models import Country, Jurisdiction, Membership
from catalog.saved_searches.models import SavedSearch
from catalog.sources.models import Source

__all__ = [
    "Airline",
    "AirlinePolicy",
    "AirlinePolicyEvidence",
    "AirportFact",
    "AuditEntry",
    "Brand",
    "Certificate",
    "Certification",
    "ChangeSet",
    "ChangeSetState",
    "Chunk",
    "ChunkedWork",
    "Country",
    "DeadLetter",
    "Device",
    "DeviceEvidence",
    "Jurisdiction",
    "LabelPicture",
    "MeasuredRevision",
    "Membership",
    "PendingChange",
    "PolicyChange",
    "Run",
    "RunOutcome",
    "SavedSearch",
    "Source",
]
