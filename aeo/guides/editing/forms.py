"""The form of a guide: its prose in English, the questions that the engine must confirm, and its sources."""

from typing import Any, get_args

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import WrittenGuide, WrittenPassage, guide_of
from aeo.guides.reading import (
    AS_OF,
    FEWEST_PASSAGES,
    FEWEST_SOURCES,
    MIN_SHORT_ANSWER_CHARACTERS,
    GuideError,
    ListName,
)
from catalog.editorial.screens.live_panels import RecordPreviewForm
from catalog.screens.list_field import RowsField, text_rows

MOST_CHARACTERS = 20_000
"""The longest YAML of questions or reports."""

LISTS = [("", "No list below it"), *((name, name.replace("_", " ")) for name in get_args(ListName))]


def yaml_field(label: str, *, rows: int, required: bool, help_text: str) -> forms.CharField:
    """Return a field of YAML."""
    attributes = {"rows": rows, "autocapitalize": "off", "spellcheck": "false", "class": "font-mono"}
    return forms.CharField(
        label=label,
        required=required,
        max_length=MOST_CHARACTERS,
        widget=UnfoldAdminTextareaWidget(attributes),
        help_text=help_text,
    )


class GuideForm(RecordPreviewForm):
    """The fields of a guide."""

    record_type = WrittenGuide
    spoken_of_as = {"recorded": "slug", "revision": "slug", "case": "cases", "day": "short_answer"}

    title = forms.CharField(
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text="The question, as people ask it.",
    )
    description = forms.CharField(
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="One sentence for search engines and lists.",
    )
    short_answer = forms.CharField(
        min_length=MIN_SHORT_ANSWER_CHARACTERS,
        max_length=2_000,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text=f"It answers the question without the rest of the page, and says its day with {AS_OF}.",
    )
    answers = RowsField(
        {
            "question": forms.CharField(label="Question", max_length=300, widget=UnfoldAdminTextInputWidget),
            "answer": forms.CharField(
                label="Answer", max_length=2_000, widget=UnfoldAdminTextareaWidget({"rows": 3})
            ),
            "who": forms.ChoiceField(
                label="List of airlines and places",
                choices=LISTS,
                required=False,
                widget=UnfoldAdminSelectWidget,
            ),
        },
        label="Questions and answers",
        add="Add a question",
        item="Question",
        spare=1,
        labeled=True,
        help_text=f"At least {FEWEST_PASSAGES}. Do not name who has a rule: choose a list, which is "
        "made from the release.",
    )
    sources = text_rows(
        "Source",
        max_length=80,
        add="Add a source",
        help_text=f"The ids of at least {FEWEST_SOURCES} sources of the release that were read.",
    )
    reports = yaml_field(
        "Reports",
        rows=4,
        required=False,
        help_text="Sources behind no rule, as YAML. Usually empty.",
    )
    cases = yaml_field(
        "Questions for the engine",
        rows=12,
        required=True,
        help_text="What the prose states, as verdict cases in YAML. While the release answers one of them "
        "differently, the guide is not shown.",
    )

    class Meta:
        model = GuideText
        fields = ["slug", "title", "description", "short_answer", "reports", "cases"]
        help_texts = {
            "slug": "The last part of its address: lower-case words joined by hyphens. It cannot be changed "
            "later. A guide with the slug of one that comes with the program replaces it."
        }

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, with the passages as rows."""
        rows = [(one.question, one.answer, one.who or "") for one in fields["answers"]]
        return {**fields, "answers": rows}

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the record."""
        answers = [
            one if isinstance(one, WrittenPassage) else WrittenPassage(one[0], one[1], one[2] or None)
            for one in fields["answers"]
        ]
        return {**fields, "answers": answers, "reports": fields.get("reports") or ""}

    def clean(self) -> dict[str, Any]:
        """Read the guide as the site will."""
        cleaned = super().clean()
        if not self.errors and not self.preview_only:
            try:
                guide_of(self.record())
            except GuideError as error:
                sentence = str(error).removeprefix(f"{cleaned['slug']}: ")
                self.add_error(self.field_of(sentence), f"{sentence[:1].upper()}{sentence[1:]}.")
        return cleaned
