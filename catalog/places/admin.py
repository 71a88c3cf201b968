"""Countries and jurisdictions, where rules apply. They come with the corpus and are read-only here."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from catalog.places.bulk import JURISDICTIONS
from catalog.places.models import Country, Jurisdiction, Membership
from catalog.screens.history import Part
from catalog.screens.read_only import ReadOnlyWithHistory


@admin.register(Country)
class CountryAdmin(ReadOnlyWithHistory):
    """Countries."""

    fields = list_display = ["code", "name"]
    search_fields = ["code", "name"]
    list_per_page = 300


@admin.register(Jurisdiction)
class JurisdictionAdmin(ReadOnlyWithHistory):
    """Jurisdictions."""

    table = JURISDICTIONS
    fields = list_display = ["code", "name", "regulator", "website", "inside"]
    search_fields = ["code", "name", "regulator"]
    parts = (Part(Membership, "member_id", "inside", ("region_id",)),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Jurisdiction]:
        """Return the jurisdictions with their regions."""
        return super().get_queryset(request).prefetch_related("memberships")

    @admin.display(description="Its website")
    def website(self, place: Jurisdiction) -> str:
        """Return the address of the regulator."""
        return place.regulator_url

    @admin.display(description="Member of")
    def inside(self, place: Jurisdiction) -> str:
        """Return the regions that a jurisdiction is a member of."""
        return ", ".join(membership.region_id for membership in place.memberships.all())
