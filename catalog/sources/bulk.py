"""Import and export of sources. Called by their screen and the starter corpus."""

from catalog import records
from catalog.bulk.tables import Table
from catalog.sources.actions import change_sources, record_sources
from catalog.sources.models import Source

SOURCES = Table(
    model=Source,
    record_type=records.Source,
    key="id",
    record=lambda by, sources: record_sources(by=by, sources=sources),
    change=lambda by, sources: change_sources(by=by, sources=sources),
)
