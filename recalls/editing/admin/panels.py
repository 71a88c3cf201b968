"""The panels next to the form of a recall: what its pattern does, and what it says about one serial.

The same panel is made for the whole page, for the script that asks while the user types, and for the buttons
that do the same without a script. Reads only. A serial that a user tries is used once and forgotten: no
response contains it, and nothing stores it.
"""

from typing import Any

from django import forms
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import UnfoldAdminTextInputWidget

from recalls.editing.breadth import warnings
from recalls.editing.known_identifiers import known_identifiers, shares
from recalls.patterns import (
    MAX_SAMPLE_CHARACTERS,
    Outcome,
    answer,
    decides,
    objections,
    outcomes,
    refusals,
)
from recalls.serials import AffectedSerials, evaluate

OTHERS_SHOWN = 5
"""How many other recalls are named that a pattern also reaches."""


class TryForm(forms.Form):
    """A serial to try. It is only sent by POST, and never comes back with the page."""

    serial = forms.CharField(
        label="Serial, batch or date code",
        max_length=MAX_SAMPLE_CHARACTERS,
        widget=UnfoldAdminTextInputWidget(
            {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "characters"},
        ),
        help_text="As a traveler would type it. It is checked once and never stored.",
    )

    def __init__(self, data: Any = None, *, owner: str) -> None:
        """Attach the fields to the form on the page whose id is `owner`."""
        super().__init__(data, prefix="try", auto_id="id_%s")
        self.fields["serial"].widget.attrs["form"] = owner


def tested(affected: AffectedSerials, *, recall_id: str, model_id: str | None) -> dict[str, Any]:
    """Return what the pattern of a recall does, in words."""
    if refused := refusals(affected):
        return {
            "said": "The pattern cannot be used yet.",
            "objections": [refusal.sentence for refusal in refused],
        }
    if not decides(affected):
        return {"said": f"No pattern decides. {_without_a_serial(affected)}"}
    objections_found = objections(affected)
    found = outcomes(affected)
    known = known_identifiers(affected, recall_id=recall_id, model_id=model_id)
    shared = shares(affected.pattern or "", known)
    matched, total = sum(share.matched for share in shared), sum(share.known for share in shared)
    return {
        "said": _summary(objections_found, found),
        "ready": not objections_found,
        "objections": objections_found,
        "outcomes": [
            {"name": outcome.name.capitalize(), "sample": outcome.sample, "passes": outcome.passes}
            | {"answer": answer(outcome.evaluation)}
            for outcome in found
        ],
        "warnings": warnings(affected),
        "matched": matched,
        "known": total,
        "shares": [share._asdict() | _named(share.recall_ids, recall_id) for share in shared],
    }


@sensitive_variables()
def tried(affected: AffectedSerials, form: TryForm) -> dict[str, Any]:
    """Return what a traveler with one serial reads. The serial is not in it."""
    if refused := refusals(affected):
        return {"refused": f"It cannot be tried yet: {refused[0].sentence}."}
    if not form.is_valid():
        return {"refused": f"Type a serial of 1 to {MAX_SAMPLE_CHARACTERS} characters."}
    evaluation = evaluate(affected, serial=form.cleaned_data["serial"])
    return {
        "answer": answer(evaluation).capitalize(),
        "status": evaluation.match_status,
        "method": evaluation.match_method,
        "verdict": evaluation.verdict_if_used_for_flight,
    }


def _without_a_serial(affected: AffectedSerials) -> str:
    given = answer(evaluate(affected))
    return f"For every serial, this recall answers “{given}”."


def _summary(objections_found: list[str], found: list[Outcome]) -> str:
    if objections_found:
        wrong = sum(not outcome.passes for outcome in found)
        return f"Not ready for review. {wrong} of {len(found)} samples get the wrong answer."
    return f"All {len(found)} samples get the right answer."


def _named(recall_ids: tuple[str, ...], own: str) -> dict[str, Any]:
    others = [recall_id for recall_id in recall_ids if recall_id != own]
    return {"named": others[:OTHERS_SHOWN], "more": max(0, len(others) - OTHERS_SHOWN)}
