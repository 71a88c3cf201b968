"""The page of an emergency: what one person publishes alone, and what was refused of it.

It asks no case and measures nothing, so it opens at once, whatever else waits or fails. The gate does both
when the button is pressed.
"""

from collections.abc import Collection
from http import HTTPStatus
from typing import NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import Refused
from catalog.free_text import MOST_OF_A_REASON
from catalog.screens.confirmation import acting_user, status_of
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.actions.measuring import NotMeasurable
from rules.publishing.actions.alone import digest_of_shown, measure_alone, shown_revision
from rules.publishing.actions.releases import Shown
from rules.publishing.actions.requests import request_publishing_alone
from rules.publishing.admin.progress import wait_for
from rules.publishing.chosen import Chosen, choosable
from rules.publishing.models import PublishRequest, RequestState
from rules.publishing.refusals import NoteMissing, ReleaseRefused
from rules.releases.models import Release

KEPT = "publish_alone"
"""The key in a session of what was ticked and typed to publish alone, while that is measured."""


class Choice(NamedTuple):
    """A revision that one person can publish alone, and what it says, as `shown_revision` spells it."""

    said: str
    is_approved: bool
    is_ticked: bool


class AlonePage(ModelAdmin):
    """The page of an emergency, and its two buttons."""

    def require(
        self, request: HttpRequest, action: EditorAction, model: type[models.Model] = Release
    ) -> None:
        """Admit users who may do an action. Raises `PermissionDenied`."""
        if not may(request.user, action, model):
            raise PermissionDenied

    def alone_view(self, request: HttpRequest) -> HttpResponse:
        """Offer what can go alone; on POST, publish exactly what is ticked of it."""
        self.require(request, EditorAction.PUBLISH)
        if request.method != "POST":
            kept = request.session.pop(KEPT, {})
            ticked = kept.get("ticked") or [*request.GET.getlist("rule"), *request.GET.getlist("recall")]
            return self.alone_page(request, ticked=ticked, reason=kept.get("reason", ""))
        chosen = _chosen(request)
        try:
            asked = request_publishing_alone(
                by=acting_user(request),
                reason=request.POST.get("reason", ""),
                now=timezone.now(),
                shown=_shown_alone(request, chosen),
                chosen=chosen,
            )
        except (Refused, ReleaseRefused) as refused:
            return self._again(request, f"Nothing was published: {refused}.", _status_of(refused))
        return wait_for(asked)

    def measure_alone_view(self, request: HttpRequest) -> HttpResponse:
        """Measure what publishing alone would change, and lead to the page of that measurement."""
        self.require(request, EditorAction.PUBLISH)
        try:
            found = measure_alone(by=acting_user(request), now=timezone.now(), chosen=_chosen(request))
        except (NotMeasurable, Refused) as refused:
            return self._again(request, f"Nothing was measured: {refused}", _status_of(refused))
        request.session[KEPT] = {
            "ticked": _ticked(request),
            "reason": request.POST.get("reason", "")[:MOST_OF_A_REASON],
        }
        messages.info(
            request,
            format_html(
                'When this is measured, <a href="{}">go back to the page “Publish as an emergency”</a>. '
                "The same revisions are ticked there, and your reason is kept.",
                reverse("admin:rules_release_alone"),
            ),
        )
        return HttpResponseRedirect(reverse("admin:rules_impact", args=[found.pk]))

    def _again(self, request: HttpRequest, refusal: str, status: HTTPStatus) -> HttpResponse:
        """Show the page again, with what was ticked and typed."""
        reason = request.POST.get("reason", "")
        return self.alone_page(
            request, ticked=_ticked(request), reason=reason, refusal=refusal, status=status
        )

    def alone_page(
        self,
        request: HttpRequest,
        *,
        ticked: Collection[str],
        reason: str,
        refusal: str = "",
        status: int = HTTPStatus.OK,
    ) -> HttpResponse:
        """Show what can go alone, with what is ticked first. The lines of a refusal become a list."""
        current = Release.objects.without_document().select_related("published_by").current()
        to_choose = choices(ticked)
        waits = PublishRequest.objects.filter(state=RequestState.WAITING).exists()
        said, *reasons = refusal.split("\n  ")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Publish as an emergency",
            "base": current,
            "to_choose": to_choose,
            "not_alone": _why_not_alone(is_first=current is None, waits=waits, to_choose=bool(to_choose)),
            "refusal": said,
            "reasons": reasons,
            "reason": reason,
            "most_of_a_reason": MOST_OF_A_REASON,
        }
        return TemplateResponse(request, "admin/rules/alone.html", context, status=status)


def choices(ticked: Collection[str] = ()) -> dict[str, dict[str, Choice]]:
    """Return what is approved or in review: for each kind, its ids with a choice, the ticked ones first."""
    kinds: dict[str, type[Rule] | type[Recall]] = {"recall": Recall, "rule": Rule}
    found = {}
    for kind, model in kinds.items():
        rows = sorted(choosable(model), key=lambda row: row.stable_id not in ticked)
        if rows:
            found[kind] = {
                row.stable_id: Choice(
                    shown_revision(row), row.state == State.APPROVED, row.stable_id in ticked
                )
                for row in rows
            }
    return found


def _chosen(request: HttpRequest) -> Chosen:
    """Return what is ticked."""
    return Chosen(request.POST.getlist("rule"), request.POST.getlist("recall"))


def _ticked(request: HttpRequest) -> list[str]:
    return [*request.POST.getlist("rule"), *request.POST.getlist("recall")]


def _shown_alone(request: HttpRequest, chosen: Chosen) -> Shown:
    """Return what the page showed of the revisions that are chosen."""
    names = {f"rule {one}" for one in chosen.rule_ids} | {f"recall {one}" for one in chosen.recall_ids}
    said = [one for one in request.POST.getlist("said") if one.rpartition(" ")[0] in names]
    return Shown(request.POST.get("base", ""), digest_of_shown(said))


def _status_of(refused: Exception) -> HTTPStatus:
    return HTTPStatus.BAD_REQUEST if isinstance(refused, NoteMissing) else status_of(refused)


def _why_not_alone(*, is_first: bool, waits: bool, to_choose: bool) -> str:
    """Say why no one can publish alone; "" if one can."""
    if is_first:
        return "No release is published yet. The first one is published as usual."
    if waits:
        return "A request to publish waits already. Look again when it has ended."
    if not to_choose:
        return "No rule and no recall is approved or in review, so there is nothing to choose."
    return ""
