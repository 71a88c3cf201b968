"""Releases: the ledger as a list, a page for each release, and rolling back to it.

The page that publishes is in `rules.publishing.admin.publish_page`.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST
from unfold.decorators import display

from catalog.dates import moment_words
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import Refused
from catalog.models import AuditEntry
from catalog.screens.confirmation import acting_user, page_context
from catalog.screens.ids import as_key
from catalog.screens.record_forms import PagesByKey
from rules.cases import CaseError
from rules.engine.document import Content
from rules.impact.actions.measuring import NotMeasurable, measure_proposal
from rules.impact.admin.result_page import shown_way
from rules.impact.figures import share
from rules.impact.matrix import matrix
from rules.impact.measurements import MeasuredChanges, measured_changes, propose
from rules.impact.of_release import read_details
from rules.proof.selectors import newest_done
from rules.publishing.actions.requests import request_rolling_back
from rules.publishing.actions.rolling_back import request_roll_back
from rules.publishing.admin.compare_page import ComparePage
from rules.publishing.admin.forms import RollBackForm
from rules.publishing.admin.progress import wait_for
from rules.publishing.admin.publish_page import PublishPages
from rules.publishing.admin.roll_back_offer import offer
from rules.publishing.admin.shown_changes import (
    by_airline_and_country,
    differences,
    shown_radius,
    summary,
)
from rules.publishing.authors import authors_of_earlier
from rules.publishing.candidate import Candidate, candidate
from rules.publishing.gate import taken_back
from rules.publishing.models import PublishRequest, RequestKind, RollBackRequest, SoloRelease
from rules.publishing.refusals import ReleaseRefused, listed
from rules.releases.comparison import compare
from rules.releases.ledger import content_or_none, problems_of
from rules.releases.models import Release

WAYS = (EditorAction.PUBLISH, EditorAction.ROLL_BACK)


@admin.register(Release)
class ReleaseAdmin(PublishPages, ComparePage):
    """Releases, read-only. Separate pages change them."""

    actions = None
    list_display = ["version", "published", "published_by", "brought"]
    list_display_links = ["version"]
    list_per_page = 50
    list_select_related = ["published_by"]
    paginator = PagesByKey
    show_full_result_count = False
    search_fields = ["ruleset_version", "note"]
    search_help_text = "A version, or a word of the note."
    date_hierarchy = "published_at"
    ordering = ["-sequence"]
    list_before_template = "admin/rules/release_tools.html"

    class Media:
        css = {"all": ["catalog/desk.css"]}

    # --- Permissions ---

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: releases are published."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a published release stays as it is."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a published release stays."""
        return False

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Release]:
        """Return the releases without their documents, with what the log says of each."""
        entries = AuditEntry.objects.filter(
            kind="release", subject=OuterRef("ruleset_version"), verb__in=WAYS
        )
        last = Release.objects.order_by("-sequence").values("sequence")[:1]
        return (
            Release.objects.without_document()
            .order_by("-sequence")
            .annotate(entry_details=Subquery(entries.values("details")[:1]), last=Subquery(last))
        )

    @display(description="Release", ordering="sequence", header=True)
    def version(self, release: Any) -> list[str]:
        """Return the version and the note."""
        current = " (current)" if release.sequence == release.last else ""
        return [f"{release.ruleset_version}{current}", _shortened(release.note)]

    @admin.display(description="Published", ordering="published_at")
    def published(self, release: Release) -> str:
        """Return when it was published."""
        return format_html(
            '<time datetime="{}">{}</time>',
            release.published_at.isoformat(),
            moment_words(release.published_at),
        )

    @admin.display(description="What it changed")
    def brought(self, release: Any) -> str:
        """Return how many records it added, changed and withdrew, by kind."""
        return summary((release.entry_details or {}).get("changes"))

    # --- The page of a release ---

    def get_urls(self) -> list[Any]:
        """Return the addresses of the pages, in addition to those of every model."""
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/document/", view(self.document_view), name="rules_release_document"),
            path(
                "<int:pk>/roll-back/measure/",
                view(require_POST(self.measure_view)),
                name="rules_release_measure",
            ),
            path("<int:pk>/roll-back/", view(self.roll_back_view), name="rules_release_roll_back"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a release: what it changed, and that its digests match."""
        self.require_view(request)
        release = self._release(object_id)
        current = Release.objects.without_document().current()
        entry = AuditEntry.objects.filter(
            kind="release", subject=release.ruleset_version, verb__in=WAYS
        ).first()
        details = entry.details if entry else {}
        before, after = content_or_none(release.predecessor), content_or_none(release)
        context = page_context(self, request, release, f"Release {release}") | {
            "release": release,
            "is_current": release == current,
            "current": current,
            "damage": problems_of(release),
            "proof": newest_done(release.sha256),
            "details": details,
            "solo": SoloRelease.objects.filter(release=release)
            .select_related("created_by", "approved_by")
            .first(),
            "changes": None if before is None or after is None else differences(before, after),
            "answers": _shown_answers(details, before, after),
            "may_roll_back": release != current and may(request.user, EditorAction.ROLL_BACK, Release),
            "says_the_same": current is not None and release.content_sha256 == current.content_sha256,
        }
        return TemplateResponse(request, "admin/rules/release.html", context)

    def document_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Respond with the document, byte for byte."""
        self.require_view(request)
        release = self._release(pk)
        return HttpResponse(
            release.document,
            content_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="release-{release}.json"'},
        )

    # --- Rolling back ---

    def roll_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what rolling back to a release would do, and request it."""
        self.require(request, EditorAction.ROLL_BACK)
        release = self._release(pk)
        form = RollBackForm(request.POST if request.method == "POST" else None)
        status = HTTPStatus.OK
        if request.method == "POST":
            status = HTTPStatus.BAD_REQUEST
            if form.is_valid():
                try:
                    return (self._request if "request" in request.POST else self._roll_back)(
                        request, release, form
                    )
                except (ReleaseRefused, Refused, CaseError) as refused:
                    form.add_error(None, f"Nothing was published: {refused}.")
                    status = HTTPStatus.CONFLICT
        return self._roll_back_page(request, release, form, status)

    def measure_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Measure what rolling back would change, if that is too much to do at once."""
        self.require(request, EditorAction.ROLL_BACK)
        release, current = self._release(pk), Release.objects.current()
        content = content_or_none(release)
        try:
            if current is None or content is None:
                raise NotMeasurable("This version of the program cannot read the release.")
            measure_proposal(propose(current, content), by=acting_user(request), now=timezone.now())
        except NotMeasurable as reason:
            messages.error(request, str(reason))
        return HttpResponseRedirect(reverse("admin:rules_release_roll_back", args=[pk]))

    def _request(self, request: HttpRequest, release: Release, form: RollBackForm) -> HttpResponse:
        request_roll_back(
            by=acting_user(request),
            to=release.ruleset_version,
            reason=form.cleaned_data["reason"],
            now=timezone.now(),
        )
        messages.success(request, "The roll-back is requested. Another publisher has to do it on this page.")
        return HttpResponseRedirect(reverse("admin:rules_release_roll_back", args=[release.pk]))

    def _roll_back(self, request: HttpRequest, release: Release, form: RollBackForm) -> HttpResponse:
        return wait_for(
            request_rolling_back(
                by=acting_user(request),
                to=release.ruleset_version,
                reason=form.cleaned_data["reason"],
                now=timezone.now(),
                shown=form.cleaned_data["shown"],
            )
        )

    def refused_view(self, request: HttpRequest, asked: PublishRequest) -> HttpResponse:
        """Show the page where the request was made: that of the roll-back, or that which publishes."""
        if asked.kind != RequestKind.ROLL_BACK:
            return super().refused_view(request, asked)
        release = self._release(Release.objects.get(ruleset_version=asked.back_to).pk)
        form = RollBackForm({"reason": asked.note, "shown": asked.base})
        return self._roll_back_page(request, release, form, HTTPStatus.CONFLICT)

    def _roll_back_page(
        self, request: HttpRequest, release: Release, form: RollBackForm, status: int
    ) -> HttpResponse:
        context = self._roll_back_context(request, release, form)
        return TemplateResponse(request, "admin/rules/roll_back.html", context, status=status)

    def _roll_back_context(
        self, request: HttpRequest, release: Release, form: RollBackForm
    ) -> dict[str, Any]:
        current = Release.objects.current()
        content, before = content_or_none(release), content_or_none(current)
        found = None if content is None else _candidate(release, before, content)
        requests = RollBackRequest.objects.filter(base=current, back_to=release).select_related("created_by")
        changes = _measured(current, content)
        offered = current and offer(
            acting_user(request),
            current,
            release,
            before=before,
            found=found,
            changes=changes,
            requests=requests,
        )
        return page_context(self, request, release, f"Roll back to {release}") | {
            "release": release,
            "current": current,
            "form": form,
            "shown": current.ruleset_version if current else "",
            "changes": None if before is None or content is None else differences(before, content),
            "radius": None if changes is None else shown_radius(changes, before, content),
            "taken": _taken(before, content),
            "requests": requests,
            "offered": offered,
            "asked": found.asked if found else 0,
            "failing": [one.judged for one in found.unaccepted] if found else [],
            "accepted": len(found.rests_on) if found else 0,
        }

    def _release(self, pk: Any) -> Release:
        found = Release.objects.select_related("published_by", "predecessor")
        key = as_key(Release, pk)
        release = None if key is None else found.filter(pk=key).first()
        if release is None:
            raise Http404
        return release


def _candidate(release: Release, before: Content | None, content: Content) -> Candidate | None:
    """Return the content of an earlier release with its cases; None if the cases cannot be read."""
    changes = () if before is None else compare(before, content)
    try:
        return candidate(None, content, authors_of_earlier(release, content, changes))
    except CaseError:
        return None


def _taken(before: Content | None, content: Content | None) -> str:
    """Return what the roll-back takes away, in words; empty if nothing."""
    return "" if before is None or content is None else listed(taken_back(before, content))


def _shown_answers(
    details: dict[str, Any], before: Content | None, after: Content | None
) -> dict[str, Any] | None:
    """Return how answers changed with a release, for a page; None if the log has not kept it."""
    found = read_details(details)
    if found is None:
        return None
    whole = matrix(found.ways)
    return {
        "matrix": whole,
        "by": by_airline_and_country(found, before, after),
        "share": share(whole.total, found.questions),
        "unlisted": [shown_way(way) for way in found.unlisted],
    }


def _measured(current: Release | None, content: Content | None) -> MeasuredChanges | None:
    """Return how a roll-back would change answers; None if that is unknown."""
    if current is None or content is None:
        return None
    return measured_changes(propose(current, content), day=timezone.now().date())


def _shortened(note: str, most: int = 160) -> str:
    return note if len(note) <= most else f"{note[: most - 1].rstrip()}…"
