"""Verdict cases: the list, the form, and the buttons of the workflow."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from unfold.decorators import display

from catalog.dates import recorded_words
from catalog.editorial.screens.bulk_actions import MANY, BulkMovesAdmin
from catalog.editorial.screens.filters import DeskFilter, StateFilter
from catalog.editorial.screens.live_panels import LINK, PreviewAdmin
from catalog.editorial.screens.workflow import ACTIONS, with_consequences
from catalog.editorial.workflow import EditorAction, State
from catalog.screens.confirmation import acting_user
from catalog.screens.filters import ConditionFilter
from rules.case_editing import actions, results
from rules.case_editing.admin.forms import ANSWER, EXPECTED, PACKING, QUESTION, CaseForm
from rules.case_editing.asking_now import ask_now
from rules.case_editing.models import VerdictCase
from rules.cases import Case, said

IN_FORCE = "In force"

CONSEQUENCES = {
    EditorAction.APPROVE: "You confirm that the evidence says this. From now on every release is asked it.",
    EditorAction.REVISE: "The next revision begins as a copy. The present one is asked until another person "
    "has approved the new one.",
    EditorAction.WITHDRAW: "This opens a revision that ends the case. After another person has approved it, "
    "no release is asked it any more.",
}

UNIT = ("model_id", "watt_hour", "basis", "quantity", "compartment")
FLIGHT = ("route", "airline", "on")
SELDOM = (
    "ccc_mark",
    "capacity_label",
    "condition",
    "recall_check",
    "serial",
    "serial_hash",
    "today",
    "legs",
)
ITINERARY = ("passengers", "items", "segments")
EXPECTED_OFTEN = ("verdict", "error", "first_constraint", "constraints", "no_constraints", "path")


class AnsweredFilter(ConditionFilter):
    """How what would be published now answers the cases in force, as the analysis last saw it."""

    title = "answer"
    parameter_name = "answer"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the cases that pass, fail, or fail and are accepted."""
        found = results.kept()
        failing = Q(name__in=list(found.failing)) if found else Q(pk__in=[])
        accepted = Q(name__in=list(found.accepted)) if found else Q(pk__in=[])
        in_force = Q(state=State.PUBLISHED, withdraws=False)
        return {
            "fails": ("Fails", in_force & failing & ~accepted),
            "accepted": ("Fails, and is accepted", in_force & accepted),
            "passes": ("Passes", in_force & ~failing if found else Q(pk__in=[])),
        }


class TopicFilter(admin.AllValuesFieldListFilter):
    """The topics, which are the files of an export."""


