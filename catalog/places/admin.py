"""Countries and jurisdictions: where rules speak. They come with the corpus and are only looked at here."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from catalog.models import Country, Jurisdiction, Membership
from catalog.screens.history import Part, ShowsHistory


class NothingToWrite(ModelAdmin):
    """A list and pages without anything to write."""

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


class OnlyToLookAt(NothingToWrite, ShowsHistory):
    """The same over rows whose history is kept."""


@admin.register(Country)
class CountryAdmin(OnlyToLookAt):
    """Countries."""

    fields = list_display = ["code", "name"]
    search_fields = ["code", "name"]
    list_per_page = 300


@admin.register(Jurisdiction)
class JurisdictionAdmin(OnlyToLookAt):
    """Jurisdictions."""

    fields = list_display = ["code", "name", "regulator", "regulator_url", "inside"]
    search_fields = ["code", "name", "regulator"]
    parts = (Part(Membership, "member_id", "inside", ("region_id",)),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Jurisdiction]:
        """Return the jurisdictions with their regions."""
        return super().get_queryset(request).prefetch_related("memberships")

    @admin.display(description="Inside")
    def inside(self, place: Jurisdiction) -> str:
        """Return the regions that a jurisdiction is a member of."""
        return ", ".join(membership.region_id for membership in place.memberships.all())
