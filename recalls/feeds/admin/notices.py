"""Notices of the official feeds: the queue, what each says, which models it may be about, and the buttons.

Only the actions of `recalls.feeds.actions` write, each after a page that asks.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before, page_context
from catalog.screens.filters import ConditionFilter
from catalog.screens.list_field import RecordedAutocomplete
from catalog.screens.read_only import ReadOnlyAdmin
from recalls.editing.models import Recall
from recalls.feeds import actions
from recalls.feeds.actions import candidates_of
from recalls.feeds.admin.words import STATE_COLORS, STATES, ShownRecall, differences, shown_recalls, wording
from recalls.feeds.models import LIVE, FeedNotice, FeedReview, NoticeState

MOST_VERSIONS = 20
"""How many wordings of a notice are shown, the newest first."""


class WaitsFilter(ConditionFilter):
    """The notices that wait for an editor, by reason."""

    title = "what it waits for"
    parameter_name = "waits"
    conditions = {
        "model": ("A decision about its model", Q(state__in=LIVE)),
        "review": ("A review of a corrected or missing notice", Q(open_reviews=True)),
        "missing": ("Missing from the feed", Q(missing_since__isnull=False)),
    }


class ModelForm(forms.Form):
    """The model for which a recall is drafted."""

    model_id = forms.CharField(
        label="Model",
        widget=RecordedAutocomplete(Recall._meta.get_field("device"), admin.site),
        help_text="The exact model that the notice names. A recall for another model would ban the wrong "
        "power bank.",
    )


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 3}), help_text="What you checked. The log keeps this text."
    )


class RecallForm(forms.Form):
    """The recall that a notice is about."""

    recall_id = forms.CharField(
        label="Id of the recall",
        widget=UnfoldAdminTextInputWidget,
        help_text="Such as us-cpsc-25-338, as the list of recalls shows it.",
    )


class ReviewedForm(ReasonForm):
    """The same, for the version that the editor reviewed."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


