"""Recalls: the list, the form with the test of its pattern, and the buttons of the workflow."""

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_post_parameters
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from catalog.bulk.cells import to_cells
from catalog.dates import day_words, recorded_words
from catalog.editorial.screens.bulk_actions import BulkMovesAdmin
from catalog.editorial.screens.bulk_files import BulkRevisionsAdmin
from catalog.editorial.screens.filters import DeskFilter, StateFilter
from catalog.editorial.screens.live_panels import LINK, PreviewAdmin
from catalog.editorial.workflow import EditorAction
from catalog.records import UNCITABLE
from catalog.saved_searches.screens import SavesSearches
from catalog.screens.confirmation import acting_user, page_context
from catalog.screens.filters import AtLeastDaysFilter, AtMostDaysFilter, EvidenceFilter, PersonFilter
from catalog.sources.evidence_columns import ShowsEvidence
from recalls.editing import actions
from recalls.editing.admin.forms import COUNT_LABELS, PRECISION_LABELS, SCOPE_LABELS, RecallForm
from recalls.editing.admin.panels import TryForm, tested, tried
from recalls.editing.bulk import RECALLS
from recalls.editing.models import Recall, RecallEvidence
from recalls.editing.recall_sentence import reads_as
from recalls.patterns import objections
from recalls.serials import AffectedSerials

TEST, TRY = "_test", "_try"
NO_EVIDENCE = (
    "It cannot be submitted for review yet: it {}. "
    '<a class="{}" href="#id_evidence">Add one under “Evidence”</a>.'
)
SERIAL = "try-serial"

SCOPE_COLORS = {"all units": "danger", "by pattern": "info", "by list": "warning", "by date": "default"}
SCOPE_WORDS = {
    "all_units": "all units",
    "lookup_required": "by list",
    "manufacture_date": "by date",
    "sale_dates": "by date",
}

FOR_PEOPLE = (
    "form_url",
    "necessary_pattern",
    "absent_identifier_affected",
    "format_hint",
    "colour_condition",
    "manufacture_window",
    "sale_window",
)
"""The facts about the units that only people read."""


