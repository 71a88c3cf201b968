"""Screens of airlines and their policies: names, codes, the policy, its changes, and how well it is known."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import BaseConstraint, Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminURLInputWidget,
)

from catalog import records
from catalog.airlines.bulk import AIRLINES
from catalog.airlines.models import Airline, AirlinePolicy, AirlinePolicyEvidence, PolicyChange
from catalog.bulk.cells import to_cells
from catalog.dates import day_words, recorded_words
from catalog.editorial.pending.screens.records import PendingBulkAdmin, PendingForm
from catalog.places.models import Country
from catalog.screens.filters import EvidenceFilter
from catalog.screens.history import Part
from catalog.screens.list_field import RowsField, date_field, first_cells, source_field, text_rows
from catalog.sources.evidence_columns import ShowsEvidence, captions
from catalog.tables.constraints import choices

COLORS = {"confirmed": "success", "reported": "info", "unverified": "danger"}


class AirlineForm(PendingForm):
    """The fields of an airline and of its policy."""

    table = AIRLINES
    record_type = records.Airline
    names = {"airline": "code", "sources": "evidence"}
    spoken_of_as = {"source": "evidence", "airline": "code"}

    policy_url = forms.URLField(
        label="Address of the policy",
        max_length=2000,
        assume_scheme="https",
        widget=UnfoldAdminURLInputWidget,
        help_text="The airline's own page about power banks. Answers link to it.",
    )
    confidence = forms.ChoiceField(
        choices=choices(records.Confidence),
        widget=UnfoldAdminSelectWidget,
        help_text="Confirmed: an official page was read. Reported: a secondary page was read. Unverified: "
        "neither; then no answer about this airline is “allowed”.",
    )
    effective_from = forms.DateField(
        label="In force since",
        required=False,
        widget=UnfoldAdminSingleDateWidget,
        help_text="Only if the airline gives a date.",
    )
    summary = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text="What the policy says, in one or two sentences. Verdicts come from the rules, not from "
        "this text.",
    )
    notes = text_rows("Note", add="Add a note", long=True, help_text="For editors and partners.")
    changes = RowsField(
        {
            "date": date_field("Date"),
            "what": forms.CharField(label="What changed", widget=UnfoldAdminTextareaWidget({"rows": 2})),
            "source": source_field(PolicyChange._meta.get_field("source")),
        },
        add="Add a change",
        help_text="Dated changes of the policy, each with the source that reports it.",
    )
    evidence = RowsField(
        {"source": source_field(AirlinePolicyEvidence._meta.get_field("source"))},
        add="Add a source",
        help_text="The pages that state the policy, the most important first.",
    )

    class Meta:
        model = Airline
        fields = ["code", "icao", "name", "country"]
        labels = {"code": "IATA code", "icao": "ICAO code", "country": "Based in"}
        help_texts = {"code": "Two letters or digits, such as EK or 7C. It cannot be changed later."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [*first_cells(self["evidence"].value()), *(row[2] for row in self["changes"].value() or ())]
        known = captions(named)
        self.fields["evidence"].widget.captions = known

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with each change as a row."""
        return {
            **fields,
            "changes": [(change.date, change.what, change.source) for change in fields["changes"]],
        }

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        country = fields["country"]
        return {
            **fields,
            "country": country.code if isinstance(country, Country) else country,
            "changes": [
                change
                if isinstance(change, records.PolicyChange)
                else records.PolicyChange(date=change[0], what=change[1], source=change[2])
                for change in fields["changes"]
            ],
        }

    def constraints(self) -> list[BaseConstraint]:
        """Return the constraints of both tables."""
        return [*super().constraints(), *AirlinePolicy._meta.constraints]

    def check_more(self) -> None:
        """Check the constraints of the policy."""
        columns = {name: self.cleaned_data.get(name) for name in ("policy_url", "confidence")}
        others = {field.name for field in AirlinePolicy._meta.concrete_fields} - columns.keys()
        if all(columns.values()):
            try:
                AirlinePolicy(**columns).validate_constraints(exclude=others)
            except ValidationError as error:
                self.add_error(None, error)


def shown(column: str, label: str) -> Callable[[Any, Airline], str]:
    """Return how a field of the policy is shown to a user who may only view it."""

    @admin.display(description=label)
    def show(self: Any, airline: Airline) -> str:
        return recorded_words(to_cells(airline.to_record())[column])

    return show


@admin.register(Airline)
class AirlineAdmin(ShowsEvidence, PendingBulkAdmin):
    """Airlines with their policies."""

    table = AIRLINES
    evidence_link, evidence_owner = AirlinePolicyEvidence, "policy__airline"
    key = "code"
    parts = (
        Part(AirlinePolicy, "airline_id"),
        Part(AirlinePolicyEvidence, "policy_id", "sources", ("source_id",)),
        Part(PolicyChange, "policy_id", "changes", ("date", "what", "source_id")),
    )
    form = AirlineForm
    autocomplete_fields = ["country"]
    fieldsets = [
        ("Who it is", {"fields": ["name", "code", "icao", "country"]}),
        (
            "What its policy says",
            {"fields": ["policy_url", "summary", "confidence", "effective_from", "notes"]},
        ),
        ("How it changed", {"fields": ["changes"]}),
        ("Evidence", {"fields": ["evidence", "reason", "replaces", "seen"]}),
    ]
    list_display = ["airline", "country", "how_well_known", "rules", "evidence_age", "since"]
    list_filter = ["policy__confidence", ("country", AutocompleteSelectFilter), EvidenceFilter]
    search_fields = ["code", "icao", "name", "country__name"]
    search_help_text = "A code, a name or a country."
    date_hierarchy = "policy__effective_from"

    # --- Reading ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Airline]:
        """Return the airlines with the counts of rules and evidence that the list shows."""
        rules = _rules().filter(airline=OuterRef("pk")).order_by().values("airline")
        rows = self.with_evidence(super().get_queryset(request))
        return rows.select_related("country", "policy").annotate(
            rule_count=Coalesce(Subquery(rules.annotate(rules=Count("pk")).values("rules")), 0)
        )

    @display(description="Airline", ordering="code", header=True)
    def airline(self, airline: Airline) -> list[str]:
        """Return the airline's name and its codes."""
        return [airline.name, f"{airline.code} · {airline.icao}"]

    @display(description="Policy", ordering="policy__confidence", label=COLORS)
    def how_well_known(self, airline: Airline) -> str:
        """Return how well the policy is known."""
        return airline.policy.confidence

    @admin.display(description="Rules")
    def rules(self, airline: Any) -> int:
        """Return how many rules the airline has."""
        return airline.rule_count

    @admin.display(description="In force since", ordering="policy__effective_from")
    def since(self, airline: Airline) -> str:
        """Return the day since which the policy applies, if it is known."""
        begin = airline.policy.effective_from
        return day_words(begin) if begin else ""

    policy_url = shown("policy_url", "Address of the policy")
    confidence = shown("confidence", "Confidence")
    effective_from = shown("effective_from", "In force since")
    summary = shown("summary", "Summary")
    notes = shown("notes", "Notes")
    changes = shown("changes", "Changes")
    evidence = shown("sources", "Sources")

    @admin.display(description="")
    def seen(self, airline: Airline) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""


def _rules() -> QuerySet[Any]:
    """Return the approved rules."""
    # Their room may import this one, not the reverse, so Django is asked.
    rows: Any = Airline._meta.get_field("rules").related_model._default_manager
    return rows.to_publish()
