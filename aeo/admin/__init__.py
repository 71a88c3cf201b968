"""The screens of pages: by which choice they are indexed, and which are."""

from aeo.admin.curation import CurationAdmin
from aeo.admin.pages import IndexedPageAdmin

__all__ = ["CurationAdmin", "IndexedPageAdmin"]
