"""Watched pages: their state, last visits and text, and confirming that many are unchanged."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.decorators import display

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import Refused
from catalog.models import Source
from catalog.records import POINTER
from catalog.screens.confirmation import acting_user, page_context
from catalog.tables.actions.best_effort import try_each
from rules.watch.actions.recording import BY_LEAVE
from rules.watch.actions.signals import confirm_unchanged, visit_again
from rules.watch.admin import words
from rules.watch.admin.dependents import resting_on
from rules.watch.admin.filters import AuthorityFilter, StatusFilter
from rules.watch.admin.listing import DependentsAdmin, weight_of
from rules.watch.models import VisitOutcome, WatchedPage
from rules.watch.snapshots import text_of
from rules.watch.status import confirmable, never_compared

MOST = 1_000
"""How many pages are confirmed at once: as many as one request has time for."""

MOST_CHOSEN = 200
"""How many pages may be chosen on the list at once."""

MOST_VISITS = 20
MOST_SHOWN = 100
"""How many visits of a page, and how many of the sources that would move, are shown."""


class Line(NamedTuple):
    """A page that an editor chose, and why it is refused; empty if it is not."""

    page: WatchedPage
    refusal: str


@admin.register(WatchedPage)
class WatchedPageAdmin(DependentsAdmin):
    """Watched pages, read-only."""

    actions = ["visit_many", "confirm_many"]
    list_display = ["page_url", "status_pill", "visited_when", "answered_when", "due_when", "weight"]
    list_display_links = ["page_url"]
    list_filter = [StatusFilter, AuthorityFilter, "follows_text"]
    list_filter_submit = False
    ordering = ["url"]
    search_fields = ["url"]
    search_help_text = "A word of the address."
    list_before_template = "admin/rules/watch/pages_tools.html"

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[WatchedPage]:
        """Return the pages without the columns that no list shows."""
        return super().get_queryset(request).defer("etag", "last_modified", "quotes_digest")

    @display(description="Page", ordering="url", header=True)
    def page_url(self, page: WatchedPage) -> list[str]:
        """Return the address, and why it did not answer."""
        return [page.url, _trouble(page)]

    @display(description="State", label=words.PAGE_COLORS)
    def status_pill(self, page: WatchedPage) -> str:
        """Return the state of the page."""
        return words.page_status(page)

    @admin.display(description="Last visit", ordering="visited")
    def visited_when(self, page: WatchedPage) -> str:
        """Return when it was last visited."""
        return words.since(page.visited, timezone.now())

    @admin.display(description="Last answer", ordering="answered")
    def answered_when(self, page: WatchedPage) -> str:
        """Return when it last answered."""
        return words.since(page.answered, timezone.now())

    @admin.display(description="Next visit", ordering="due")
    def due_when(self, page: WatchedPage) -> str:
        """Return when it is due."""
        return _due(page)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions for many rows."""
        return super().get_actions(request) if self._may(request, EditorAction.RETRY) else {}

    @admin.action(description="Visit soon")
    def visit_many(self, request: HttpRequest, chosen: QuerySet[WatchedPage]) -> None:
        """Visit the chosen pages as soon as the watch runs."""
        urls = self._chosen(request, chosen)
        if urls:
            visit_again(by=acting_user(request), urls=urls)
            messages.success(
                request, f"{words.counted(len(urls), 'page is', 'pages are')} visited as soon as possible."
            )

    @admin.action(description="Confirm as unchanged")
    def confirm_many(self, request: HttpRequest, chosen: QuerySet[WatchedPage]) -> HttpResponse | None:
        """Show what confirming the chosen pages would do."""
        urls = self._chosen(request, chosen)
        return self._ask(request, urls) if urls else None

    def _chosen(self, request: HttpRequest, chosen: QuerySet[WatchedPage]) -> list[str]:
        urls = list(chosen.order_by("url").values_list("url", flat=True)[: MOST_CHOSEN + 1])
        if len(urls) > MOST_CHOSEN:
            messages.error(request, f"Nothing was done. You can choose up to {MOST_CHOSEN} at once.")
            return []
        return urls

    # --- Addresses ---

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses of the buttons."""
        wrap = self.admin_site.admin_view
        name = "rules_watchedpage"
        return [
            path("unchanged/", wrap(self.unchanged_view), name=f"{name}_unchanged"),
            path("confirm/", wrap(require_POST(self.confirm_view)), name=f"{name}_confirm"),
            path("<int:pk>/visit/", wrap(require_POST(self.visit_view)), name=f"{name}_visit"),
            path("<int:pk>/confirm/", wrap(require_POST(self.ask_view)), name=f"{name}_ask"),
            *super().get_urls(),
        ]

    # --- One page ---

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the state of a page, its last visits, what rests on it, and what it says."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        page, now = self._page(object_id), timezone.now()
        resting = resting_on(page.url)
        visits = list(page.visits.order_by("-id")[: MOST_VISITS + 1])
        context = (
            page_context(self, request, page, "Watched page")
            | {
                "page": page,
                "state": words.page_status(page),
                "color": words.PAGE_COLORS[words.page_status(page)],
                "trouble": _trouble(page),
                "visited": words.since(page.visited, now),
                "answered": words.since(page.answered, now),
                "due": _due(page),
                "resting": resting,
                "weight": weight_of(resting.dependents),
                "rules": resting.rules,
                "signals": [
                    (words.KINDS[found.kind], words.since(found.opened, now), found)  # type: ignore[index]
                    for found in page.signals.filter(outcome="").order_by("opened")
                ],
                "visits": [
                    (visit, words.VISITS[VisitOutcome(visit.outcome)], words.trouble(visit.trouble))
                    for visit in visits[:MOST_VISITS]
                ],
                "more_visits": len(visits) > MOST_VISITS,
                "most_visits": MOST_VISITS,
                "text": text_of(page.newest) if page.newest else "",
                "may_visit": self._may(request, EditorAction.RETRY),
                "may_confirm": self._may(request, EditorAction.CONFIRM),
            }
        )
        return TemplateResponse(request, "admin/rules/watch/page.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the page itself, which lists its visits."""
        return self.change_view(request, object_id)

    def visit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Visit one page soon."""
        self._require(request, EditorAction.RETRY)
        visit_again(by=acting_user(request), urls=[self._page(pk).url])
        messages.success(request, "The page is visited as soon as possible.")
        return HttpResponseRedirect(reverse("admin:rules_watchedpage_change", args=[pk]))

    def ask_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what confirming one page would do."""
        self._require(request, EditorAction.CONFIRM)
        return self._ask(request, [self._page(pk).url])

    # --- Confirming chosen pages ---

    def confirm_view(self, request: HttpRequest) -> HttpResponse:
        """Confirm chosen pages, each separately, and show the result of each."""
        self._require(request, EditorAction.CONFIRM)
        keys = [key for key in request.POST.getlist("page") if key.isdecimal()][:MOST_CHOSEN]
        pages = {page.url: page for page in WatchedPage.objects.filter(pk__in=keys).order_by("url")}
        moved: dict[str, Any] = {}

        def act(url: str) -> None:
            moved.update(confirm_unchanged(by=acting_user(request), urls=[url]))

        outcomes = [Line(pages[url], refusal) for url, refusal in try_each(pages, act)]
        context = {
            "lines": sorted(outcomes, key=lambda line: not line.refusal),
            "done": sum(not line.refusal for line in outcomes),
            "refused": sum(bool(line.refusal) for line in outcomes),
            "moved": sorted(moved.items()),
        }
        return self._answer(request, "admin/rules/watch/confirmed.html", context)

    def _ask(self, request: HttpRequest, urls: Sequence[str]) -> HttpResponse:
        """Show which pages can be confirmed: tries it and rolls it back."""
        self._require(request, EditorAction.CONFIRM)
        moved: dict[str, Any] = {}

        def act(url: str) -> None:
            moved.update(confirm_unchanged(by=acting_user(request), urls=[url]))

        pages = {page.url: page for page in WatchedPage.objects.filter(url__in=urls).order_by("url")}
        lines = [Line(pages[url], refusal) for url, refusal in try_each(pages, act, keep=False)]
        context = {
            "lines": sorted(lines, key=lambda line: not line.refusal),
            "possible": [line.page for line in lines if not line.refusal],
            "moved": sorted(moved.items()),
        }
        return self._answer(request, "admin/rules/watch/confirm.html", context)

    # --- Confirming all that have not changed ---

    def unchanged_view(self, request: HttpRequest) -> HttpResponse:
        """Show which pages are as a person read them, and confirm all that were shown."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            self._require(request, EditorAction.CONFIRM)
            return self._confirm_all(request)
        found = WatchedPage.objects.filter(confirmable())
        count = found.count()
        first = {
            page.url: page for page in found.only("url", "answered", "newest_since").order_by("pk")[:MOST]
        }
        sources = Source.objects.filter(url__in=first).exclude(basis=POINTER).order_by("pk")
        moving = [
            (source, page.newest_since, page.answered)
            for source in sources
            if source.read_on < (page := first[source.url]).answered.date()  # type: ignore[union-attr]
        ]
        context = {
            "count": count,
            "at_once": len(first),
            "shown": ",".join(str(page.pk) for page in first.values()),
            "moving": moving[:MOST_SHOWN],
            "moving_count": len(moving),
            "unread": WatchedPage.objects.filter(never_compared()).count(),
            "may_confirm": self._may(request, EditorAction.CONFIRM),
        }
        return self._answer(request, "admin/rules/watch/unchanged.html", context)

    def _confirm_all(self, request: HttpRequest) -> HttpResponse:
        """Confirm the pages that were shown, except those that have changed since."""
        keys = [key for key in request.POST.get("shown", "").split(",") if key.isdecimal()][:MOST]
        found = WatchedPage.objects.filter(confirmable(), pk__in=keys)
        urls = list(found.order_by("pk").values_list("url", flat=True))
        moved, refused = _confirm(acting_user(request), urls)
        said = words.counted(len(moved), "source has", "sources have")
        messages.success(request, f"{said} a new reading date: the day of the page's last answer.")
        for refusal in refused[:5]:
            messages.warning(request, f"Not confirmed: {refusal}.")
        return HttpResponseRedirect(request.path)

    def _answer(self, request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Confirm as unchanged",
        }
        return TemplateResponse(request, template, frame | context)

    def _page(self, key: Any) -> WatchedPage:
        rows = WatchedPage.objects.select_related("newest").defer("newest__body")
        found = rows.filter(pk=key).first() if str(key).isdecimal() else None
        if found is None:
            raise Http404
        return found

    def _may(self, request: HttpRequest, action: EditorAction) -> bool:
        return may(acting_user(request), action, WatchedPage)

    def _require(self, request: HttpRequest, action: EditorAction) -> None:
        if not self._may(request, action):
            raise PermissionDenied


def _confirm(by: Any, urls: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Confirm pages together, and leave out those that the action refuses."""
    left = list(urls)
    refused: list[str] = []
    while left:
        try:
            return confirm_unchanged(by=by, urls=left), refused
        except Refused as refusal:
            refused.append(str(refusal))
            if refusal.record_id not in left:
                break
            left.remove(refusal.record_id)
    return {}, refused


def _trouble(page: WatchedPage) -> str:
    """Return why a page did not answer, in words; empty if it did."""
    if not page.trouble or page.trouble in BY_LEAVE:
        return f"Not visited: {words.trouble(page.trouble)}." if page.trouble else ""
    days = f", on {words.counted(page.failed_days, 'day')}" if page.failed_days > 1 else ""
    return f"Did not answer{days}: {words.trouble(page.trouble)}."


def _due(page: WatchedPage) -> str:
    """Return when a page is due, or for how long it has been."""
    now = timezone.now()
    if page.due is None:
        return "never"
    return words.instant(page.due) if page.due > now else f"due for {words.span_of(now - page.due)}"
