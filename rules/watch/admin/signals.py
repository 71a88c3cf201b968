"""The review queue: what pages did, the gravest first, and the page on which an editor acts on a signal.

Each button also sends which text its editor saw, so no one confirms a text that they have not read.
"""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.decorators import display

from catalog.dates import day_words
from catalog.editorial.permissions import may
from catalog.editorial.screens.verbs import ReasonForm
from catalog.editorial.workflow import EditorAction
from catalog.errors import Refused
from catalog.saved_searches.screens import SavesSearches
from catalog.screens.confirmation import acting_user, page_context, status_of
from catalog.screens.filters import AtLeastDaysFilter, AtMostDaysFilter
from rules.editing.models import Rule
from rules.watch.actions import signals as signal_actions
from rules.watch.admin import words
from rules.watch.admin.comparing import comparison_of, quotes_of
from rules.watch.admin.dependents import resting_on
from rules.watch.admin.filters import (
    ActorFilter,
    KindFilter,
    OutcomeFilter,
    SignalAirlineFilter,
    SignalAuthorityFilter,
    SignalCodeFilter,
    SignalJurisdictionFilter,
    SignalNatureFilter,
)
from rules.watch.admin.listing import DependentsAdmin, weight_of
from rules.watch.models import SignalKind, WatchSignal

LONGEST_ADDRESS = 300
"""In the reason of a revision, a longer address is replaced by its host."""

FIRST_RULES = 10
"""How many of the rules that rest on a page are shown at once; a click shows the others."""


def first_if(condition: Q) -> Any:
    """Return an ordering that puts rows first that meet a condition."""
    return Case(When(condition, then=Value(0)), default=Value(1)).asc()


