"""The feeds: when each was read, which notices wait, and trusting an answer that looks broken."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import CharField, Count, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.decorators import action, display

from catalog.dates import moment_words
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.models import Run
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.ids import row_or_404
from catalog.screens.read_only import ReadOnlyAdmin
from recalls.feeds import actions
from recalls.feeds.admin.notices import ReasonForm
from recalls.feeds.models import LIVE, FeedNotice, FeedState
from recalls.feeds.notices import HOMES
from recalls.feeds.syncing import job_of


@admin.register(FeedState)
class FeedStateAdmin(ReadOnlyAdmin):
    """Feeds."""

    list_display = ["named", "belief", "read_last", "waiting", "suspicion"]
    list_display_links = ["named"]
    fields = readonly_fields = [
        "named",
        "belief",
        "read_last",
        "waiting",
        "suspicion",
        "suspected",
        "accepted",
        "rows",
        "stored_marks",
    ]
    actions_detail = ["accept"]

    @admin.display(description="Marks of the last answers")
    def stored_marks(self, state: FeedState) -> str:
        """Return how far the feed has been read, as the feed itself says it."""
        said = (f"{name.replace('_', ' ')}: {mark}" for name, mark in state.marks.items() if mark)
        return "\n".join(said) or "none"

    def get_queryset(self, request: HttpRequest) -> QuerySet[FeedState]:
        """Return the feeds, each with its last round and the number of waiting notices."""
        job = Concat(Value(job_of("cpsc").removesuffix("cpsc")), OuterRef("feed"), output_field=CharField())
        runs = Run.objects.filter(name=job).order_by("-pk")
        notices = FeedNotice.objects.filter(feed=OuterRef("feed"), state__in=LIVE).order_by()
        waiting = notices.values("feed").annotate(count=Count("pk")).values("count")
        return (
            super()
            .get_queryset(request)
            .select_related("accepted_by")
            .annotate(
                run_started=Subquery(runs.values("started")[:1]),
                run_outcome=Subquery(runs.values("outcome")[:1]),
                to_decide=Subquery(waiting),
            )
        )

    @admin.display(description="Feed", ordering="feed")
    def named(self, state: FeedState) -> str:
        """Return whose feed it is."""
        return str(state)

    @display(description="Trusted", label={"Yes": "success", "No": "danger", "The next answer": "warning"})
    def belief(self, state: FeedState) -> str:
        """Return whether its last answer was trusted."""
        if not state.suspicion:
            return "Yes"
        return "The next answer" if state.accepted_at else "No"

    @admin.display(description="Last run")
    def read_last(self, state: Any) -> str:
        """Return when it was last read, and how that ended."""
        if state.run_started is None:
            return "never"
        return f"{moment_words(state.run_started)}, {state.run_outcome}"

    @admin.display(description="Notices to decide about")
    def waiting(self, state: Any) -> int:
        """Return how many notices wait for an editor."""
        return state.to_decide or 0

    @admin.display(description="Accepted")
    def accepted(self, state: FeedState) -> str:
        """Return who trusted the next answer in advance, and why."""
        if state.accepted_at is None:
            return "no"
        return f"by {state.accepted_by} on {moment_words(state.accepted_at)}: {state.reason}"

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the feed: the audit log says what was done about it."""
        return self.change_view(request, object_id)

    def has_accept_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the user may trust an answer."""
        return may(acting_user(request), EditorAction.CONFIRM, FeedState)

    @action(description="Accept the next answer", url_path="accept", permissions=["accept"], icon="verified")
    def accept(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask why, then trust the next answer."""
        state = row_or_404(FeedState, object_id)
        listed = reverse("admin:recalls_feedstate_changelist")

        def act(consent: Consent) -> HttpResponse:
            actions.accept_suspicion(
                by=consent.by, feed=state.feed, reason=consent.answers["reason"], now=consent.now
            )
            messages.success(request, f"The next answer of {state} will be accepted once.")
            return HttpResponseRedirect(listed)

        step = Step(
            title=f"Accept the next answer of {state}",
            consequence=f"{state.suspicion or 'There is no doubt about this feed.'} "
            f"Look at {HOMES[state.feed]} first. "
            "Accepting it withdraws no recall: missing notices are marked, and corrections open reviews.",
            button="Accept it once",
            form_class=ReasonForm,
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=state)
