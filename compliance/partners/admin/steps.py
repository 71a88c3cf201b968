"""The buttons of a page, while there is something to do."""

from typing import ClassVar

from django.contrib.admin.utils import unquote
from django.db.models import Q
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.dataclasses import UnfoldAction

from catalog.screens.ids import as_key


class StepsWhileLive(ModelAdmin):
    """A page without buttons once its row is `over`: every step would be refused."""

    over: ClassVar[Q]

    def get_actions_detail(self, request: HttpRequest, object_id: int | str) -> list[UnfoldAction]:
        """Return the buttons."""
        # The list links here with a quoted id, because of the underscores.
        key = as_key(self.model, unquote(str(object_id)))
        row = self.model._default_manager.filter(self.over, pk=key)
        return [] if row.exists() else super().get_actions_detail(request, object_id)
