"""Rules: the list, the form with its panels, and the buttons of the workflow."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from catalog.bulk.importing import Plan
from catalog.editorial.screens.bulk_actions import BulkMovesAdmin
from catalog.editorial.screens.bulk_files import BulkRevisionsAdmin
from catalog.editorial.screens.filters import DeskFilter, StateFilter
from catalog.editorial.screens.live_panels import PreviewAdmin
from catalog.editorial.workflow import EditorAction
from catalog.saved_searches.screens import SavesSearches
from catalog.screens.confirmation import acting_user, page_context
from catalog.screens.filters import AtLeastDaysFilter, AtMostDaysFilter, EvidenceFilter, PersonFilter
from catalog.screens.grid import GridAdmin
from catalog.sources.evidence_columns import ShowsEvidence
from rules.editing import actions as rule_actions
from rules.editing.admin import cells, panels
from rules.editing.admin.filters import (
    AnnouncementFilter,
    CodeFilter,
    InForceFilter,
    JurisdictionFilter,
    NatureFilter,
)
from rules.editing.admin.forms import PARAMETERS, WATT_HOURS, RuleForm
from rules.editing.admin.quotes import shown_quotes
from rules.editing.admin.try_form import TryForm
from rules.editing.bulk import RULES
from rules.editing.models import Rule, RuleEvidence
from rules.editing.problems import wrongly_confirmed
from rules.engine import facts

WRITTEN = [
    ("What it says", {"fields": ["rule_id", "airline", "authority", "jurisdiction", "says", *PARAMETERS]}),
    (
        "When it applies",
        {
            "fields": [
                "applies",
                *WATT_HOURS,
                "compartment",
                "recall_status",
                "condition",
                "certification_missing",
                "quantity_over",
                "model",
            ]
        },
    ),
    ("Dates", {"fields": ["effective_from", "effective_until"]}),
    ("Evidence", {"fields": ["evidence", "quotes", "confidence"]}),
    ("Review", {"fields": ["summary", "seen"]}),
]
"""The form, in the order in which an editor thinks."""

READ = [
    ("What it says", {"fields": ["rule_id", "whose", "authority", "jurisdiction", "what"]}),
    ("When it applies", {"fields": ["flights", "conditions"]}),
    ("Dates", {"fields": ["effective_from", "effective_until"]}),
    ("Evidence", {"fields": ["sources_read", "quotes_read", "confidence"]}),
    ("Review", {"fields": ["summary", "written_by"]}),
]
"""The same, read-only."""

GRID = (
    "effective_from",
    "effective_until",
    "params.max_units",
    "params.limit_watt_hour",
    "when.watt_hour_over",
    "when.watt_hour_at_least",
    "when.watt_hour_up_to",
    "sources",
)
"""What can be edited for many rules in a grid: dates, limits and sources."""

PREVIEW, TRY = "_preview", "_try"
"""The buttons that show and write nothing, for browsers without the script."""


@admin.register(Rule)
class RuleAdmin(ShowsEvidence, SavesSearches, GridAdmin, BulkRevisionsAdmin, BulkMovesAdmin, PreviewAdmin):
    """Rules, revision by revision."""

    action_functions = {
        EditorAction.SUBMIT: rule_actions.submit_rules,
        EditorAction.APPROVE: rule_actions.approve_rules,
        EditorAction.APPROVE_AGAIN: rule_actions.approve_rules_again,
        EditorAction.RETURN: rule_actions.return_rules,
        EditorAction.REVISE: rule_actions.revise_rules,
        EditorAction.TAKE_BACK: rule_actions.take_back_rules,
        EditorAction.WITHDRAW: rule_actions.withdraw_rules,
        EditorAction.DISCARD: rule_actions.discard_rules,
    }
    ids_argument = "rule_ids"
    table = RULES
    evidence_link, evidence_owner = RuleEvidence, "rule"
    key = "rule_id"
    form = RuleForm
    # Another issuer says it on another page, in other words.
    not_copied = frozenset(
        {
            *("rule_id", "airline", "authority", "jurisdiction", "summary", "seen"),
            *("evidence", "quotes", "confidence"),
        }
    )
    grid = GRID
    list_before_template = "admin/catalog/tools.html"
    list_filter_submit = True
    written, read, preview_buttons = WRITTEN, READ, frozenset({PREVIEW, TRY})
    autocomplete_fields = ["airline"]
    list_display = ["rule", "state_pill", "says", "where", "period", "evidence_age"]
    list_filter = [
        StateFilter,
        DeskFilter,
        "effect",
        InForceFilter,
        "confidence",
        "issuer",
        CodeFilter,
        NatureFilter,
        ("airline", AutocompleteSelectFilter),
        JurisdictionFilter,
        PersonFilter,
        AtLeastDaysFilter,
        AtMostDaysFilter,
        EvidenceFilter,
        AnnouncementFilter,
    ]
    list_select_related = ["airline"]
    search_fields = ["rule_id", "airline__code", "airline__name", "summary", "code"]
    search_help_text = (
        "A rule id; an airline by code or name; a code such as max_units; or a word of the summary."
    )
    date_hierarchy = "effective_from"
    change_form_outer_before_template = "admin/rules/before.html"
    change_form_outer_after_template = "admin/rules/rule_panel.html"

    class Media:
        js = ["rules/rule_form.js"]
        css = {"all": ["rules/rule_form.css"]}

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rule]:
        """Return the revisions with what the list shows about their evidence, and what they came from."""
        return self.with_evidence(super().get_queryset(request).select_related("airline", "announced"))

    def why_not(self, action: EditorAction, row: Rule, user: User) -> str:
        """Say why a verb would be refused, also for a rule that is confirmed by no official page."""
        if action == EditorAction.APPROVE and wrongly_confirmed(Rule.objects.filter(pk=row.pk)):
            return (
                "It cannot be approved: its confidence is “confirmed”, but none of its sources is an "
                "official page that was read. Return it to its authors."
            )
        return super().why_not(action, row, user)

    def sentences(self, records: Sequence[facts.Rule]) -> list[str]:
        """Return how rules read."""
        names = panels.names_for(records)
        return [names.read(record) for record in records]

    @display(description="Rule", ordering="rule_id", header=True)
    def rule(self, rule: Rule) -> list[str]:
        """Return the id, and the editors' summary; of a rule that came with others, that it did."""
        announced = getattr(rule, "announced", None)
        together = f" (announcement {announced.announcement_id})" if announced else ""
        return [str(rule), f"{rule.summary}{together}"]

    @display(description="Says", ordering="code", header=True)
    def says(self, rule: Rule) -> list[str]:
        """Return effect, code and parameter, and under which conditions."""
        return [cells.says(rule), cells.when(rule)]

    @admin.display(description="Where", ordering="jurisdiction")
    def where(self, rule: Rule) -> str:
        """Return on which flights it speaks."""
        return cells.where(rule)

    @admin.display(description="In force", ordering="effective_from")
    def period(self, rule: Rule) -> str:
        """Return since when and until when."""
        return cells.in_force(rule, timezone.localdate())

    def belongs(self, record: facts.Rule, column: str) -> bool:
        """Return whether a rule has a limit: one that is not set is no field of its kind."""
        part, _, name = column.rpartition(".")
        return not part or getattr(getattr(record, part), name) is not None

    def after_grid(self, request: HttpRequest, plan: Plan) -> HttpResponse:
        """Lead to the drafts that the rows became."""
        count = plan.count("changed")
        made = "1 rule is now your draft" if count == 1 else f"{count} rules are now your drafts"
        messages.success(request, f"{made}. Submit for review what is correct.")
        return HttpResponseRedirect(f"{reverse('admin:rules_rule_changelist')}?desk=drafts")

    # --- The form ---

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the panels next to the form."""
        form, row = context["adminform"].form, context["original"]
        writes = self.writes(request, row)
        rule = form.so_far() if form.is_bound else row.to_record() if row else None
        tried = TRY in request.POST
        owner = "rule_form" if writes else "try_form"
        question = TryForm(request.POST if tried else None, owner=owner, initial=_first_question(rule))
        context |= {
            "reading": panels.reading(rule),
            "question": question,
            "owner": owner,
            "writes": writes,
            "trial": self._trial(form, row, question) if tried else None,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def _trial(self, form: Any, row: Any, question: TryForm) -> dict[str, Any]:
        rule = form.record() if form.is_bound and not form.errors else None
        return panels.trial(question, rule, withdraws=bool(row and row.withdraws))

    # --- Read-only ---

    @admin.display(description="Issuer")
    def whose(self, rule: Rule) -> str:
        """Return the airline, or that it is an authority."""
        return f"{rule.airline.name} ({rule.airline_id})" if rule.airline else "an authority"

    @admin.display(description="It says")
    def what(self, rule: Rule) -> str:
        """Return effect, code and parameter."""
        return cells.says(rule)

    @admin.display(description="Flights")
    def flights(self, rule: Rule) -> str:
        """Return on which flights it speaks."""
        return cells.where(rule)

    @admin.display(description="Conditions")
    def conditions(self, rule: Rule) -> str:
        """Return its conditions."""
        return cells.when(rule) or "none"

    @admin.display(description="Quotes")
    def quotes_read(self, rule: Rule) -> str:
        """Return the words of the pages, each with the page and the place on it."""
        return shown_quotes(
            rule.to_record().quotes, {link.source_id: link.source for link in rule.evidence.all()}
        )

    # --- Writing ---

    def write(self, request: HttpRequest, obj: Rule, form: Any, change: bool) -> None:
        """Draft the rule, or write its draft again."""
        save = rule_actions.change_rule if change else rule_actions.draft_rule
        save(by=acting_user(request), rule=form.record())

    # --- While the user types ---

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses that the script of the form calls."""
        wrap = self.admin_site.admin_view
        return [
            path("reading/", wrap(self.reading_view), name="rules_rule_reading"),
            path("<int:object_id>/reading/", wrap(self.reading_view), name="rules_rule_reading_of"),
            path("try/", wrap(self.try_view), name="rules_rule_try"),
            path("<int:object_id>/try/", wrap(self.try_view), name="rules_rule_try_of"),
            *super().get_urls(),
        ]

    def reading_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Return how the rule reads, as far as it is typed."""
        row, form = self.typed(request, object_id)
        rule = form.so_far() if form else row.to_record()
        return TemplateResponse(request, "admin/rules/_reading.html", {"reading": panels.reading(rule)})

    def try_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Return the answer to a question with the rule as it is typed, or as it is stored."""
        row, form = self.typed(request, object_id)
        question = TryForm(request.POST, owner="rule_form" if form else "try_form")
        rule = row.to_record() if form is None else None if form.errors else form.record()
        context = {"trial": panels.trial(question, rule, withdraws=bool(row and row.withdraws))}
        if "fragment" in request.POST or row is None:
            return TemplateResponse(request, "admin/rules/_trial.html", context)
        context |= page_context(self, request, row, f"Test of {row}")
        return TemplateResponse(request, "admin/rules/trial.html", context)


def _first_question(rule: facts.Rule | None) -> dict[str, Any]:
    """Return a question that a rule is likely to be about, to begin with."""
    if rule is None:
        return {}
    return {
        "airline": rule.airline or "",
        "quantity": (rule.params.max_units or rule.when.quantity_over or 0) + 1,
        "date": max(timezone.localdate(), rule.effective_from or timezone.localdate()),
        "compartment": (rule.when.compartment or ("carry_on",))[0],
    }
