"""The form of a recall, in the order in which an editor thinks.

Which units a recall covers is one value, `AffectedSerials`, made of many fields. The fields typed so far give
this value even if the rest of the form is incomplete, so that the pattern can be tested early.
"""

from typing import Any

from django import forms
from django.utils.text import capfirst
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
    UnfoldBooleanSwitchWidget,
)

from catalog.editorial.screens.live_panels import RecordPreviewForm
from catalog.screens.list_field import RowsField, date_field, first_cells, source_field, text_rows
from catalog.sources.evidence_columns import captions
from recalls import records
from recalls.editing.models import Recall, RecallEvidence
from recalls.patterns import MAX_SAMPLE_CHARACTERS, refusals
from recalls.serials import MAX_PATTERN_CHARACTERS, AffectedSerials, RecallScope, Window

SCOPE_LABELS: dict[RecallScope, str] = {
    "serial_pattern": "units by their serial",
    "batch": "units by their batch",
    "date_code": "units by their date code",
    "all_units": "all units of the model",
    "lookup_required": "units on the maker's list",
    "manufacture_date": "units by when they were made",
    "sale_dates": "units by when they were sold",
}
PRECISION_LABELS: dict[records.AnnouncedPrecision, str] = {
    "day": "exactly that day",
    "month": "a day in that month",
    "year": "a day in that year",
    "report": "the day of a report about it",
    "earliest": "the earliest known day",
}
COUNT_LABELS: dict[records.UnitsScope, str] = {
    "model": "this model",
    "notice_total": "all models of the notice",
    "restated": "already counted by another notice",
}
WINDOWS = {"manufacture_windows": "manufacture_window", "sale_windows": "sale_window"}
"""Spans of time by their field in the form, and in the record."""

TEXTS = (
    "pattern",
    "not_affected_pattern",
    "explicit_list_url",
    "form_url",
    "necessary_pattern",
    "format_hint",
    "colour_condition",
)
LISTS = ("values", "affected_samples", "unaffected_samples")
TICKS = ("exhaustive", "absent_identifier_affected")
UNITS = ("scope", "identifier", *TEXTS, *LISTS, *TICKS, *WINDOWS)
"""The fields that say which units a recall covers."""


def _choice(labels: dict[Any, str], **options: Any) -> forms.TypedChoiceField:
    choices = [("", "Choose"), *labels.items()]
    return forms.TypedChoiceField(
        choices=choices, empty_value=None, widget=UnfoldAdminSelectWidget, **options
    )