@admin.register(FeedNotice)
class FeedNoticeAdmin(ReadOnlyAdmin):
    """Notices."""

    list_display = ["notice", "state_pill", "models", "updated_on", "note"]
    list_display_links = ["notice"]
    list_filter = [WaitsFilter, "state", "feed"]
    list_filter_submit = False
    list_per_page = 50
    search_fields = ["title", "feed", "number", "native_id", "recalls__recall_id"]
    search_help_text = "A word of the title, the number of a notice or the id of a recall."
    date_hierarchy = "updated_on"

    class Media:
        css = {"all": ["catalog/desk.css", "recalls/notices.css"]}

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[FeedNotice]:
        """Return the notices, each with whether a review of it is open."""
        reviews = FeedReview.objects.filter(notice=OuterRef("pk"), closed_at__isnull=True)
        return super().get_queryset(request).annotate(open_reviews=Exists(reviews)).defer("told")

    @display(description="Notice", ordering="title", header=True)
    def notice(self, row: FeedNotice) -> list[str]:
        """Return its title, and which notice it is."""
        return [row.title, str(row)]

    @display(description="State", ordering="state", label=STATE_COLORS)
    def state_pill(self, row: FeedNotice) -> str:
        """Return its state."""
        return STATES[NoticeState(row.state)]

    @admin.display(description="Possible models")
    def models(self, row: FeedNotice) -> str:
        """Return the models that it names, exact matches first."""
        found = sorted(candidates_of(row), key=lambda one: not one.exact)
        named = [one.model_id if one.exact else f"perhaps {one.model_id}" for one in found[:3]]
        return ", ".join([*named, *(["…"] if len(found) > 3 else [])]) or "no model in the catalog"

    @admin.display(description="Remarks")
    def note(self, row: Any) -> str:
        """Return what an editor should know at once."""
        said = ["has an open review"] if row.open_reviews else []
        return "; ".join([*said, *(["missing from the feed"] if row.missing_since else [])])

    # --- One notice ---

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses of the buttons."""
        buttons: dict[str, Callable[..., HttpResponse]] = {
            "draft": self.draft_view,
            "link": self.link_view,
            "set-aside": self.set_aside_view,
            "take-up": self.take_up_view,
            "looked": self.reviewed_view,
        }
        wrap = self.admin_site.admin_view
        return [
            *(
                path(f"<int:pk>/{name}/", wrap(view), name=f"recalls_feednotice_{name}")
                for name, view in buttons.items()
            ),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show what a notice says, which models it may be about, and the buttons."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self._row(object_id)
        versions = list(row.versions.order_by("-number")[:MOST_VERSIONS])
        reviews = list(
            row.reviews.select_related("before", "after", "closed_by").order_by("-pk")[:MOST_VERSIONS]
        )
        review = next((one for one in reviews if one.closed_at is None), None)
        recalls = shown_recalls(row)
        user = acting_user(request)
        judges = may(user, EditorAction.DISMISS, FeedNotice)
        drafts = may(user, EditorAction.DRAFT, Recall) and row.state != NoticeState.IRRELEVANT
        context = page_context(self, request, row, str(row)) | {
            "row": row,
            "notice": row.to_notice(),
            "state": STATES[NoticeState(row.state)],
            "color": STATE_COLORS[STATES[NoticeState(row.state)]],
            "recalls": recalls,
            "candidates": self._candidates(row, recalls) if drafts else self._candidates(row, recalls, ""),
            "review": review,
            "differences": differences(review.before.raw, review.after.raw) if review else [],
            "reviews": [one for one in reviews if one.closed_at is not None],
            "versions": [(version, wording(version.raw)) for version in versions],
            "may_draft": drafts,
            "may_link": judges and row.state != NoticeState.IRRELEVANT,
            "may_set_aside": judges and row.state in LIVE,
            "may_take_up": judges and row.state == NoticeState.IRRELEVANT,
            "may_look": judges and review is not None,
        }
        return TemplateResponse(request, "admin/recalls/feeds/notice.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the notice itself, which lists its versions."""
        return self.change_view(request, object_id)

    def _candidates(
        self, row: FeedNotice, recalls: list[ShownRecall], draft: str = "draft"
    ) -> list[tuple[Any, str]]:
        """Return the models that a notice may be about, each with a link to draft it, if possible."""
        covered = {recall.model_id for recall in recalls}
        address = reverse("admin:recalls_feednotice_draft", args=[row.pk])
        return [
            (one, f"{address}?model={one.model_id}" if draft and one.model_id not in covered else "")
            for one in candidates_of(row)
        ]

    # --- The buttons ---

    def draft_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the model, then draft its recall."""
        self._require(may(acting_user(request), EditorAction.DRAFT, Recall))
        row = self._row(pk)

        def act(consent: Consent) -> HttpResponse:
            recall_id = actions.draft_from_notice(
                by=consent.by, notice_id=row.pk, model_id=consent.answers["model_id"], now=consent.now
            )
            messages.success(request, f"{recall_id} is drafted. Add what the notice says about serials.")
            newest = Recall.objects.identified([recall_id]).get()
            return HttpResponseRedirect(reverse("admin:recalls_recall_change", args=[newest.pk]))

        chosen = request.GET.get("model", "")

        class ChosenForm(ModelForm):
            def __init__(self, data: Any = None) -> None:
                super().__init__(data, initial={"model_id": chosen})

        step = Step(
            title=f"Draft a recall from {row}",
            consequence=f"“{row.title}” The draft has the text of the notice. It does not say which units "
            "are affected: add that yourself. Another person approves the draft.",
            button="Draft the recall",
            form_class=ChosenForm,
        )
        return ask_before(step, act, admin=self, request=request, subject=row)

    def link_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the recall, then link the notice to it."""
        self._require(may(acting_user(request), EditorAction.CONFIRM, FeedNotice))
        row = self._row(pk)

        def act(consent: Consent) -> HttpResponse:
            recall_id = consent.answers["recall_id"].strip()
            actions.link_recall(by=consent.by, notice_id=row.pk, recall_id=recall_id, now=consent.now)
            messages.success(request, f"{row} is {recall_id}.")
            return self._back(row)

        step = Step(
            title=f"{row} is already recorded",
            consequence=f"“{row.title}” Then nothing is drafted for that model. If the notice is corrected, "
            "a review of the recall opens.",
            button="It is this recall",
            form_class=RecallForm,
        )
        return ask_before(step, act, admin=self, request=request, subject=row)

    def set_aside_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask why, then set the notice aside."""
        self._require(may(acting_user(request), EditorAction.DISMISS, FeedNotice))
        row = self._row(pk)

        def act(consent: Consent) -> HttpResponse:
            actions.dismiss_notice(
                by=consent.by, notice_id=row.pk, reason=consent.answers["reason"], now=consent.now
            )
            messages.success(request, f"{row} is set aside.")
            return HttpResponseRedirect(reverse("admin:recalls_feednotice_changelist"))

        step = Step(
            title=f"Set {row} aside",
            consequence=f"“{row.title}” It leaves the queue. If the notice is corrected, a review opens.",
            button="Set it aside",
            form_class=ReasonForm,
        )
        return ask_before(step, act, admin=self, request=request, subject=row)

    def take_up_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask, then reopen the notice."""
        self._require(may(acting_user(request), EditorAction.DISMISS, FeedNotice))
        row = self._row(pk)

        def act(consent: Consent) -> HttpResponse:
            actions.take_up_notice(by=consent.by, notice_id=row.pk, now=consent.now)
            return self._back(row)

        step = Step(
            title=f"Put {row} back in the queue",
            consequence="It waits for a decision again.",
            button="Put it back",
        )
        return ask_before(step, act, admin=self, request=request, subject=row)

    def reviewed_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask what was done, then close the open review."""
        self._require(may(acting_user(request), EditorAction.CONFIRM, FeedNotice))
        row = self._row(pk)
        seen = request.GET.get("seen", "")

        class SeenForm(ReviewedForm):
            def __init__(self, data: Any = None) -> None:
                super().__init__(data, initial={"seen": seen})

        def act(consent: Consent) -> HttpResponse:
            actions.close_review(
                by=consent.by,
                notice_id=row.pk,
                seen=consent.answers["seen"],
                remark=consent.answers["reason"],
                now=consent.now,
            )
            messages.success(request, f"The review of {row} is closed.")
            return self._back(row)

        step = Step(
            title=f"Close the review of {row}",
            consequence="Say what you did: the recall was revised, or it stays unchanged and why. This "
            "changes nothing else.",
            button="Close the review",
            form_class=SeenForm,
        )
        return ask_before(step, act, admin=self, request=request, subject=row)

    def _back(self, row: FeedNotice) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:recalls_feednotice_change", args=[row.pk]))

    def _row(self, key: Any) -> FeedNotice:
        rows = FeedNotice.objects.select_related("dismissed_by")
        found = rows.filter(pk=key).first() if str(key).isdecimal() else None
        if found is None:
            raise Http404
        return found

    def _require(self, allowed: bool) -> None:
        if not allowed:
            raise PermissionDenied
