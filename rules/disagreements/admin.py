"""Disagreements: the list, the form, and the buttons of the workflow."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from catalog.editorial.screens.bulk_actions import MANY, BulkMovesAdmin
from catalog.editorial.screens.bulk_files import BulkRevisionsAdmin
from catalog.editorial.screens.filters import DeskFilter, StateFilter
from catalog.editorial.screens.live_panels import LINK, PreviewAdmin
from catalog.editorial.workflow import EditorAction
from catalog.saved_searches.screens import SavesSearches
from catalog.screens.confirmation import acting_user
from catalog.screens.filters import AtLeastDaysFilter, AtMostDaysFilter, EvidenceFilter, PersonFilter
from catalog.sources.evidence_columns import ShowsEvidence
from rules.disagreements import actions
from rules.disagreements.bulk import DISAGREEMENTS
from rules.disagreements.forms import DisagreementForm, proposed, shown
from rules.disagreements.models import Disagreement, DisagreementEvidence
from rules.disagreements.sentence import reads_as
from rules.editing.models import Rule

BETWEEN = "rule"
"""The field of an address that names the rules which a new disagreement begins with."""


@admin.register(Disagreement)
class DisagreementAdmin(ShowsEvidence, SavesSearches, BulkRevisionsAdmin, BulkMovesAdmin, PreviewAdmin):
    """Disagreements, revision by revision."""

    action_functions = {
        EditorAction.SUBMIT: actions.submit_disagreements,
        EditorAction.APPROVE: actions.approve_disagreements,
        EditorAction.RETURN: actions.return_disagreements,
        EditorAction.REVISE: actions.revise_disagreements,
        EditorAction.TAKE_BACK: actions.take_back_disagreements,
        EditorAction.WITHDRAW: actions.withdraw_disagreements,
        EditorAction.DISCARD: actions.discard_disagreements,
    }
    ids_argument = "disagreement_ids"
    many = {action: button for action, button in MANY.items() if action != EditorAction.APPROVE_AGAIN}
    has_effects = False
    table = DISAGREEMENTS
    evidence_link, evidence_owner = DisagreementEvidence, "disagreement"
    key = "disagreement_id"
    form = DisagreementForm
    list_before_template = "admin/catalog/tools.html"
    list_filter_submit = True
    preview_buttons = frozenset()
    autocomplete_fields = ["airline", "jurisdiction"]
    written = [
        ("The question", {"fields": ["airline", "jurisdiction", "question", "disagreement_id"]}),
        ("The sides", {"fields": ["says", "evidence"]}),
        ("The applied rule", {"fields": ["applied", "because", "seen"]}),
    ]
    read = [
        ("The question", {"fields": ["whose", "question", "disagreement_id"]}),
        ("The sides", {"fields": ["sides_read", "sources_read"]}),
        ("The applied rule", {"fields": ["rule_read", "because", "written_by"]}),
    ]
    list_display = ["disagreement", "state_pill", "whose", "rule_read", "evidence_age"]
    list_filter = [
        StateFilter,
        DeskFilter,
        ("airline", AutocompleteSelectFilter),
        ("jurisdiction", AutocompleteSelectFilter),
        PersonFilter,
        AtLeastDaysFilter,
        AtMostDaysFilter,
        EvidenceFilter,
    ]
    list_select_related = ["airline", "jurisdiction"]
    search_fields = ["disagreement_id", "question", "applied", "airline__code", "airline__name", "because"]
    search_help_text = (
        "An id; a word of the question or the reason; a rule id; or an airline by code or name."
    )

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Disagreement]:
        """Return the revisions with what the list shows about their evidence."""
        return self.with_evidence(super().get_queryset(request))

    def sentences(self, records: Sequence[Any]) -> list[str]:
        """Return how disagreements read."""
        return [reads_as(record) for record in records]

    @display(description="Disagreement", ordering="disagreement_id", header=True)
    def disagreement(self, row: Disagreement) -> list[str]:
        """Return the question, and the id."""
        return [row.question, str(row)]

    @admin.display(description="About", ordering="airline")
    def whose(self, row: Disagreement) -> str:
        """Return the airline, or the country or region."""
        return f"{row.airline.name} ({row.airline_id})" if row.airline else str(row.jurisdiction)

    @admin.display(description="Applied rule", ordering="applied")
    def rule_read(self, row: Disagreement) -> str:
        """Return the rule that verdicts follow, with a link to it."""
        return format_html(
            '<a class="{}" href="{}?q={}">{}</a>',
            LINK,
            reverse("admin:rules_rule_changelist"),
            row.applied,
            row.applied,
        )

    # --- Read-only ---

    @admin.display(description="Sides")
    def sides_read(self, row: Disagreement) -> str:
        """Return what each side says, and which sources say so."""
        return format_html_join(
            "",
            "<p><strong>{}</strong> {}</p>",
            [(side.says, ", ".join(side.sources) or "no source on file") for side in row.to_record().sides],
        )

    # --- Writing ---

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with what the two rules in the address say, if they exist."""
        ids = request.GET.getlist(BETWEEN)
        found = {rule.rule_id: rule for rule in Rule.objects.identified(ids).records()}
        if len(ids) != 2 or len(found) != 2:
            return super().get_changeform_initial_data(request)
        fields = shown(msgspec.structs.asdict(proposed(*(found[name] for name in ids))))
        return {DisagreementForm.names.get(name, name): value for name, value in fields.items()}

    def write(self, request: HttpRequest, obj: Disagreement, form: Any, change: bool) -> None:
        """Draft the disagreement, or rewrite its draft."""
        save = actions.change_disagreement if change else actions.draft_disagreement
        save(by=acting_user(request), disagreement=form.record())