def _text(label: str, help_text: str, **options: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget(options.pop("attributes", None))
    return forms.CharField(
        label=label, help_text=help_text, required=False, empty_value=None, widget=widget, **options
    )


def _pattern(label: str, help_text: str) -> forms.CharField:
    attributes = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
    return _text(label, help_text, max_length=MAX_PATTERN_CHARACTERS, attributes=attributes)


def _address(label: str, help_text: str, *, required: bool = False) -> forms.URLField:
    return forms.URLField(
        label=label,
        max_length=2000,
        assume_scheme="https",
        empty_value=None,
        required=required,
        widget=UnfoldAdminURLInputWidget,
        help_text=help_text,
    )


def _tick(label: str, help_text: str) -> forms.BooleanField:
    return forms.BooleanField(
        label=label, help_text=help_text, required=False, widget=UnfoldBooleanSwitchWidget
    )


def _samples(label: str, help_text: str) -> RowsField:
    return text_rows(
        label, max_length=MAX_SAMPLE_CHARACTERS, add=f"Add an {label.lower()}", help_text=help_text
    )


def _windows(label: str, add: str) -> RowsField:
    month = r"\d{4}-(0[1-9]|1[0-2])(-\d{2})?"
    problem = {"invalid": "A day or a month, such as 2023-08-31 or 2023-08."}

    def end(name: str) -> forms.RegexField:
        widget = UnfoldAdminTextInputWidget({"placeholder": f"{name}: 2023-08"})
        return forms.RegexField(f"^{month}$", label=name, error_messages=problem, widget=widget)

    columns = {"from": end("From"), "to": end("Until")}
    return RowsField(
        columns, label=label, add=add, help_text="Days or months. Both the first and the last are included."
    )


class RecallForm(RecordPreviewForm):
    """The recorded fields of a recall."""

    record_type = records.Recall
    names = {"model_id": "device", "sources": "evidence"}
    spoken_of_as = {"source": "evidence"}

    announced_on = date_field("Announced on")
    announced_precision = _choice(PRECISION_LABELS, label="That date is")
    notice_url = _address("Address of the notice", "Answers link to it.", required=True)
    units = forms.IntegerField(
        label="Units", required=False, min_value=1, widget=UnfoldAdminIntegerFieldWidget
    )
    units_scope = _choice(
        COUNT_LABELS,
        label="The number is for",
        required=False,
        help_text="It is never added to the number of another notice.",
    )

    scope = _choice(SCOPE_LABELS, label="Which units")
    identifier = forms.CharField(
        label="What to read on the unit",
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text="Such as serial, production_batch, date_code or po_number. Travelers ask about this.",
    )
    pattern = _pattern(
        "Pattern of affected units",
        "It must match the whole identifier, in capitals and without spaces (a part of RE2 syntax).",
    )
    affected_samples = _samples(
        "Affected sample",
        "Affected identifiers: from the notice, or made from its description. At least one.",
    )
    unaffected_samples = _samples(
        "Unaffected sample",
        "Identifiers that the pattern must not match. At least one; the most useful are those "
        "that almost match.",
    )
    values = text_rows(
        "Listed value",
        add="Add a value",
        help_text="Only if the notice lists them. The pattern must match each of them.",
    )
    not_affected_pattern = _pattern(
        "Pattern of unaffected units",
        "Only if the notice says which units are not affected. Units that match are cleared.",
    )
    exhaustive = _tick(
        "Exhaustive",
        "The notice says that no other unit is affected, so units that do not match are cleared.",
    )
    explicit_list_url = _address(
        "Address of the maker's list", "Where travelers check units for which the pattern cannot decide."
    )
    form_url = _address("Address of the form", "Only if the maker asks for more than the identifier.")
    necessary_pattern = _pattern(
        "Necessary pattern",
        "Affected units match it, but other units match too. It is only for readers and decides nothing.",
    )
    absent_identifier_affected = _tick(
        "Without one, affected", "A unit that has no identifier on it is affected."
    )
    format_hint = _text("How it is printed", "Where it is on the unit, and how to read it.")
    colour_condition = _text("Color", "Only if the notice is limited to some colors.")
    manufacture_windows = _windows("Made", "Add when they were made")
    sale_windows = _windows("Sold", "Add when they were sold")

    evidence = RowsField(
        {"source": source_field(RecallEvidence._meta.get_field("source"))},
        add="Add a source",
        help_text="The pages that say this, the most important first. Answers cite them in this order.",
    )

    units_typed: AffectedSerials
    """Which units are meant by what is typed, even if some of it is wrong; known once it is cleaned."""

    class Meta:
        model = Recall
        fields = [
            "device",
            "recall_id",
            "authority",
            "jurisdiction",
            "announced_on",
            "announced_precision",
            "title",
            "notice_url",
            "units",
            "units_scope",
            "scope",
            "identifier",
            "pattern",
            "not_affected_pattern",
            "exhaustive",
            "explicit_list_url",
            "hazard",
            "remedy",
            "notes",
        ]
        labels = {
            "device": "Model",
            "recall_id": "Recall id",
            "authority": "Who recalls",
            "jurisdiction": "Country or region",
            "title": "Title",
        }
        help_texts = {
            "device": (
                "Exactly one. If a notice is about several models, record one recall for each. Other "
                "models of the brand are not affected."
            ),
            "recall_id": (
                "The name that answers use for it: place, authority, number and model, such as "
                "us-cpsc-25-338-anker-a1263. It cannot be changed later."
            ),
            "authority": "The full name of the authority or the maker.",
            "jurisdiction": "A code such as US, EU, or INTL for a maker's own recall everywhere.",
            "hazard": "What can happen, in one sentence.",
            "remedy": "What the owner must do, and what the owner gets.",
            "notes": "For other editors. Travelers never see it.",
        }
        widgets = {
            "hazard": UnfoldAdminTextareaWidget({"rows": 3}),
            "remedy": UnfoldAdminTextareaWidget({"rows": 3}),
            "notes": UnfoldAdminTextareaWidget({"rows": 3}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["values"].label = "Listed values"
        if "evidence" in self.fields:
            self.fields["evidence"].widget.captions = captions(first_cells(self["evidence"].value()))

    # --- Between the record and the form ---

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a record, with those that say which units on the same level as the others."""
        affected = fields["affected_serials"]
        units = {name: getattr(affected, name) for name in UNITS if name not in WINDOWS}
        spans = {
            name: [(window.from_, window.to) for window in _as_windows(getattr(affected, field))]
            for name, field in WINDOWS.items()
        }
        return {**fields, **units, **spans}

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        return {
            **fields,
            "model_id": self.model_id(),
            "affected_serials": self.affected_serials(),
            "notes": fields["notes"] or "",
        }

    def model_id(self) -> str | None:
        """Return the id of the model, if it is chosen."""
        device = self.cleaned_data.get("device")
        return device.pk if device else None

    def affected_serials(self) -> AffectedSerials:
        """Return which units the recall covers, as far as it is typed."""
        said = self.cleaned_data
        before = self.before.affected_serials if self.before else None
        # A field without a choice is tested with its most frequent value.
        units: dict[str, Any] = {
            "scope": said.get("scope") or "serial_pattern",
            "identifier": said.get("identifier") or "serial",
        }
        units |= {name: said.get(name) for name in TEXTS}
        units |= {name: tuple(said.get(name) or ()) for name in LISTS}
        units |= {name: bool(said.get(name)) for name in TICKS}
        for name, field in WINDOWS.items():
            units[field] = _from_windows(said.get(name) or (), getattr(before, field, None))
        return AffectedSerials(**units)

    # --- Checking ---

    def clean_recall_id(self) -> str:
        """Return the id of a new recall."""
        recall_id = str(self.cleaned_data["recall_id"])
        if Recall.objects.filter(recall_id=recall_id).exists():
            raise forms.ValidationError(
                "A recall with this id is already recorded. Revise that one, or choose another id."
            )
        return recall_id

    def clean_jurisdiction(self) -> str:
        """Return the code in capitals: small letters never mean another one."""
        return str(self.cleaned_data["jurisdiction"]).strip().upper()

    def clean(self) -> dict[str, Any]:
        """Say which pattern cannot be used, at its field."""
        self.units_typed = self.affected_serials()
        for refusal in refusals(self.units_typed):
            if refusal.field not in self.errors:
                self.add_error(refusal.field, f"{capfirst(refusal.sentence)}.")
        return super().clean()


def _as_windows(span: Window | tuple[Window, ...] | None) -> tuple[Window, ...]:
    return () if span is None else (span,) if isinstance(span, Window) else span


def _from_windows(
    rows: Any, before: Window | tuple[Window, ...] | None
) -> Window | tuple[Window, ...] | None:
    """Return spans as a record has them: a single one without a list, unless it was recorded as a list."""
    windows = tuple(Window(start, end) for start, end in rows)
    if len(windows) == 1 and not isinstance(before, tuple):
        return windows[0]
    return windows or None
