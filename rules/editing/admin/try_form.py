"""The form of a question that tries the draft of a rule."""

from typing import Any

from django import forms
from django.contrib import admin
from django.utils import timezone

from catalog.models import Airline, DeviceEvidence
from catalog.screens.list_field import RecordedAutocomplete, date_field
from rules.editing.admin.fields import choice_field, count_field
from rules.editing.models import Rule
from rules.engine import facts
from rules.engine.vocabulary import COMPARTMENT_WORDS


class TryForm(forms.Form):
    """A question to try a draft with. Its names begin with `try-`, so they fit into the rule's own form."""

    RARE = ("mark", "label", "condition", "recall")

    model = forms.CharField(
        label="Model",
        widget=RecordedAutocomplete(DeviceEvidence._meta.get_field("device"), admin.site),
    )
    origin = forms.CharField(
        label="From", widget=RecordedAutocomplete(Airline._meta.get_field("country"), admin.site)
    )
    destination = forms.CharField(
        label="To", widget=RecordedAutocomplete(Airline._meta.get_field("country"), admin.site)
    )
    airline = forms.CharField(
        label="Airline", widget=RecordedAutocomplete(Rule._meta.get_field("airline"), admin.site)
    )
    compartment = choice_field(COMPARTMENT_WORDS, label="Carried")
    quantity = count_field("Units", required=True, initial=1)
    date = date_field("Travel date")
    mark = choice_field(
        {"unknown": "not known", "present": "there", "absent": "not there"}, label="CCC (3C) mark"
    )
    label = choice_field(
        {"unknown": "not known", "legible": "readable", "missing": "missing"}, label="Rating on the unit"
    )
    condition = choice_field(
        {"unknown": "not known", "intact": "intact", "damaged": "damaged"}, label="Condition of the unit"
    )
    recall = choice_field(
        {"not_checked": "not checked", "not_affected": "not affected", "affected": "affected"},
        label="The maker's recall list says",
    )

    def __init__(self, data: Any = None, *, owner: str, initial: dict[str, Any] | None = None) -> None:
        """Attach the fields to the form on the page whose id is `owner`."""
        start = {"date": timezone.localdate(), "compartment": "carry_on", **(initial or {})}
        super().__init__(data, prefix="try", initial=start, auto_id="id_%s")
        for field in self.fields.values():
            field.widget.attrs["form"] = owner

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that few questions need: they are unknown unless the user fills them in."""
        return [self[name] for name in self.RARE]

    @property
    def asked(self) -> list[forms.BoundField]:
        """The fields that every question needs."""
        return [field for field in self if field.name not in self.RARE]

    @property
    def says_more(self) -> bool:
        """Whether a field of `more` is filled in."""
        return any(field.value() not in (None, "unknown", "not_checked") for field in self.more)

    def question(self) -> facts.Question:
        """Return what is asked."""
        asked = self.cleaned_data
        return facts.Question(
            unit=facts.Unit(
                model_id=asked["model"],
                quantity=asked["quantity"],
                ccc_mark=asked["mark"],
                capacity_label=asked["label"],
                condition=asked["condition"],
                recall_check=asked["recall"],
            ),
            leg=facts.Leg(asked["origin"], asked["destination"], asked["airline"]),
            travel_date=asked["date"],
            compartment_intent=asked["compartment"],
        )
