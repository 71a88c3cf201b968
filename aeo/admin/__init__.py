"""The screens of pages: by which choice they are indexed, and which are."""

from aeo.discovery.admin import CurationAdmin
from aeo.page_records.admin import IndexedPageAdmin

__all__ = ["CurationAdmin", "IndexedPageAdmin"]
