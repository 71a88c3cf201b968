"""Screens that only show: lists and pages without a form. Screens of every room subclass these."""

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin

from catalog.screens.history import ShowsHistory


class ReadOnlyAdmin(ModelAdmin):
    """A read-only list with read-only pages."""

    actions: Any = None
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class ReadOnlyWithHistory(ReadOnlyAdmin, ShowsHistory):
    """The same over rows whose history is kept."""
