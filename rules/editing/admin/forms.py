"""The form of a rule, in the order in which an editor thinks.

What a rule says is one choice: a permit, or a code of the registry, which has one effect. Only some codes
take a parameter; the form explains which, and the script of the page shows no others.
"""

from typing import Any, cast

import msgspec
from django import forms
from django.contrib import admin
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from catalog.editorial.screens.live_panels import RecordPreviewForm
from catalog.models import DeviceEvidence
from catalog.screens.list_field import RecordedAutocomplete, RowsField, date_field, first_cells, source_field
from catalog.sources.evidence_columns import captions
from recalls.serials import RecallStatus
from rules.editing.admin.cells import code_in_words
from rules.editing.admin.fields import amount_field, choice_field, choices_field, count_field
from rules.editing.admin.quotes import as_quotes, as_rows, offer_sources, problems_of_rows, quotes_field
from rules.editing.models import Rule, RuleEvidence
from rules.editing.problems import problems_of
from rules.engine import facts
from rules.engine.document import JURISDICTION_CODE
from rules.engine.vocabulary import (
    CODES,
    COMPARTMENT_WORDS,
    EFFECT_OF_NATURE,
    Confidence,
    Effect,
    Scope,
    UnitCondition,
)

PERMIT = "permit"
"""The choice of codes shown for a rule that has none."""

EFFECT_LABELS: dict[Effect, str] = {
    "permit": "Permits",
    "require": "Requirements",
    "prohibit": "Prohibitions",
    "advise": "Advice",
}
SCOPE_LABELS: dict[Scope, str] = {
    "global": "every flight (only for the international baseline)",
    "departure": "departures from there",
    "arrival": "arrivals there",
    "domestic": "flights within it",
    "operator": "flights of airlines based there",
}
RECALL_LABELS: dict[RecallStatus, str] = {
    "not_affected": "under no recall",
    "affected": "under a recall",
    "serial_unknown": "model under recall, serial unknown",
    "external_check_required": "only the maker's list can decide",
}
CONDITION_LABELS: dict[UnitCondition, str] = {
    "intact": "intact",
    "damaged": "damaged",
    "unknown": "not known",
}
CONFIDENCE_LABELS: dict[Confidence, str] = {
    "confirmed": "confirmed: an official page was read and says this",
    "reported": "reported: another source says this",
    "unverified": "unverified: neither of these",
}

OVER_LIMIT = "over_watt_hour_limit"
WATT_HOURS = ("watt_hour_over", "watt_hour_at_least", "watt_hour_up_to")
PARAMETERS = facts.Params.__struct_fields__
CONDITIONS = facts.When.__struct_fields__


def code_choices() -> list[tuple[str, Any]]:
    """Return what a rule can say: a permit, and the codes by their effect."""
    grouped: dict[str, list[tuple[str, str]]] = {label: [] for label in EFFECT_LABELS.values()}
    grouped[EFFECT_LABELS["permit"]].append((PERMIT, "may travel, if no stricter rule applies"))
    for code in CODES.values():
        if code.from_rules:
            label = EFFECT_LABELS[EFFECT_OF_NATURE[code.nature]]
            grouped[label].append((code.name, code_in_words(code.name)))
    return [("", "Choose what it says"), *grouped.items()]


def codes_with(parameter: str) -> list[str]:
    """Return the codes that take a parameter."""
    return [code.name for code in CODES.values() if code.from_rules and code.parameter == parameter]


def _goes_with(parameter: str) -> dict[str, str]:
    return {"data-goes-with": " ".join(codes_with(parameter))}


