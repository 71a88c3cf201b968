"""The screens of recalls: the list, the form, and the test of its pattern while somebody types."""

from recalls.admin.recalls import RecallAdmin

__all__ = ["RecallAdmin"]
