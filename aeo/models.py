"""The models of the slices, for Django. Code imports them from the module of their slice."""

from aeo.coverage.models import AskedFlights
from aeo.datasets.models import DatasetChange, DatasetFile, DatasetRelease
from aeo.page_records.models import Curation, IndexedPage, Recomputation, ReferencePage
from aeo.scorecard.models import ScorecardRecord

__all__ = [
    "AskedFlights",
    "Curation",
    "DatasetChange",
    "DatasetFile",
    "DatasetRelease",
    "IndexedPage",
    "Recomputation",
    "ReferencePage",
    "ScorecardRecord",
]