class RuleForm(RecordPreviewForm):
    """The recorded fields of a rule."""

    record_type = facts.Rule
    names = {"sources": "evidence"}
    spoken_of_as = {
        "id": "rule_id",
        "recorded": "rule_id",
        "revision": "rule_id",
        "code": "says",
        "permit": "says",
        "scope": "applies",
        "globally": "applies",
        "source": "evidence",
        "quote": "quotes",
        "bounds": "watt_hour_up_to",
        "ends": "effective_until",
    }

    says = forms.ChoiceField(
        label="It says",
        choices=code_choices,
        widget=UnfoldAdminSelectWidget,
        help_text="A permit says that the unit may be carried. Every other code has exactly one effect.",
    )
    max_units = count_field(
        "Units",
        help_text="How many units per passenger.",
        attributes=_goes_with("max_units"),
    )
    limit_watt_hour = amount_field("Limit in Wh", **_goes_with("limit_watt_hour"))
    authority = forms.CharField(
        label="Authority",
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="The full name of the issuer. Leave it empty for the airline itself.",
    )
    jurisdiction = forms.CharField(
        label="Country or region",
        max_length=4,
        required=False,
        widget=UnfoldAdminTextInputWidget({"autocapitalize": "characters", "spellcheck": "false"}),
        help_text="A code such as AE or EU, or INTL for the international baseline. Leave it empty for the "
        "country of the airline.",
    )
    applies = choices_field(
        SCOPE_LABELS,
        label="Flights",
        help_text="Only for a rule of an authority. A rule of an airline applies to all of its own flights.",
    )
    watt_hour_over = amount_field("More than … Wh")
    watt_hour_at_least = amount_field("At least … Wh")
    watt_hour_up_to = amount_field("Up to … Wh")
    compartment = choices_field(
        COMPARTMENT_WORDS, label="Carried", help_text="If you choose none: in any place."
    )
    recall_status = choices_field(RECALL_LABELS, label="Recall", help_text="If you choose none: any.")
    condition = choices_field(CONDITION_LABELS, label="Condition", help_text="If you choose none: any.")
    certification_missing = forms.TypedChoiceField(
        label="Without the mark",
        required=False,
        empty_value=None,
        choices=[("", "with or without marks"), ("CCC", "CCC (3C) is not seen on the unit")],
        widget=UnfoldAdminSelectWidget,
    )
    quantity_over = count_field(
        "More than … units", help_text="Only if one passenger carries more than this number."
    )
    model = RowsField(
        {
            "model": forms.CharField(
                label="Model",
                widget=RecordedAutocomplete(DeviceEvidence._meta.get_field("device"), admin.site),
            )
        },
        label="Models",
        add="Add a model",
        help_text="Only if the page names exact models. If you choose none: any model.",
    )
    effective_from = date_field("From")
    effective_until = date_field("Until, including that day")
    confidence = choice_field(
        {"": "Choose", **CONFIDENCE_LABELS},
        label="Confidence",
        help_text="How well the evidence supports it.",
    )
    summary = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="One sentence in your own words, for other editors and partners.",
    )
    evidence = RowsField(
        {"source": source_field(RuleEvidence._meta.get_field("source"))},
        add="Add a source",
        help_text="The pages that say this, the most important first. At least one of them must have been "
        "read.",
    )
    quotes = quotes_field()

    class Meta:
        model = Rule
        fields = [
            "rule_id",
            "airline",
            "authority",
            "jurisdiction",
            *PARAMETERS,
            *WATT_HOURS,
            "certification_missing",
            "quantity_over",
            "effective_from",
            "effective_until",
            "confidence",
            "summary",
        ]
        labels = {"rule_id": "Rule id", "airline": "Airline"}
        help_texts = {
            "rule_id": (
                "The name that answers use for it, such as qr.max-units. It cannot be changed later."
            ),
            "airline": "The airline whose rule it is. Leave it empty for a rule of an authority.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A user who may only view has no fields to fill in.
        for name in {"effective_from", "effective_until"} & set(self.fields):
            self.fields[name].required = False
        if "evidence" in self.fields:
            rests_on = first_cells(self["evidence"].value())
            self.fields["evidence"].widget.captions = captions(rests_on)
            offer_sources(self.fields["quotes"], rests_on, self["quotes"].value())

    # --- Between the record and the form ---

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a record, with conditions and parameters on the same level."""
        nested = msgspec.structs.asdict(fields["when"]) | msgspec.structs.asdict(fields["params"])
        quotes = as_rows(fields["quotes"])
        return {**fields, **nested, "says": fields["code"] or PERMIT, "quotes": quotes}

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        said = self.cleaned_data
        code = None if said["says"] == PERMIT else said["says"]
        airline = said.get("airline")
        return {
            **fields,
            "issuer": "airline" if airline else "regulator",
            "airline": airline.pk if airline else None,
            "applies": said.get("applies") or [],
            "effect": EFFECT_OF_NATURE[CODES[code].nature] if code else "permit",
            "code": code,
            "when": {name: said.get(name) or None for name in CONDITIONS},
            "params": {name: said.get(name) for name in PARAMETERS},
        }

    # --- Checking ---

    def clean_jurisdiction(self) -> str:
        """Return the code in capitals: small letters never mean another one."""
        code = self.cleaned_data["jurisdiction"].strip().upper()
        if code and not JURISDICTION_CODE.fullmatch(code):
            raise forms.ValidationError("This is a code of two to four letters, such as AE, EU or INTL.")
        return cast(str, code)

    def clean_model(self) -> list[str] | None:
        """Return the models; none means no condition, and so null."""
        return self.cleaned_data["model"] or None

    def clean(self) -> dict[str, Any]:
        """Fill in what follows from the airline, then check the rule as a release would."""
        self._check_parameters(self.cleaned_data)
        self._check_limit(self.cleaned_data)
        self._check_issuer(self.cleaned_data)
        self._check_quotes(self.cleaned_data)
        cleaned = super().clean()
        if not self.errors and not self.preview_only:
            for problem in problems_of([self.record()]):
                self.add_error(self.field_of(problem.reason), f"{problem.reason}.")
        return cleaned

    def _check_limit(self, cleaned: dict[str, Any]) -> None:
        """Refuse a limit that says nothing of the energy that it forbids: it would ban every power bank."""
        conditions = [cleaned.get(name) for name in ("watt_hour_over", "watt_hour_at_least", "model")]
        if cleaned.get("says") == OVER_LIMIT and not any(conditions) and "watt_hour_over" not in self.errors:
            self.add_error(
                "watt_hour_over", "Without this figure or “At least … Wh” the rule bans every power bank."
            )

    def _check_parameters(self, cleaned: dict[str, Any]) -> None:
        """Say which parameter the code needs, and which do not belong to it."""
        says = cleaned.get("says")
        if not says:
            return
        wanted = CODES[says].parameter if says != PERMIT else None
        for name in PARAMETERS:
            label = self.fields[name].label
            if name == wanted and cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, f"“{_spoken(says)}” needs this figure.")
            elif name != wanted and cleaned.get(name) is not None:
                belongs = " and ".join(f"“{_spoken(code)}”" for code in codes_with(name))
                self.add_error(
                    name, f"{label} is only for {belongs}; “{_spoken(says)}” takes no such figure."
                )

    def _check_issuer(self, cleaned: dict[str, Any]) -> None:
        """Say what is missing about who speaks; nothing for a rule of an airline, because that is known."""
        airline = cleaned.get("airline")
        if airline:
            if cleaned.get("applies"):
                self.add_error(
                    "applies", "A rule of an airline applies to all of its own flights: choose none here."
                )
            cleaned["applies"] = ["airline"]
            cleaned["authority"] = cleaned.get("authority") or airline.name
            cleaned["jurisdiction"] = cleaned.get("jurisdiction") or airline.country_id
            return
        if "airline" in self.errors:
            return
        for name, missing in (
            ("authority", "Name the authority, or choose an airline."),
            ("jurisdiction", "Give the country or region of the authority, or choose an airline."),
            ("applies", "Choose at least one kind of flight."),
        ):
            if not cleaned.get(name) and name not in self.errors:
                self.add_error(name, missing)

    def _check_quotes(self, cleaned: dict[str, Any]) -> None:
        """Say which quote is of none of the rule's pages; with only one page, the source may be left out."""
        rows, rests_on = cleaned.get("quotes", []), cleaned.get("evidence")
        cleaned["quotes"] = as_quotes(rows, rests_on or [])
        if rests_on is not None and (wrong := problems_of_rows(rows, rests_on)):
            self.add_error("quotes", wrong)

    # --- While the user types ---

    def so_far(self) -> facts.Rule | None:
        """Return the rule as far as it is typed; None until it is clear who says what, and where.

        Fields that no sentence needs may still be missing or wrong.
        """
        needed = {"says", "airline", "authority", "jurisdiction", "applies", *PARAMETERS, *CONDITIONS}
        if needed & set(self.errors):
            return None
        self.cleaned_data.setdefault("effective_from", None)
        self.cleaned_data.setdefault("effective_until", None)
        placeholders = {
            "rule_id": "x.x",
            "summary": "-",
            "confidence": "unverified",
            "evidence": [],
            "quotes": [],
        }
        typed = self.cleaned_data
        self.cleaned_data = {
            **typed,
            **{name: typed.get(name) or other for name, other in placeholders.items()},
        }
        try:
            return cast(facts.Rule, self.record())
        finally:
            self.cleaned_data = typed


def _spoken(says: str) -> str:
    return code_in_words(says)
