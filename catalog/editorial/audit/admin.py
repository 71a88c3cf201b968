"""The audit log, read-only: who did what to which record, when and why. Entries are only added."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import display
from unfold.paginator import InfinitePaginator

from catalog.dates import moment_words
from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.workflow import EditorAction
from catalog.screens.ids import as_key
from catalog.screens.read_only import ReadOnlyWithHistory

KINDS = {
    "rule": ("admin:rules_rule_changelist", {"state": "every"}),
    "recall": ("admin:recalls_recall_changelist", {"state": "every"}),
    "disagreement": ("admin:rules_disagreement_changelist", {"state": "every"}),
    "verdictcase": ("admin:rules_verdictcase_changelist", {"state": "every"}),
    "guidetext": ("admin:aeo_guidetext_changelist", {"state": "every"}),
    "release": ("admin:rules_release_changelist", {}),
    "finding": ("desk:findings", {"state": "all"}),
    "signal": ("admin:rules_watchsignal_changelist", {"state": "every"}),
    "page": ("admin:rules_watchedpage_changelist", {}),
    "source": ("admin:catalog_source_changelist", {}),
    "device": ("admin:catalog_device_changelist", {}),
    "airline": ("admin:catalog_airline_changelist", {}),
    "change set": ("admin:catalog_changeset_changelist", {}),
    "dead letter": ("admin:catalog_deadletter_changelist", {}),
    "notice": ("admin:recalls_feednotice_changelist", {}),
    "proposal": ("admin:compliance_corpusproposal_changelist", {"state": "every"}),
    "feed": ("admin:recalls_feedstate_changelist", {}),
    # Comments and assignments, on records of any kind.
    "conversation": ("", {}),
    # Exports of a period, which belong to no list.
    "verdicts": ("", {}),
}
"""The subjects of entries, and the lists of those records."""

NAMES = {"device": "model"}
"""Subjects that people know by another name."""

COLORS = {
    EditorAction.APPROVE.label: "success",
    EditorAction.PUBLISH.label: "success",
    EditorAction.RETURN.label: "warning",
    EditorAction.TAKE_BACK.label: "warning",
    EditorAction.DISCARD.label: "danger",
    EditorAction.WITHDRAW.label: "danger",
    EditorAction.END.label: "danger",
}


class KindFilter(admin.SimpleListFilter):
    """The kind of record in an entry."""

    title = "kind of record"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds."""
        return [(kind, NAMES.get(kind, kind).capitalize()) for kind in KINDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class PersonFilter(DropdownFilter):
    """Who did it. A reader of the log need not have the permission to view accounts."""

    title = "person"
    parameter_name = "person"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all users of the desk, by name: the log is too long to search it for those in it.

        People of partners, who go by their mail address, do nothing here.
        """
        users = User.objects.exclude(is_staff=False, username__contains="@")
        people = users.order_by("username").values_list("pk", "username")
        return [(str(pk), name) for pk, name in people]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the chosen person."""
        chosen = as_key(User, self.value() or "")
        return queryset if chosen is None else queryset.filter(done_by=chosen)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyWithHistory):
    """The log, the newest entry first. It is never counted as a whole."""

    list_display = ["done", "done_by", "did", "record", "why"]
    list_display_links = ["done"]
    list_filter = ["verb", KindFilter, PersonFilter]
    list_filter_submit = False
    list_select_related = ["done_by"]
    list_per_page = 50
    ordering = ["-pk"]
    paginator = InfinitePaginator
    date_hierarchy = "done_at"
    search_fields = ["^subject"]
    search_help_text = "The id of a record, or its beginning, such as qr.max-units."
    fields = readonly_fields = ["done", "person", "did", "record", "why", "more"]

    @admin.display(description="When", ordering="pk")
    def done(self, entry: AuditEntry) -> str:
        """Return when it was done."""
        return moment_words(entry.done_at, seconds=True)

    @admin.display(description="Done by")
    def person(self, entry: AuditEntry) -> str:
        """Return who did it, without a link to the account: few users may view accounts."""
        return entry.done_by.get_username()

    @display(description="Action", label=COLORS, ordering="verb")
    def did(self, entry: AuditEntry) -> str:
        """Return the action."""
        return EditorAction(entry.verb).label

    @admin.display(description="Record")
    def record(self, entry: AuditEntry) -> str:
        """Return the record, with its revision and a link to it."""
        named = f"{NAMES.get(entry.kind, entry.kind)} {entry.subject}"
        text = named if entry.revision is None else f"{named}, revision {entry.revision}"
        listed, query = KINDS.get(entry.kind, ("", {}))
        try:
            address = reverse(listed)
        except NoReverseMatch:
            return text
        return format_html(
            '<a class="text-primary-600 dark:text-primary-500" href="{}?{}">{}</a>',
            address,
            urlencode({"q": entry.subject, **query}),
            text,
        )

    @admin.display(description="Why")
    def why(self, entry: AuditEntry) -> str:
        """Return the reason, or the note of a release."""
        return entry.reason

    @admin.display(description="Details")
    def more(self, entry: AuditEntry) -> str:
        """Return what else the log keeps of it, a line for each fact."""
        facts = (f"{name.replace('_', ' ')}: {_said(value)}" for name, value in entry.details.items())
        return "\n".join(facts) or "none"

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the entry. It has no history, because it never changes."""
        return self.change_view(request, object_id, extra_context=extra_context)


def _said(value: Any) -> str:
    """Return a value of the details in one line."""
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_said(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_said, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
