"""The fields of the form of a case: a question as POST /api/verify takes it, and what is expected."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from catalog.energy import WattHourBasis
from catalog.screens.list_field import RowsField, date_field
from recalls.serials import RecallCheckMethod, RecallStatus
from rules.engine.outcomes import Because
from rules.engine.vocabulary import COMPARTMENT_WORDS, MAX_PASSENGERS, MAX_QUANTITY, Verdict

UNSAID = {"": "—"}


class CodesField(forms.CharField):
    """Codes in a row: separated by commas, blanks or line ends."""

    def __init__(self, label: str, **options: Any) -> None:
        widget = UnfoldAdminTextareaWidget({"rows": 2, "autocapitalize": "off", "spellcheck": "false"})
        super().__init__(label=label, required=False, max_length=8_000, widget=widget, **options)

    def prepare_value(self, value: Any) -> Any:
        """Return the codes as they are typed."""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> Any:
        """Return the codes."""
        return tuple(super().clean(value).replace(",", " ").split())


def choice(label: str, words: Iterable[str] | Mapping[str, str], **options: Any) -> forms.ChoiceField:
    """Return a field of one of some words of the contract, or of none."""
    named = words if isinstance(words, Mapping) else {word: word.replace("_", " ") for word in words}
    return forms.ChoiceField(
        label=label,
        choices=list((UNSAID | dict(named)).items()),
        required=False,
        widget=UnfoldAdminSelectWidget,
        **options,
    )


def text(label: str, **options: Any) -> forms.CharField:
    """Return a field of a code or an id."""
    widget = UnfoldAdminTextInputWidget({"autocapitalize": "off", "spellcheck": "false"})
    return forms.CharField(
        label=label, required=False, max_length=options.pop("max_length", 80), widget=widget, **options
    )


def count(label: str, most: int, **options: Any) -> forms.IntegerField:
    """Return a field of a number."""
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=most,
        widget=UnfoldAdminIntegerFieldWidget({"min": "1", "max": str(most)}),
        **options,
    )


def unit_fields() -> dict[str, forms.Field]:
    """Return the fields of a unit, each empty for what the question does not say."""
    return {
        "model_id": text("Model id"),
        "watt_hour": forms.DecimalField(
            label="Watt-hours",
            required=False,
            max_digits=8,
            decimal_places=2,
            widget=UnfoldAdminDecimalFieldWidget({"step": "0.01", "min": "0.01"}),
        ),
        "basis": choice("Known by", get_args(WattHourBasis)),
        "quantity": count("Units", MAX_QUANTITY),
        "compartment": choice("Carried", {str(name): words for name, words in COMPARTMENT_WORDS.items()}),
        "ccc_mark": choice("CCC (3C) mark", ("present", "absent")),
        "capacity_label": choice("Rating on the unit", ("legible", "missing")),
        "condition": choice("Condition", ("intact", "damaged")),
        "recall_check": choice("The maker's list says", ("not_affected", "affected")),
        "serial": text("Serial, batch or date code", max_length=64),
        "serial_hash": text("SHA-256 of the serial", max_length=64),
    }


def legs_field() -> RowsField:
    """Return the field of the legs of a trip on several airlines."""
    columns = {"origin": text("From"), "destination": text("To"), "airline": text("Airline")}
    return RowsField(
        columns,
        label="Legs",
        add="Add a leg",
        item="Leg",
        help_text="Instead of a route: for a trip on several airlines.",
    )


def items_field() -> RowsField:
    """Return the field of the items of an itinerary."""
    columns = {
        "ref": text("Name of the item"),
        **unit_fields(),
        "carried_by": count("Carried by passenger", 9),
    }
    return RowsField(columns, label="Items", add="Add an item", item="Item", labeled=True)


def segments_field() -> RowsField:
    """Return the field of the flights of an itinerary."""
    columns = {
        "origin": text("From"),
        "destination": text("To"),
        "operating_airline": text("Operating airline"),
        "marketing_airline": text("Marketing airline"),
        "date": date_field("Date", required=False),
    }
    return RowsField(columns, label="Flights", add="Add a flight", item="Flight", labeled=True)


def question_fields() -> dict[str, forms.Field]:
    """Return the fields of `given`, by their names there."""
    return {
        **unit_fields(),
        "route": CodesField(
            "Route", help_text="Two countries are a flight, more are a trip with stops: AE, GB."
        ),
        "airline": text("Airline", help_text="The two characters of its code."),
        "legs": legs_field(),
        "on": date_field("Travel date"),
        "today": date_field("Day of asking", required=False),
        "passengers": count("Passengers", MAX_PASSENGERS),
        "items": items_field(),
        "segments": segments_field(),
    }


def expected_fields() -> dict[str, forms.Field]:
    """Return the fields of `expect`, by their names there."""
    return {
        "verdict": choice("Verdict", get_args(Verdict)),
        "error": choice(
            "Or an error", {one: one for one in ("MODEL_NOT_FOUND", "AIRLINE_NOT_COVERED", "UNKNOWN_COUNTRY")}
        ),
        "first_constraint": text("First constraint", max_length=120),
        "constraints": CodesField("Constraints that are listed"),
        "no_constraints": CodesField("Constraints that are not"),
        "warnings": CodesField("Warnings that are listed"),
        "no_warnings": CodesField("Warnings that are not"),
        "path": CodesField("Rules that are applied, in their order"),
        "no_path": CodesField("Rules that are not"),
        "gaps": CodesField("What is missing"),
        "segments": CodesField("Verdict of each segment", help_text="Of a trip or an itinerary, in order."),
        "change_on": date_field("Announced change on", required=False),
        "recall_status": choice("Recall status", get_args(RecallStatus)),
        "recall_check_method": choice("Recall check", get_args(RecallCheckMethod)),
        "lookup": text("Address of the maker's list", max_length=500),
        "stays": RowsField(
            {
                "ref": text("Item"),
                "quantity": count("Units", MAX_QUANTITY),
                "because": choice("Because", get_args(Because)),
            },
            label="Units that must stay",
            add="Add units",
            item="Units",
        ),
        "may_travel": RowsField(
            {"ref": text("Item"), "quantity": count("Units", MAX_QUANTITY)},
            label="Units that may travel",
            add="Add units",
            item="Units",
        ),
    }