@admin.register(WatchSignal)
class WatchSignalAdmin(SavesSearches, DependentsAdmin):
    """Signals, the open ones by default."""

    leads_to_page = "page"
    list_display = ["page_said", "kind_pill", "open_for", "source_names", "weight", "outcome_pill"]
    list_display_links = ["page_said"]
    list_filter = [
        OutcomeFilter,
        KindFilter,
        SignalAuthorityFilter,
        SignalCodeFilter,
        SignalNatureFilter,
        SignalAirlineFilter,
        SignalJurisdictionFilter,
        ActorFilter,
        AtLeastDaysFilter,
        AtMostDaysFilter,
    ]
    list_filter_submit = True
    list_select_related = ["page", "closed_by"]
    ordering = [first_if(Q(outcome="")), first_if(Q(kind=SignalKind.QUOTE_GONE)), "opened", "pk"]
    search_fields = ["page__url"]
    search_help_text = "A word of the page's address, or the number of a signal."
    date_hierarchy = "opened"

    # --- The list ---

    def in_state_since(self) -> Any:
        """Return since when a signal has been open, or closed by a person."""
        return Coalesce("closed_at", "opened")

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> Any:
        """Return the search results: a number is the number of a signal."""
        if search_term.isdecimal() and len(search_term) < 10:
            return queryset.filter(pk=search_term), False
        return super().get_search_results(request, queryset, search_term)

    @display(description="Page", ordering="page__url", header=True)
    def page_said(self, signal: WatchSignal) -> list[str]:
        """Return where the page is, and one sentence about what it did."""
        return [signal.page.url, words.SAID[SignalKind(signal.kind)]]

    @display(description="Kind", ordering="kind", label=words.KIND_COLORS)
    def kind_pill(self, signal: WatchSignal) -> str:
        """Return what the page did."""
        return words.KINDS[SignalKind(signal.kind)]

    @admin.display(description="Noticed", ordering="opened")
    def open_for(self, signal: WatchSignal) -> str:
        """Return how long ago it was noticed."""
        return words.since(signal.opened, timezone.now())

    @display(description="State", ordering="outcome", label={"Open": "info"})
    def outcome_pill(self, signal: WatchSignal) -> str:
        """Return the outcome of the signal."""
        return words.state(signal)

    # --- The page of a signal ---

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses of the buttons."""

        def button(name: str, view: Callable[..., HttpResponse]) -> URLPattern:
            wrapped = self.admin_site.admin_view(require_POST(view))
            return path(f"<int:pk>/{name}/", wrapped, name=f"rules_watchsignal_{name}")

        return [
            button("revise", self.revise_view),
            button("still-true", self.still_true_view),
            button("dismiss", self.dismiss_view),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show what a page did, what rests on it, and the buttons."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._show(request, self._signal(object_id))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the signal itself, which gives its outcome."""
        return self.change_view(request, object_id)

    def revise_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Open the next revision of the rules that were ticked."""
        self._require(may(acting_user(request), EditorAction.REVISE, Rule))
        ids = request.POST.getlist("rule")

        def act(seen: str, reason: str) -> str:
            signal_actions.start_revisions(
                by=acting_user(request), signal_id=pk, seen=seen, rule_ids=ids, reason=reason
            )
            return f"{words.counted(len(ids), 'revision is', 'revisions are')} open: {', '.join(ids[:10])}."

        return self._act(request, pk, act, asked="revise", after=lambda: _drafts(ids))

    def still_true_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make the sources of the page count as read today."""
        self._require(may(acting_user(request), EditorAction.CONFIRM, WatchSignal))

        def act(seen: str, reason: str) -> str:
            sources = signal_actions.confirm_still_true(
                by=acting_user(request),
                signal_id=pk,
                seen=seen,
                reason=request.POST.get("reason", ""),
                quotes=request.POST.getlist("quote"),
            )
            if not sources:
                return "Proposed: another person has to confirm that the page still supports its records."
            counted = words.counted(len(sources), "source has", "sources have")
            return f"Still true: {counted} today as the reading date: {', '.join(sources)}."

        return self._act(request, pk, act)

    def dismiss_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Close the signal and change nothing else."""
        self._require(may(acting_user(request), EditorAction.DISMISS, WatchSignal))

        def act(seen: str, reason: str) -> str:
            signal_actions.dismiss_signal(by=acting_user(request), signal_id=pk, seen=seen, reason=reason)
            return "The signal is dismissed."

        return self._act(request, pk, act, asked="dismiss")

    def _act(
        self,
        request: HttpRequest,
        pk: int,
        act: Callable[[str, str], str],
        *,
        asked: str = "",
        after: Callable[[], str] = lambda: reverse("admin:rules_watchsignal_changelist"),
    ) -> HttpResponse:
        """Do what a button says. `asked` is the form with its reason; a refusal shows the page again."""
        self._signal(pk)
        form = ReasonForm(request.POST, auto_id=f"{asked}_%s") if asked else None
        if form is not None and not form.is_valid():
            return self._show(request, self._signal(pk), asked, form, status=HTTPStatus.BAD_REQUEST)
        try:
            said = act(request.POST.get("seen", ""), form.cleaned_data["reason"] if form else "")
        except Refused as refused:
            about_signal = refused.record_id == str(pk)
            refusal = f"Nothing was done: {refused.reason if about_signal else refused}."
            return self._show(
                request, self._signal(pk), asked, form, refusal=refusal, status=status_of(refused)
            )
        messages.success(request, said)
        return HttpResponseRedirect(after())

    def _show(
        self,
        request: HttpRequest,
        signal: WatchSignal,
        asked: str = "",
        form: forms.Form | None = None,
        *,
        refusal: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> HttpResponse:
        """Show the page of a signal, with the editor's input if a button refused."""
        user, resting = acting_user(request), resting_on(signal.page.url)
        is_open = not signal.outcome
        may_close = is_open and may(user, EditorAction.DISMISS, WatchSignal)
        reasons: dict[str, forms.Form] = {
            "revise": ReasonForm(auto_id="revise_%s", initial={"reason": _reason(signal)}),
            "dismiss": ReasonForm(auto_id="dismiss_%s"),
        }
        if form is not None:
            reasons[asked] = form
        typed_quotes = request.POST.getlist("quote")
        context = page_context(self, request, signal, f"{words.KINDS[SignalKind(signal.kind)]}") | {
            "signal": signal,
            "kind": words.KINDS[SignalKind(signal.kind)],
            "color": words.KIND_COLORS[words.KINDS[SignalKind(signal.kind)]],
            "said": _said(signal, resting.rules),
            "state": words.state(signal),
            "noticed": words.since(signal.opened, timezone.now()),
            "seen": signal.after.fingerprint if signal.after else signal_actions.NOTHING_SEEN,
            "resting": resting,
            "weight": weight_of(resting.dependents),
            "first_rules": resting.rules[:FIRST_RULES],
            "other_rules": resting.rules[FIRST_RULES:],
            "quotes": quotes_of(signal, resting.rules, resting.dependents.sources),
            "comparison": comparison_of(signal),
            "may_close": may_close,
            "may_revise": may_close
            and may(user, EditorAction.REVISE, Rule)
            and any(not rule.open_revision for rule in resting.rules),
            "revise": reasons["revise"],
            "dismiss": reasons["dismiss"],
            "chosen": request.POST.getlist("rule"),
            "refusal": refusal,
            "lost_a_quote": signal.kind == SignalKind.QUOTE_GONE,
            "lost": list(zip_longest(signal.quotes, typed_quotes[: len(signal.quotes)], fillvalue="")),
            "typed_reason": "" if asked else request.POST.get("reason", ""),
            "proposed": signal.proposed_by is not None
            and signal.proposed_seen == (signal.after.fingerprint if signal.after else ""),
            "typed": request.POST.get("reason", "") if refusal and not is_open else "",
        }
        return TemplateResponse(request, "admin/rules/watch/signal.html", context, status=status)

    def _signal(self, key: Any) -> WatchSignal:
        rows = WatchSignal.objects.select_related("page", "before", "after", "closed_by", "proposed_by")
        # The bytes that a text was read from are large, and no screen shows them.
        rows = rows.defer("before__body", "after__body")
        found = rows.filter(pk=key).first() if str(key).isdecimal() else None
        if found is None:
            raise Http404
        return found

    def _require(self, allowed: bool) -> None:
        if not allowed:
            raise PermissionDenied