@admin.register(Recall)
class RecallAdmin(ShowsEvidence, SavesSearches, BulkRevisionsAdmin, BulkMovesAdmin, PreviewAdmin):
    """Recalls, revision by revision."""

    action_functions = {
        EditorAction.SUBMIT: actions.submit_recalls,
        EditorAction.APPROVE: actions.approve_recalls,
        EditorAction.APPROVE_AGAIN: actions.approve_recalls_again,
        EditorAction.RETURN: actions.return_recalls,
        EditorAction.REVISE: actions.revise_recalls,
        EditorAction.TAKE_BACK: actions.take_back_recalls,
        EditorAction.WITHDRAW: actions.withdraw_recalls,
        EditorAction.DISCARD: actions.discard_recalls,
    }
    ids_argument = "recall_ids"
    table = RECALLS
    evidence_link, evidence_owner = RecallEvidence, "recall"
    key = "recall_id"
    form = RecallForm
    list_before_template = "admin/catalog/tools.html"
    list_filter_submit = True
    preview_buttons = frozenset({TEST, TRY})
    # A sibling is an exact model of its own, with its own notice, samples and numbers.
    not_copied = frozenset(
        {
            *("device", "recall_id", "title", "notice_url", "units", "units_scope", "notes", "seen"),
            *("evidence", "affected_samples", "unaffected_samples"),
        }
    )
    autocomplete_fields = ["device"]
    written = [
        (
            "What was recalled",
            {
                "fields": [
                    "device",
                    "authority",
                    "jurisdiction",
                    "title",
                    "recall_id",
                    "announced_on",
                    "announced_precision",
                    "units",
                    "units_scope",
                    "notice_url",
                ]
            },
        ),
        (
            "Which units",
            {
                "fields": [
                    "scope",
                    "identifier",
                    "pattern",
                    "affected_samples",
                    "unaffected_samples",
                    "values",
                    "not_affected_pattern",
                    "exhaustive",
                    "explicit_list_url",
                ]
            },
        ),
        (
            "More about the units, for readers",
            {
                "classes": ["collapse"],
                "fields": [
                    "format_hint",
                    "colour_condition",
                    "absent_identifier_affected",
                    "manufacture_windows",
                    "sale_windows",
                    "form_url",
                    "necessary_pattern",
                ],
            },
        ),
        ("What to do", {"fields": ["hazard", "remedy"]}),
        ("Evidence", {"fields": ["evidence"]}),
        ("Review", {"fields": ["notes", "seen"]}),
    ]
    read = [
        (
            "What was recalled",
            {
                "fields": [
                    "device",
                    "authority",
                    "jurisdiction",
                    "title",
                    "recall_id",
                    "announced",
                    "counted",
                    "notice",
                ]
            },
        ),
        (
            "Which units",
            {
                "fields": [
                    "which",
                    "identifier",
                    "pattern",
                    "samples",
                    "clearing",
                    "list_address",
                    "for_people",
                ]
            },
        ),
        ("What to do", {"fields": ["hazard", "remedy"]}),
        ("Evidence", {"fields": ["sources_read"]}),
        ("Review", {"fields": ["notes", "written_by"]}),
    ]
    list_display = ["recall", "state_pill", "named", "authority", "announced", "units_meant", "evidence_age"]
    list_filter = [
        StateFilter,
        DeskFilter,
        "scope",
        ("device__brand", AutocompleteSelectFilter),
        ("device", AutocompleteSelectFilter),
        "jurisdiction",
        PersonFilter,
        AtLeastDaysFilter,
        AtMostDaysFilter,
        EvidenceFilter,
    ]
    list_select_related = ["device__brand"]
    search_fields = [
        "recall_id",
        "title",
        "authority",
        "notice_url",
        "device__model_id",
        "device__model_name",
        "device__model_number",
        "device__brand__name",
    ]
    search_help_text = (
        "A recall id; a model by name, number or id; a brand; an authority; or a word of the title."
    )
    date_hierarchy = "announced_on"
    change_form_outer_after_template = "admin/recalls/recall_panel.html"

    class Media:
        js = ["recalls/recall_form.js"]
        css = {"all": ["recalls/recall_form.css"]}

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Recall]:
        """Return the revisions with what the list shows about their evidence."""
        return self.with_evidence(super().get_queryset(request)).select_related("device__brand")

    def why_not(self, action: EditorAction, row: Recall, user: User) -> str:
        """Say why a verb would be refused, also for a recall without evidence or with an untested pattern."""
        if action == EditorAction.SUBMIT and not row.withdraws:
            if actions.uncitable(Recall.objects.filter(pk=row.pk)):
                return format_html(NO_EVIDENCE, UNCITABLE, LINK)
            for found in objections(row.to_record().affected_serials)[:1]:
                return f"It cannot be submitted for review yet: {found}."
        return super().why_not(action, row, user)

    def sentences(self, records: Sequence[Any]) -> list[str]:
        """Return how recalls read."""
        return [reads_as(record) for record in records]

    @display(description="Recall", ordering="recall_id", header=True)
    def recall(self, recall: Recall) -> list[str]:
        """Return the title, and the id."""
        return [recall.title, str(recall)]

    @display(description="Model", ordering="device", header=True)
    def named(self, recall: Recall) -> list[str]:
        """Return the one model that is recalled."""
        return [f"{recall.device.brand.name} {recall.device.model_name}", recall.device_id]

    @admin.display(description="Announced", ordering="announced_on")
    def announced(self, recall: Recall) -> str:
        """Return when it was announced, and how exact that is."""
        precision = PRECISION_LABELS[recall.announced_precision]  # type: ignore[index]
        exact = "" if recall.announced_precision == "day" else f", {precision}"
        return f"{day_words(recall.announced_on)}{exact}"

    @display(description="Units", ordering="scope", label=SCOPE_COLORS)
    def units_meant(self, recall: Recall) -> str:
        """Return how its units are identified."""
        return SCOPE_WORDS.get(recall.scope, "by pattern")

    # --- Read-only ---

    @admin.display(description="Units")
    def counted(self, recall: Recall) -> str:
        """Return how many units the notice counts, and what it counts."""
        if recall.units is None:
            return "not known"
        return f"{recall.units:,}, {COUNT_LABELS[recall.units_scope]}"  # type: ignore[index]

    @admin.display(description="Address of the notice")
    def notice(self, recall: Recall) -> str:
        """Return a link to the notice."""
        return _link(recall.notice_url)

    @admin.display(description="Which units")
    def which(self, recall: Recall) -> str:
        """Return how the units are identified."""
        return SCOPE_LABELS[recall.scope]  # type: ignore[index]

    @admin.display(description="Clears units")
    def clearing(self, recall: Recall) -> str:
        """Return which units the recall clears."""
        if recall.exhaustive:
            return "all units that the pattern does not match"
        return f"units that match {recall.not_affected_pattern}" if recall.not_affected_pattern else "none"

    @admin.display(description="The maker's list")
    def list_address(self, recall: Recall) -> str:
        """Return a link to the maker's list."""
        return _link(recall.explicit_list_url) if recall.explicit_list_url else "none"

    @admin.display(description="Listed values and samples")
    def samples(self, recall: Recall) -> str:
        """Return what the notice lists, and the samples that test the pattern."""
        cells = _units_of(recall)
        lists = {"values": "Listed", "affected_samples": "Affected", "unaffected_samples": "Unaffected"}
        said = [f"{label}: {', '.join(cells[name].split())}" for name, label in lists.items() if cells[name]]
        return "\n".join(said) or "none"

    @admin.display(description="More for readers")
    def for_people(self, recall: Recall) -> str:
        """Return the facts about the units that only people read."""
        cells = _units_of(recall)
        said = [f"{name.replace('_', ' ')}: {_dates(cells[name])}" for name in FOR_PEOPLE if cells[name]]
        return "\n".join(line for line in said if not line.endswith(": false")) or "nothing"

    # --- Writing ---

    def write(self, request: HttpRequest, obj: Recall, form: Any, change: bool) -> None:
        """Draft the recall, or write its draft again."""
        save = actions.change_recall if change else actions.draft_recall
        save(by=acting_user(request), recall=form.record())

    # --- The panel ---

    @method_decorator(sensitive_post_parameters(SERIAL))
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show and process the form, without the serial that a user may have tried."""
        return super().changeform_view(request, object_id, form_url, extra_context)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the panel next to the form."""
        form, row = context["adminform"].form, context["original"]
        writes = self.writes(request, row)
        affected = self._units(form if form.is_bound else None, row)
        owner = "recall_form" if writes else "try_form"
        context |= {
            "writes": writes,
            "owner": owner,
            "question": TryForm(owner=owner),
            "test": self._test(form if form.is_bound else None, row, affected),
            "trial": tried(affected, TryForm(request.POST, owner=owner)) if TRY in request.POST else None,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses that the script of the form calls."""
        wrap = self.admin_site.admin_view
        return [
            path("test/", wrap(self.test_view), name="recalls_recall_test"),
            path("<int:object_id>/test/", wrap(self.test_view), name="recalls_recall_test_of"),
            *super().get_urls(),
        ]

    @method_decorator(sensitive_post_parameters(SERIAL))
    def test_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Return what the pattern does, as typed or as stored, and what it says about a serial."""
        row, form = self.typed(request, object_id)
        affected = self._units(form, row)
        asked = TRY in request.POST
        context = {"trial": tried(affected, TryForm(request.POST, owner="")) if asked else None}
        if "fragment" in request.POST or row is None:
            if asked:
                return TemplateResponse(request, "admin/recalls/_trial.html", context)
            return TemplateResponse(
                request,
                "admin/recalls/_test.html",
                {"test": self._test(form, row, affected), "opts": self.opts},
            )
        context |= page_context(self, request, row, f"Test of {row}")
        return TemplateResponse(request, "admin/recalls/trial.html", context)

    def _units(self, form: Any, row: Any) -> AffectedSerials:
        """Return which units are meant: as typed, as recorded, or unknown."""
        if form is not None:
            return form.units_typed
        return row.to_record().affected_serials if row else AffectedSerials("serial_pattern", "serial")

    def _test(self, form: Any, row: Any, affected: AffectedSerials) -> dict[str, Any]:
        model_id = form.model_id() if form is not None else row.device_id if row else None
        return tested(affected, recall_id=row.recall_id if row else "", model_id=model_id)


def _link(address: str) -> str:
    return format_html('<a class="{0}" href="{1}">{1}</a>', LINK, address)


def _dates(text: str) -> str:
    """Return a span of days, which a cell holds as JSON, in words; any other text unchanged."""
    if not text.startswith("{"):
        return text
    days = json.loads(text)
    return f"{recorded_words(days['from'])} to {recorded_words(days['to'])}"


def _units_of(recall: Recall) -> dict[str, str]:
    """Return which units are meant, as texts by their field."""
    prefix = "affected_serials."
    cells = to_cells(recall.to_record())
    return {name.removeprefix(prefix): text for name, text in cells.items() if name.startswith(prefix)}
