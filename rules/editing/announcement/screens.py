"""The pages of announcements: the list, the checklist with what it means, and what came from one of them."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import AlreadyRecorded, Refused
from catalog.models import Source
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import row_or_404
from rules.editing.announcement.actions import announce
from rules.editing.announcement.forms import LATEST_SOURCES, AnnouncementForm, first_typed
from rules.editing.announcement.models import Announcement
from rules.editing.announcement.shown import latest_sources, offered, shown_meaning, shown_revisions
from rules.editing.models import Rule

SUBMIT, MEASURE = "_submit", "_measure"
"""The buttons of the form. Any other one only shows what the form means."""

LOOK_AGAIN = "What this means has changed since you saw it. Look at the rules again, then submit."

SECTIONS = [
    ("The page", ["source", "words", "where", "confidence"], ""),
    (
        "",
        ["url", "source_title", "kind", "basis", "read_on", "read_url", "published_by", "published_in"],
        "A new page: fill this in if the page is not recorded yet",
    ),
    ("Who is bound, and when", ["airline", "effective_from", "effective_until"], ""),
    ("", ["authority", "jurisdiction", "applies", "id_prefix"], "A notice of an authority, and ids"),
    ("What it says", ["up_to", "approval_to", "refused", "refused_from", "units"], ""),
    ("", ["band_units", "band_over", "band_up_to"], "A smaller number of large units"),
    ("", ["demands"], ""),
]
"""The form in the order of a notice: a heading, fields, and the heading of a part that is folded in."""


@admin.register(Announcement)
class AnnouncementAdmin(ModelAdmin):
    """Announcements, the newest first."""

    actions = None
    list_display = ["title", "created_at", "created_by", "progress"]
    list_select_related = ["created_by"]
    search_fields = ["title", "announced__rule__rule_id"]
    search_help_text = "A word of the title, or a rule id."
    show_full_result_count = False

    # --- Permissions ---

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the user sees that there are announcements."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may view announcements: anyone who may view rules."""
        return acting_user(request).has_perm("rules.view_rule")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may announce: who records sources, and writes and submits rules."""
        user = acting_user(request)
        needed = (EditorAction.DRAFT, EditorAction.REVISE, EditorAction.CHANGE, EditorAction.SUBMIT)
        return user.has_perm("catalog.add_source") and all(may(user, action, Rule) for action in needed)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: what was announced is changed rule by rule."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Announcement]:
        """Return the announcements with how many of their revisions there are, and how many wait."""
        in_review = Count("announced", filter=Q(announced__rule__state=State.IN_REVIEW))
        return super().get_queryset(request).annotate(rules=Count("announced"), in_review=in_review)

    @admin.display(description="Rules")
    def progress(self, row: Any) -> str:
        """Return how many rules came from it, and how many of them wait for review."""
        return f"{row.rules}, {row.in_review} in review"

    # --- The pages ---

    def get_urls(self) -> list[URLPattern]:
        """Add the address that the form asks while an editor types."""
        meaning = self.admin_site.admin_view(require_POST(self.meaning_view))
        return [path("meaning/", meaning, name="rules_announcement_meaning"), *super().get_urls()]

    def add_view(self, request: HttpRequest, *other: Any, **more: Any) -> HttpResponse:
        """Show the checklist with what it means, or announce it."""
        self._require_add(request)
        if request.method != "POST":
            form = AnnouncementForm(initial=first_typed() | {"source": request.GET.get("source", "")})
            return self._form_page(request, form)
        form = AnnouncementForm(request.POST)
        if SUBMIT in request.POST and (done := self._announced(request, form)) is not None:
            return done
        return self._form_page(request, form)

    def meaning_view(self, request: HttpRequest) -> HttpResponse:
        """Return what the form means as it is typed. Nothing is written."""
        self._require_add(request)
        form = AnnouncementForm(request.POST)
        form.full_clean()
        return TemplateResponse(request, "admin/rules/announcement/_meaning.html", shown_meaning(form))

    def change_view(self, request: HttpRequest, object_id: str, *other: Any, **more: Any) -> HttpResponse:
        """Show what came from an announcement, and the buttons for all of it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        announcement = row_or_404(Announcement, object_id)
        revisions = shown_revisions(announcement)
        context = {
            "title": announcement.title,
            "announcement": announcement,
            "revisions": revisions,
            "offered": offered(acting_user(request), revisions),
            "sources": Source.objects.filter(rules__announced__announcement=announcement).distinct(),
        }
        return self._page(request, "page", context)

    # --- Announcing ---

    def _announced(self, request: HttpRequest, form: AnnouncementForm) -> HttpResponse | None:
        """Announce what the form means, and lead to it; None if the form shows why that is refused."""
        if (known := self._sent_before(request, form)) is not None:
            return known
        if not form.is_valid() or form.meant is None:
            return None
        if form.cleaned_data["seen"] != form.digest():
            form.add_error(None, LOOK_AGAIN)
            return None
        try:
            with transaction.atomic():
                found = announce(
                    by=acting_user(request),
                    key=form.cleaned_data["key"],
                    title=form.title(),
                    proposals=form.meant.proposals,
                    new_source=form.new_source,
                )
        except AlreadyRecorded as refused:
            # The same form was sent twice at once.
            if (known := self._sent_before(request, form)) is not None:
                return known
            form.refuse(refused)
            return None
        except Refused as refused:
            form.refuse(refused)
            return None
        messages.success(request, f"{len(form.drafts)} rules wait for review: {found}.")
        return _to(found)

    def _sent_before(self, request: HttpRequest, form: AnnouncementForm) -> HttpResponse | None:
        """Lead to the announcement that this very form has made already, if it has."""
        form.full_clean()
        if (key := form.cleaned_data.get("key")) is None:
            return None
        found = Announcement.objects.filter(key=key, created_by=acting_user(request)).first()
        if found is None:
            return None
        messages.info(request, f"This was submitted already: {found}.")
        return _to(found)

    def _require_add(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _form_page(self, request: HttpRequest, form: AnnouncementForm) -> HttpResponse:
        sections = [
            {
                "title": title,
                "folded": folded,
                "fields": [form[name] for name in names],
                "open": any(form[name].errors or form[name].value() for name in names),
            }
            for title, names, folded in SECTIONS
        ]
        context: dict[str, Any] = {
            "title": "Announcement",
            "form": form,
            "sections": sections,
            "latest_sources": latest_sources(LATEST_SOURCES),
            "measure": MEASURE in request.POST,
        }
        if form.is_bound:
            context |= shown_meaning(form)
        status = 400 if form.is_bound and form.errors and SUBMIT in request.POST else 200
        return self._page(request, "form", context, status)

    def _page(
        self, request: HttpRequest, name: str, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        around = {**self.admin_site.each_context(request), "opts": self.opts}
        template = f"admin/rules/announcement/{name}.html"
        return TemplateResponse(request, template, around | context, status=status)


def _to(announcement: Announcement) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:rules_announcement_change", args=[announcement.pk]))