def _said(signal: WatchSignal, rules: Sequence[Any]) -> str:
    """Return what happened, in a sentence or two."""
    if signal.kind == SignalKind.DEAD_LINK:
        return words.SAID[SignalKind.DEAD_LINK]
    if signal.kind == SignalKind.QUOTE_GONE:
        gone = words.counted(len(signal.quotes), "quote of a rule is", "quotes of rules are")
        return f"{gone} no longer on this page."
    quoted = any(rule.record.quotes for rule in rules)
    rest = "All quotes of rules are still there." if quoted else "No rule quotes it."
    return f"{words.SAID[SignalKind.TEXT_CHANGED]} {rest}"


def _reason(signal: WatchSignal) -> str:
    """Return a first version of the reason why rules are revised: the page and the day."""
    page = signal.page
    named = page.url if len(page.url) <= LONGEST_ADDRESS else f"on {page.host}"
    did = {
        SignalKind.QUOTE_GONE: "no longer contains the quote of this rule",
        SignalKind.TEXT_CHANGED: "has changed",
        SignalKind.DEAD_LINK: "no longer answers",
    }[SignalKind(signal.kind)]
    return f"The page {named} {did}; noticed on {day_words(signal.moved)}."


def _drafts(ids: Sequence[str]) -> str:
    """Return the link to the new drafts: the draft, or the list of the editor's own drafts."""
    if len(ids) == 1:
        newest = Rule.objects.identified(ids).get()
        return reverse("admin:rules_rule_change", args=[newest.pk])
    return f"{reverse('admin:rules_rule_changelist')}?desk=drafts"
