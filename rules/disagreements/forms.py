"""The form of a disagreement: whose rule, the question, the sides, and the rule that is applied.

A source is listed once for each side that it speaks for, with the number of that side.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.editorial.screens.live_panels import RecordPreviewForm
from catalog.screens.list_field import RowsField, first_cells, source_field
from catalog.sources.evidence_columns import captions
from rules.disagreements.models import Disagreement, DisagreementEvidence
from rules.disagreements.problems import problems_of
from rules.engine import disagreements
from rules.engine.disagreements import FEWEST_SIDES, MOST_SIDES
from rules.engine.facts import Rule

SIDES = [("", "Supports"), *((str(number), f"Side {number}") for number in range(1, MOST_SIDES + 1))]

STRICTEST_FIRST = ("prohibit", "require", "advise", "permit")


class DisagreementForm(RecordPreviewForm):
    """The recorded fields of a disagreement."""

    record_type = disagreements.Disagreement
    names = {"id": "disagreement_id", "sides": "says"}
    spoken_of_as = {
        "id": "disagreement_id",
        "recorded": "disagreement_id",
        "revision": "disagreement_id",
        "side": "says",
        "sides": "says",
        "source": "evidence",
        "rule": "applied",
        "reason": "because",
    }

    question = forms.CharField(
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="One question in plain English, to which the sides give different answers.",
    )
    says = RowsField(
        {"text": forms.CharField(label="What the side says", widget=UnfoldAdminTextareaWidget({"rows": 2}))},
        label="Sides",
        add="Add a side",
        item="Side",
        spare=FEWEST_SIDES,
        help_text=f"{FEWEST_SIDES} to {MOST_SIDES} answers, in a few words each, numbered from the top.",
    )
    evidence = RowsField(
        {
            "source": source_field(DisagreementEvidence._meta.get_field("source")),
            "side": forms.ChoiceField(label="Supports", choices=SIDES, widget=UnfoldAdminSelectWidget),
        },
        label="Sources",
        add="Add a source",
        item="Source",
        spare=1,
        help_text="The pages that give each answer. A side may have no source, but at least one source "
        "must have been read.",
    )
    applied = forms.CharField(
        label="Applied rule",
        max_length=120,
        widget=UnfoldAdminTextInputWidget({"autocapitalize": "off", "spellcheck": "false"}),
        help_text="The id of the rule that verdicts follow, such as ek.over-100wh.",
    )
    because = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="Why this rule applies and not another reading. Travelers read it next to the rule.",
    )

    class Meta:
        model = Disagreement
        fields = ["disagreement_id", "airline", "jurisdiction", "question", "applied", "because"]
        labels = {"disagreement_id": "Id", "airline": "Airline", "jurisdiction": "Country or region"}
        help_texts = {
            "disagreement_id": "Lower-case words joined by hyphens. It cannot be changed later.",
            "airline": ("The airline whose rule is in question. Leave it empty for a rule of an authority."),
            "jurisdiction": "Leave it empty for a rule of an airline.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A user who may only view has no fields to fill in.
        if "evidence" in self.fields:
            self.fields["evidence"].widget.captions = captions(first_cells(self["evidence"].value()))

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a record as this form shows them."""
        return shown(fields)

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        said = self.cleaned_data
        airline, place = said.get("airline"), said.get("jurisdiction")
        about = disagreements.About(airline=airline and airline.pk, jurisdiction=place and place.pk)
        return {**fields, "about": about, "sides": _sides(said["says"], said["evidence"])}

    def clean(self) -> dict[str, Any]:
        """Check the disagreement as a release would."""
        self._check_sides(self.cleaned_data)
        cleaned = super().clean()
        if not self.errors and not self.preview_only:
            for problem in problems_of([self.record()]):
                self.add_error(self.field_of(problem.reason), f"{problem.reason}.")
        return cleaned

    def _check_sides(self, cleaned: dict[str, Any]) -> None:
        """Say which sources speak for a side that does not exist."""
        there = len(cleaned.get("says") or ())
        for number, (_, side) in enumerate(cleaned.get("evidence") or (), start=1):
            if int(side) > there:
                self.add_error("evidence", f"Source {number}, Supports: there is no side {side}.")


def shown(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record as the form shows them, with the sides separate from their sources."""
    sides: Sequence[disagreements.Side] = fields["sides"]
    about: disagreements.About = fields["about"]
    return {
        **fields,
        "airline": about.airline,
        "jurisdiction": about.jurisdiction,
        "sides": [side.says for side in sides],
        "evidence": [
            (source, str(number)) for number, side in enumerate(sides, start=1) for source in side.sources
        ],
    }


def _sides(says: Iterable[str], evidence: Sequence[tuple[str, str]]) -> tuple[disagreements.Side, ...]:
    return tuple(
        disagreements.Side(
            says=text, sources=tuple(source for source, side in evidence if int(side) == number)
        )
        for number, text in enumerate(says, start=1)
    )


def proposed(one: Rule, other: Rule) -> disagreements.Disagreement:
    """Return a first draft of a disagreement, if two rules of one issuer contradict each other.

    It names what the rules say and their evidence, and applies the stricter one. The editor gives a reason.
    """
    applied, milder = sorted((one, other), key=_leniency)
    return disagreements.Disagreement(
        id=applied.rule_id.replace(".", "-"),
        about=disagreements.About(airline=applied.airline)
        if applied.airline
        else disagreements.About(jurisdiction=applied.jurisdiction),
        question=f"Which of these does {applied.authority} require?",
        sides=tuple(
            disagreements.Side(says=rule.summary, sources=rule.sources) for rule in (applied, milder)
        ),
        applied=applied.rule_id,
        because="",
    )


def _leniency(rule: Rule) -> tuple[int, Decimal, str]:
    """Order rules by how much they permit: by effect, then by the figure that limits."""
    figures = (rule.params.max_units, rule.params.limit_watt_hour, rule.when.watt_hour_up_to)
    limit = next((Decimal(figure) for figure in figures if figure is not None), Decimal("Infinity"))
    return STRICTEST_FIRST.index(rule.effect), limit, rule.rule_id
