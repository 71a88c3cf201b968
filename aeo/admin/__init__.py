"""Registry: imports the screens of the slices. `urls` are the editors' pages that have no table."""

from aeo.discovery.admin import CurationAdmin, IndexedPageAdmin
from aeo.guides.editing.admin import GuideTextAdmin

__all__ = ["CurationAdmin", "GuideTextAdmin", "IndexedPageAdmin"]
