"""Change sets at the desk: the queue, the page of one, and the buttons that decide it."""

from typing import Any

from django import forms
from django.apps import apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.http import urlencode
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import display

from catalog.bulk.tables import Table
from catalog.dates import moment_words
from catalog.editorial.pending import actions
from catalog.editorial.pending.display import shown_changes, unread
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.editorial.pending.screens.many import ManyChangeSetsAdmin, of_many
from catalog.editorial.pending.screens.records import CORRECTS
from catalog.editorial.pending.screens.undo_page import UndoPage
from catalog.editorial.pending.selectors import (
    approvable_by,
    approvers_of,
    present_records,
    returned_to,
    waiting_of,
)
from catalog.editorial.permissions import may
from catalog.editorial.screens.verbs import ReasonForm, described
from catalog.editorial.screens.workflow import ActionButton
from catalog.editorial.selectors import audit_log
from catalog.editorial.workflow import EditorAction
from catalog.saved_searches.screens import SavesSearches
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before, page_context
from catalog.screens.filters import AtLeastDaysFilter, AtMostDaysFilter, ConditionFilter, PersonFilter
from catalog.screens.ids import row_or_none

MOST_SHOWN = 500
"""How many records of a change set its page shows."""

COLORS = {
    ChangeSetState.WAITING.label: "info",
    ChangeSetState.APPROVED.label: "success",
    ChangeSetState.RETURNED.label: "warning",
    ChangeSetState.DISCARDED.label: "default",
    ChangeSetState.TAKEN_BACK.label: "default",
}

BUTTONS = {
    button.action: button
    for button in [
        ActionButton(
            EditorAction.APPROVE,
            "Approve",
            "check",
            "You confirm that you have read the evidence and that it says this. All of it is written, and "
            "the next release includes it.",
            "is approved and written",
        ),
        ActionButton(
            EditorAction.RETURN,
            "Return",
            "undo",
            "It goes back to its author, with your reason. Nothing of it is written.",
            "is returned to its author",
        ),
        ActionButton(
            EditorAction.DISCARD,
            "Discard",
            "delete",
            "Nothing of it is written. Its page keeps the content.",
            "is discarded",
            dangerous=True,
        ),
    ]
}
"""The buttons, in their order."""

FROM = {
    EditorAction.APPROVE: (ChangeSetState.WAITING,),
    EditorAction.RETURN: (ChangeSetState.WAITING,),
    EditorAction.DISCARD: (ChangeSetState.WAITING, ChangeSetState.RETURNED),
}
"""The states in which each button is offered."""


class DeskFilter(ConditionFilter):
    """What a user has to do with a change set."""

    title = "what I have to do"
    parameter_name = "desk"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.user = acting_user(request)
        super().__init__(request, params, model, model_admin)

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return what waits for the user's approval, and what was returned to the user."""
        return {
            "waits": ("Waiting for my approval", approvable_by(self.user)),
            "returned": ("Returned to me", returned_to(self.user)),
            "mine": ("Mine, waiting for others", waiting_of(self.user)),
        }


class ChangedRecordFilter(DropdownFilter):
    """A filter by what records of a kind a change set changes."""

    kind = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the records of the kind that were ever changed."""
        changed = PendingChange.objects.filter(kind=self.kind).order_by("record_id")
        return [(name, name) for name in changed.values_list("record_id", flat=True).distinct()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the change sets with the chosen record."""
        if not self.value():
            return queryset
        found = PendingChange.objects.filter(
            change_set=OuterRef("pk"), kind=self.kind, record_id=self.value()
        )
        return queryset.filter(Exists(found))


class AirlineFilter(ChangedRecordFilter):
    """Change sets about an airline."""

    title, parameter_name, kind = "airline", "airline", "airline"


class JurisdictionFilter(ChangedRecordFilter):
    """Change sets about a jurisdiction."""

    title, parameter_name, kind = "country or region", "jurisdiction", "jurisdiction"


