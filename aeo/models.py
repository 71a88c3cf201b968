"""The models of the slices, for Django. Other code imports them from the modules of the slices."""

from aeo.coverage.models import AskedFlights
from aeo.datasets.models import DatasetChange, DatasetFile, DatasetRelease
from aeo.guides.editing.models import GuideText
from aeo.page_records.models import Curation, IndexedPage, Recomputation, ReferencePage
from aeo.scorecard.models import ScorecardRecord

__all__ = [
    "AskedFlights",
    "Curation",
    "DatasetChange",
    "DatasetFile",
    "DatasetRelease",
    "GuideText",
    "IndexedPage",
    "Recomputation",
    "ReferencePage",
    "ScorecardRecord",
]
