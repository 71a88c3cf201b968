"""Registry: imports the screens of the slices. `urls` are the editors' pages that have no table."""

from aeo.discovery.admin import CurationAdmin, IndexedPageAdmin

__all__ = ["CurationAdmin", "IndexedPageAdmin"]