class KindFilter(DropdownFilter):
    """The kind of records that a change set changes."""

    title, parameter_name = "kind of record", "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds."""
        named = {"device": "model", "airportfact": "fact of an airport"}
        return [(kind, named.get(kind, kind)) for kind in model_admin.tables()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the change sets with records of the chosen kind."""
        if not self.value():
            return queryset
        return queryset.filter(
            Exists(PendingChange.objects.filter(change_set=OuterRef("pk"), kind=self.value()))
        )


@admin.register(ChangeSet)
class ChangeSetAdmin(SavesSearches, ManyChangeSetsAdmin, UndoPage):
    """Changes of facts, the newest first."""

    many = of_many(BUTTONS)
    actions: Any = []

    list_display = ["named", "state_pill", "created_by", "saved", "records", "why"]
    list_display_links = ["named"]
    list_filter = [
        "state",
        DeskFilter,
        KindFilter,
        AirlineFilter,
        JurisdictionFilter,
        PersonFilter,
        AtLeastDaysFilter,
        AtMostDaysFilter,
    ]
    list_filter_submit = True
    show_facets = admin.ShowFacets.NEVER
    list_select_related = ["created_by"]
    search_fields = ["subject", "=changes__record_id"]
    search_help_text = "A record, or the name of an imported file."

    def in_state_since(self) -> Any:
        """Return since when a change set has been in its state."""
        return Coalesce("decided_at", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChangeSet]:
        """Return the change sets with the number of their records."""
        return super().get_queryset(request).annotate(record_count=Count("changes", distinct=True))

    @admin.display(description="Change set", ordering="pk")
    def named(self, found: ChangeSet) -> str:
        """Return its number and its subject."""
        return f"{found.pk}: {found.subject}"

    @display(description="State", ordering="state", label=COLORS)
    def state_pill(self, found: ChangeSet) -> str:
        """Return its state."""
        return found.get_state_display()

    @admin.display(description="Saved", ordering="created_at")
    def saved(self, found: ChangeSet) -> str:
        """Return when it was saved."""
        return moment_words(found.created_at)

    @admin.display(description="Records")
    def records(self, found: Any) -> int:
        """Return how many records it changes."""
        return found.record_count

    @admin.display(description="Reason")
    def why(self, found: ChangeSet) -> str:
        """Return the reason of the author."""
        return found.reason

    # --- The page ---

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show what changes, who saved it and who can approve it."""
        found = self._found(object_id)
        if not self.has_view_permission(request, found):
            raise PermissionDenied
        user, count = acting_user(request), found.changes.count()
        own_work = user.pk in found.authors
        waiting = found.state == ChangeSetState.WAITING
        # What cannot be approved is not offered: its author has to see the records as they are now.
        changes, tables = list(found.changes.all()[:MOST_SHOWN]), self.tables()
        present = present_records(tables, changes)
        stale = actions.stale_records(changes, tables, present) if waiting else []
        offered = [
            button
            for button in BUTTONS.values()
            if found.state in FROM[button.action] and may(user, button.action, ChangeSet)
        ]
        context = page_context(self, request, found, str(found).capitalize()) | {
            "found": found,
            "state": found.get_state_display(),
            "color": COLORS[found.get_state_display()],
            "changes": shown_changes(tables, changes, present, forms=self.forms()),
            "count": count,
            "more": max(count - MOST_SHOWN, 0),
            "approvers": [one.get_username() for one in approvers_of(found)],
            "own_work": own_work,
            "unread": unread(found),
            "waiting": waiting,
            "stale": stale,
            "offered": [
                button
                for button in offered
                if not ((own_work or stale) and button.action == EditorAction.APPROVE)
            ],
            "may_undo": self.may_undo(request, found),
            "correct": self._correction(found, count) if own_work else "",
            "correct_the_file": own_work and found.state == ChangeSetState.RETURNED and count > 1,
            "story": described(audit_log(actions.KIND, str(found.pk))),
        }
        return TemplateResponse(request, "admin/catalog/change_set.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the page: it has the log."""
        return self.change_view(request, object_id, extra_context=extra_context)

    def tables(self) -> dict[str, Table]:
        """Return the tables whose records wait, by kind: their screens name them."""
        return {kind: screen.table for kind, screen in self._screens().items()}

    def forms(self) -> dict[str, Any]:
        """Return the forms of the same records: they name the fields."""
        return {kind: screen.form for kind, screen in self._screens().items()}

    def _screens(self) -> dict[str, Any]:
        return {
            kind: self.admin_site.get_model_admin(apps.get_model("catalog", kind))
            for kind in ("device", "brand", "airline", "airportfact", "jurisdiction")
        }

    def _found(self, object_id: str) -> ChangeSet:
        found = row_or_none(ChangeSet, object_id)
        if found is None:
            raise Http404
        return found

    def _correction(self, found: ChangeSet, count: int) -> str:
        """Return the address of the form that begins with a returned change of one record."""
        if found.state != ChangeSetState.RETURNED or count != 1:
            return ""
        (change,) = found.changes.all()
        if change.kind not in ("device", "brand", "airline", "airportfact") or not change.after:
            return ""
        name = f"admin:catalog_{change.kind}"
        page = (
            reverse(f"{name}_add")
            if change.before is None
            else reverse(f"{name}_change", args=[change.record_id])
        )
        return f"{page}?{urlencode({CORRECTS: found.pk})}"

    # --- The buttons ---

    def get_urls(self) -> list[Any]:
        """Add the page of each button."""
        view = self.admin_site.admin_view(self.do_view)
        return [
            path("<path:object_id>/do/<slug:action>/", view, name="catalog_changeset_do"),
            *super().get_urls(),
        ]

    def do_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """Ask about a button, and do it."""
        button = BUTTONS.get(action)  # type: ignore[call-overload]
        if button is None:
            raise Http404
        found = self._found(object_id)
        if not may(acting_user(request), button.action, ChangeSet):
            raise PermissionDenied
        step = Step(
            title=f"{button.label}: {found}",
            consequence=self._consequence(button, found),
            button=button.label,
            dangerous=button.dangerous,
            form_class=ReasonForm if button.needs_reason else forms.Form,
        )

        def act(consent: Consent) -> HttpResponse:
            match button.action:
                case EditorAction.APPROVE:
                    actions.approve(found.pk, by=consent.by, tables=self.tables())
                case EditorAction.RETURN:
                    actions.return_to_author(found.pk, by=consent.by, reason=consent.answers["reason"])
                case EditorAction.DISCARD:
                    actions.discard(found.pk, by=consent.by, reason=consent.answers["reason"])
            messages.success(request, f"{str(found).capitalize()} {button.done}.")
            return HttpResponseRedirect(reverse("admin:catalog_changeset_change", args=[found.pk]))

        return ask_before(step, act, admin=self, request=request, subject=found)

    def _consequence(self, button: ActionButton, found: ChangeSet) -> str:
        """Say what a button does, and what no one should approve."""
        warning = unread(found) if button.action == EditorAction.APPROVE else ""
        return f"{button.consequence} {warning}".strip()
