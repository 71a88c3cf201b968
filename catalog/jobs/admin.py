"""The runs of long jobs, read-only: the progress and the outcome of each."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from unfold.decorators import display

from catalog.dates import moment_words
from catalog.jobs.counts import in_words
from catalog.jobs.models import Run, RunOutcome
from catalog.screens.read_only import ReadOnlyAdmin

COLORS = {"Running": "info", "Done": "success", "Failed": "danger", "Interrupted": "warning"}
"""The color of each outcome's pill; the pill also names the outcome."""

SILENT_SECONDS = 300
"""A run without a sign of life for this long may have died."""


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Runs, the newest first."""

    list_display = ["name", "began", "outcome_pill", "progress", "counted", "took", "note"]
    list_display_links = ["name"]
    list_filter = ["name", "outcome"]
    list_filter_submit = False
    list_per_page = 50
    ordering = ["-pk"]
    date_hierarchy = "started"
    fields = readonly_fields = ["name", "began", "outcome_pill", "progress", "counted", "took", "note"]

    @admin.display(description="Started", ordering="started")
    def began(self, run: Run) -> str:
        """Return when it started."""
        return moment_words(run.started, seconds=True)

    @display(description="Outcome", ordering="outcome", label=COLORS)
    def outcome_pill(self, run: Run) -> str:
        """Return the outcome."""
        return RunOutcome(run.outcome).label

    @admin.display(description="Progress")
    def progress(self, run: Run) -> str:
        """Return how far a run is, or how many items it had."""
        return progress_of(run)

    @admin.display(description="What it did")
    def counted(self, run: Run) -> str:
        """Return how many items had each outcome."""
        return in_words(run.counts) or "nothing"

    @admin.display(description="Duration")
    def took(self, run: Run) -> str:
        """Return how long it ran."""
        if run.ended is None:
            silent = int((timezone.now() - run.seen).total_seconds())
            return f"last seen {silent // 60} minutes ago" if silent > SILENT_SECONDS else "still running"
        return f"{(run.ended - run.started).total_seconds():,.0f} s"

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the run: it has no other history."""
        return self.change_view(request, object_id)


def progress_of(run: Run) -> str:
    """Return how far a run is: `12 of 500`; after its end, how many items it had."""
    if run.total is None:
        return ""
    if run.outcome == RunOutcome.DONE:
        return f"{run.total:,}"
    return f"{min(_done(run), run.total):,} of {run.total:,}"


def _done(run: Run) -> int:
    """Return how many items are done. Failures are also counted by their reasons."""
    return int(sum(run.counts.values()) - run.counts.get("failed", 0))
