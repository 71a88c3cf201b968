"""The form of a case. Its fields become plain values, which the reader of the files checks."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.editorial.screens.live_panels import RecordPreviewForm
from rules.case_editing.admin.fields import expected_fields, question_fields
from rules.case_editing.models import VerdictCase
from rules.case_editing.problems import problems_of
from rules.cases import Case, CaseError, case_of, said

EXPECTED = "expect_"
"""How the names of the fields of `expect` begin: `segments` is a field of both."""

QUESTION = question_fields()
ANSWER = expected_fields()
PACKING = ("stays", "may_travel")
"""Lists of which the empty one says something: no unit."""


class CaseFields(RecordPreviewForm):
    """What a case says about itself."""

    record_type = Case
    names = {"file": "topic"}
    spoken_of_as = {"file": "topic"}

    name = forms.CharField(
        max_length=280,
        widget=UnfoldAdminTextInputWidget,
        help_text="A sentence that a colleague understands when the case fails. It cannot be changed later.",
    )
    topic = forms.SlugField(
        max_length=80,
        widget=UnfoldAdminTextInputWidget({"autocapitalize": "off"}),
        help_text="The file to which an export writes it, such as emirates-and-gulf.",
    )
    note = forms.CharField(
        required=False,
        max_length=2_000,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="What a colleague must know who wants to change the case: by which evidence it says this, "
        "and what changed on which day.",
    )
    packing = forms.BooleanField(
        required=False,
        label="It says which units stay and which may travel",
        help_text="Of an itinerary: all units that must stay are listed, and all that may travel if not all "
        "may.",
    )

    class Meta:
        model = VerdictCase
        fields = ["name", "topic", "note"]

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return a case as this form shows it."""
        return shown(Case(**fields))

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the case. Raises `CaseError` with the reason why no one could ask or expect this."""
        typed = self.cleaned_data
        file = f"{fields['file'].removesuffix('.yaml')}.yaml"
        given = {name: typed[name] for name in QUESTION if name in typed}
        expect = {name: typed[EXPECTED + name] for name in ANSWER if EXPECTED + name in typed}
        filled = _filled(expect) | (
            {name: expect.get(name) or () for name in PACKING} if typed.get("packing") else {}
        )
        plain = {"given": _filled(given), "expect": filled, "note": fields["note"] or "", "file": file}
        return msgspec.structs.asdict(case_of({**plain, "name": fields["name"]}))

    def clean(self) -> dict[str, Any]:
        """Check the case as the reader of the files does, and that what it expects exists."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        try:
            case = self.record()
        except CaseError as error:
            self.add_error(*self._place(str(error)))
            return cleaned
        for problem in problems_of(case):
            self.add_error(None, f"{problem[:1].upper()}{problem[1:]}.")
        return cleaned

    def _place(self, reason: str) -> tuple[str | None, str]:
        """Return the field that a reason is about, if it names one, and the reason as a sentence."""
        sentence = f"This case {reason}" if reason[:1].islower() else reason
        found = re.fullmatch(r"(?P<what>.*) - at `\$\.(?P<part>given|expect)\.(?P<name>\w+).*`", reason)
        if found is None:
            return None, f"{sentence.rstrip('.')}."
        name = found["name"] if found["part"] == "given" else EXPECTED + found["name"]
        return name if name in self.fields else None, _in_words(found["what"])


IN_WORDS = (
    (r"Expected `array` of length <= (\d+)", r"At most \1 are possible."),
    (r"Expected `array` of length >= (\d+)", r"At least \1 are needed."),
    (r"Expected `str` matching regex .*", "This is not spelled as such a code is."),
    (r"Invalid enum value '(.*)'", r"“\1” is none of the words that are possible here."),
)
"""What the reader of the files says, and how an editor reads it."""


def _in_words(reason: str) -> str:
    for pattern, words in IN_WORDS:
        if found := re.fullmatch(pattern, reason):
            return found.expand(words)
    return f"{reason}."


CaseForm = type(
    "CaseForm", (CaseFields,), {**QUESTION, **{EXPECTED + name: field for name, field in ANSWER.items()}}
)
"""The form with all fields of the question and of the answer."""


def shown(case: Case) -> dict[str, Any]:
    """Return the fields of a case by their names in the form. What is not said is empty."""
    given, expect = said(case.given), said(case.expect)
    rows = {
        "legs": [tuple(leg) for leg in given.get("legs", ())],
        "items": _rows("items", given),
        "segments": _rows("segments", given),
    }
    return {
        "file": case.file.removesuffix(".yaml"),
        "name": case.name,
        "note": case.note,
        "packing": "stays" in expect,
        **given,
        **rows,
        **{
            EXPECTED + name: [tuple(one) for one in value] if name in PACKING else value
            for name, value in expect.items()
        },
    }


def _rows(name: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    columns = QUESTION[name].columns  # type: ignore[attr-defined]
    return [tuple(row.get(column, "") for column in columns) for row in given.get(name, ())]


def _filled(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is filled in, as plain values, with rows of several cells as the files have them."""
    values = {name: _row_values(name, value) for name, value in typed.items()}
    return {name: value for name, value in values.items() if value not in (None, "", (), [])}


def _row_values(name: str, value: Any) -> Any:
    if name in ("items", "segments") and value and isinstance(value[0], tuple):
        columns = list(QUESTION[name].columns)  # type: ignore[attr-defined]
        return [
            {column: cell for column, cell in zip(columns, row, strict=True) if cell not in (None, "")}
            for row in value
        ]
    return value