@admin.register(VerdictCase)
class VerdictCaseAdmin(BulkMovesAdmin, PreviewAdmin):
    """Verdict cases, revision by revision."""

    action_functions = {
        EditorAction.SUBMIT: actions.submit_cases,
        EditorAction.APPROVE: actions.approve_cases,
        EditorAction.RETURN: actions.return_cases,
        EditorAction.REVISE: actions.revise_cases,
        EditorAction.WITHDRAW: actions.withdraw_cases,
        EditorAction.DISCARD: actions.discard_cases,
    }
    ids_argument = "names"
    buttons: ClassVar = with_consequences(ACTIONS, CONSEQUENCES)
    many: ClassVar = with_consequences(MANY, CONSEQUENCES)
    published_is_called = IN_FORCE
    has_effects: ClassVar = False
    actions = []
    key = "name"
    form = CaseForm
    preview_buttons = frozenset()
    written = [
        ("The case", {"fields": ["name", "topic", "note"]}),
        ("The unit", {"fields": list(UNIT)}),
        ("The flight", {"fields": list(FLIGHT)}),
        ("More about the question", {"fields": list(SELDOM), "classes": ["collapse"]}),
        ("Instead, an itinerary", {"fields": list(ITINERARY), "classes": ["collapse"]}),
        ("The expected answer", {"fields": [EXPECTED + name for name in EXPECTED_OFTEN]}),
        (
            "More about the answer",
            {
                "fields": [
                    *(EXPECTED + name for name in ANSWER if name not in (*EXPECTED_OFTEN, *PACKING)),
                    "packing",
                    *(EXPECTED + name for name in PACKING),
                    "seen",
                ],
                "classes": ["collapse"],
            },
        ),
    ]
    read = [
        ("The case", {"fields": ["name", "topic", "note", "written_by", "asked"]}),
        ("The question", {"fields": ["question_read"]}),
        ("The expected answer", {"fields": ["answer_read"]}),
    ]
    list_display = ["case", "state_pill", "expected", "answer", "topic"]
    list_filter = [StateFilter, DeskFilter, AnsweredFilter, ("topic", TopicFilter)]
    search_fields = ["name", "topic", "note", "given", "expect"]
    search_help_text = "Words of the sentence or the note, a model id, an airline, a code, or a rule id."

    last_results: results.Results | None = None
    """The last results. They are the same for every reader of a list."""

    # --- The list ---

    @display(description="Case", ordering="name", header=True)
    def case(self, row: VerdictCase) -> list[str]:
        """Return the sentence, and which revision it is."""
        return [row.name, "" if row.revision == 1 else f"revision {row.revision}"]

    @admin.display(description="Expects")
    def expected(self, row: VerdictCase) -> str:
        """Return the expected verdict, or the error."""
        return str(row.expect.get("verdict") or row.expect.get("error") or "")

    @display(description="Answer", label={"passes": "success", "fails": "danger", "accepted": "warning"})
    def answer(self, row: VerdictCase) -> str:
        """Return how what would be published now answers it, as the analysis last saw it."""
        found = self.last_results
        if found is None or row.state != State.PUBLISHED or row.withdraws:
            return ""
        if row.name in found.accepted:
            return "accepted"
        return "fails" if row.name in found.failing else "passes"

    def get_queryset(self, request: HttpRequest) -> QuerySet[VerdictCase]:
        """Return the revisions, and note how their cases were answered."""
        self.last_results = results.kept()
        found: QuerySet[VerdictCase] = super().get_queryset(request)
        return found

    def sentences(self, records: Sequence[Case]) -> list[str]:
        """Return how cases read: the sentence, what is asked and what is expected."""
        return [
            f"{one.name} Asked: {_words(said(one.given))}. Expected: {_words(said(one.expect))}."
            for one in records
        ]

    # --- One case ---

    @admin.display(description="Question")
    def question_read(self, row: VerdictCase) -> str:
        """Return what is asked, field by field."""
        return _listed(row.given, QUESTION)

    @admin.display(description="Answer")
    def answer_read(self, row: VerdictCase) -> str:
        """Return what is expected, field by field."""
        return _listed(row.expect, ANSWER)

    @admin.display(description="Ask now")
    def asked(self, row: VerdictCase) -> str:
        """Return the link to the answers of today."""
        address = reverse("admin:rules_verdictcase_ask", args=[row.pk])
        return format_html('<a class="{}" href="{}">Ask this case now</a>', LINK, address)

    def workflow_status(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the state and the buttons. No release contains a case, so nothing waits for one."""
        return super().workflow_status(request, row) | {"unpublished": False}

    def write(self, request: HttpRequest, obj: VerdictCase, form: Any, change: bool) -> None:
        """Draft the case, or rewrite its draft."""
        save = actions.change_case if change else actions.draft_case
        save(by=acting_user(request), case=form.record())

    # --- Ask now ---

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the answers of today."""
        view = self.admin_site.admin_view(self.ask_view)
        return [path("<path:object_id>/ask/", view, name="rules_verdictcase_ask"), *super().get_urls()]

    def ask_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show how the release in force, and what would be published now, answer one revision."""
        row = self._row(object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Ask now: {row}",
            "original": row,
            "expected": self.expected(row),
            "answers": ask_now(row),
        }
        return TemplateResponse(request, "admin/rules/case_answers.html", context)


def _listed(values: dict[str, Any], fields: dict[str, Any]) -> str:
    """Return what is set, each with the label of the form."""
    return format_html_join(
        "",
        "<p><strong>{}:</strong> {}</p>",
        [(fields[name].label or name, _words(value)) for name, value in values.items() if name in fields],
    )


def _words(value: Any) -> str:
    """Return a plain value for a reader: a list in a row, a record with its fields."""
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_words(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        mark = "; " if any(isinstance(one, list | tuple | dict) for one in value) else ", "
        return mark.join(map(_words, value)) or "none"
    return recorded_words(str(value))
