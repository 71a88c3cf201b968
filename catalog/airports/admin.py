"""Facts of airports: what becomes of a refused power bank, where, and who says so."""

from typing import Any

import msgspec
from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget, UnfoldAdminURLInputWidget

from catalog import records
from catalog.airports.bulk import AIRPORT_FACTS
from catalog.airports.models import AirportFact
from catalog.bulk.cells import to_cells
from catalog.dates import recorded_words
from catalog.editorial.pending.screens.records import PendingBulkAdmin, PendingForm
from catalog.places.models import Country
from catalog.screens.list_field import RowsField, date_field
from catalog.sources.evidence_columns import age

COLUMNS = ("url", "authority", "title", "page_date", "read_on")


def _text(label: str, *, required: bool = True) -> forms.CharField:
    return forms.CharField(label=label, required=required, widget=UnfoldAdminTextInputWidget)


class AirportFactForm(PendingForm):
    """The fields of a fact."""

    table = AIRPORT_FACTS
    record_type = records.AirportFact
    names = {"sources": "pages"}
    spoken_of_as = {"read_on": "pages", "sources": "pages"}

    fact = forms.CharField(
        max_length=500,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="In short, plain English. Travelers read it with its date and its source.",
    )
    pages = RowsField(
        {
            "url": forms.URLField(
                label="Address", max_length=2000, assume_scheme="https", widget=UnfoldAdminURLInputWidget
            ),
            "authority": _text("Published by"),
            "title": _text("Title of the page"),
            "page_date": _text("Date on the page", required=False),
            "read_on": date_field("Read on"),
        },
        label="Sources",
        add="Add a source",
        item="Source",
        spare=1,
        labeled=True,
        help_text="The pages that say this. The date on a page may be a day, a month or a year.",
    )

    class Meta:
        model = AirportFact
        fields = ["id", "airport", "country", "kind", "since"]
        labels = {"id": "Id", "airport": "Airport", "since": "Reported for"}
        help_texts = {
            "id": "Lower-case words joined by hyphens, such as szx-storage. It cannot be changed later.",
            "airport": "Its IATA code, such as SZX.",
            "since": "The day, month or year since which it is reported, such as 2025-06-28 or 2025-06.",
        }

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with each source as a row."""
        rows = [tuple(getattr(source, name) for name in COLUMNS) for source in fields["sources"]]
        return {**fields, "sources": rows}

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        country = fields["country"]
        return {
            **fields,
            "country": country.code if isinstance(country, Country) else country,
            "sources": [
                msgspec.to_builtins(source)
                if isinstance(source, records.AirportSource)
                else {**dict(zip(COLUMNS, source, strict=True)), "page_date": source[3] or None}
                for source in fields["sources"]
            ],
        }


@admin.register(AirportFact)
class AirportFactAdmin(PendingBulkAdmin):
    """Facts of airports."""

    table = AIRPORT_FACTS
    key = "id"
    form = AirportFactForm
    autocomplete_fields = ["country"]
    fieldsets = [
        ("Where", {"fields": ["id", "airport", "country"]}),
        ("What", {"fields": ["kind", "fact", "since"]}),
        ("Evidence", {"fields": ["pages", "reason", "replaces", "seen"]}),
    ]
    list_display = ["id", "airport", "country", "kind", "fact", "since_when", "last_read"]
    list_filter = ["kind", "airport"]
    list_select_related = ["country"]
    search_fields = ["id", "airport", "fact", "country__name"]
    search_help_text = "An id, an airport code, a country or a word of the fact."

    @admin.display(description="Since", ordering="since")
    def since_when(self, row: AirportFact) -> str:
        """Return the day, month or year since which it is reported, if it is known."""
        return recorded_words(row.since or "")

    @admin.display(description="Last read")
    def last_read(self, row: AirportFact) -> str:
        """Return how long ago one of its pages was read."""
        return age(max(source.read_on for source in row.to_record().sources))

    @admin.display(description="Sources")
    def pages(self, row: AirportFact) -> str:
        """Return the sources, for a user who may only view."""
        return to_cells(row.to_record())["sources"]

    @admin.display(description="")
    def seen(self, row: AirportFact) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""
