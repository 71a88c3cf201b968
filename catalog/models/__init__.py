"""The catalog's tables: evidence, places, airlines and models, as editors keep them.

They never answer the public: a release is compiled from them. Only `catalog.actions` writes here.
"""

from catalog.models.airline import Airline
from catalog.models.airline_policy import AirlinePolicy, AirlinePolicyEvidence, PolicyChange
from catalog.models.audit import AuditEntry
from catalog.models.brand import Brand
from catalog.models.certificate import Certificate
from catalog.models.certification import Certification
from catalog.models.chunks import Chunk, ChunkedWork
from catalog.models.country import Country
from catalog.models.device import Device, DeviceEvidence
from catalog.models.jobs import DeadLetter, Run, RunOutcome
from catalog.models.jurisdiction import Jurisdiction, Membership
from catalog.models.source import Source

__all__ = [
    "Airline",
    "AirlinePolicy",
    "AirlinePolicyEvidence",
    "AuditEntry",
    "Brand",
    "Certificate",
    "Certification",
    "Chunk",
    "ChunkedWork",
    "Country",
    "DeadLetter",
    "Device",
    "DeviceEvidence",
    "Jurisdiction",
    "Membership",
    "PolicyChange",
    "Run",
    "RunOutcome",
    "Source",
]
