"""The screens of the verdict log: search by id, verdicts in a traveler's words, a button to judge again."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.decorators import display
from unfold.paginator import InfinitePaginator

from catalog.screens.confirmation import page_context
from catalog.screens.filters import ConditionFilter
from catalog.screens.read_only import ReadOnlyAdmin
from compliance.partners.admin.keys import shown
from compliance.records.verdict_log.finding import is_named
from compliance.records.verdict_log.labels import described, legs_asked, model_asked, units_asked
from compliance.records.verdict_log.models import VerdictRecord
from compliance.records.verdict_log.replaying import replay

VERDICT_COLORS = {
    "allowed": "success",
    "conditional": "warning",
    "insufficient": "default",
    "banned": "danger",
}


class AskedByFilter(ConditionFilter):
    """The caller."""

    title = "caller"
    parameter_name = "by"
    conditions = {
        "partner": ("A partner", ~Q(partner="")),
        "anybody": ("A caller without a key", Q(partner="")),
    }


@admin.register(VerdictRecord)
class VerdictRecordAdmin(ReadOnlyAdmin):
    """Recorded verdicts, read-only."""

    list_display = ["verdict_id", "verdict_pill", "asked", "given_at", "by", "ruleset_version"]
    list_filter = ["verdict", "kind", "channel", "serial_given", AskedByFilter, "generated"]
    sortable_by = ["given_at"]
    search_fields = ["verdict_id"]
    search_help_text = (
        "A complete verdict id, such as vdt_…, trip_… or itn_…. The id of a flight finds its trip."
    )
    # There may be millions.
    paginator = InfinitePaginator
    show_full_result_count = False

    # --- The list ---

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[VerdictRecord], search_term: str
    ) -> tuple[QuerySet[VerdictRecord], bool]:
        """Find a complete id, and nothing by a part of one."""
        return (queryset.filter(is_named(search_term)) if search_term.strip() else queryset), False

    @display(description="Verdict", label=VERDICT_COLORS)
    def verdict_pill(self, record: VerdictRecord) -> str:
        """Return the verdict."""
        return record.verdict

    @admin.display(description="Asked")
    def asked(self, record: VerdictRecord) -> str:
        """Return the device and the route, as codes."""
        legs = legs_asked(record)
        stops = " → ".join([legs[0]["origin"], *(leg["destination"] for leg in legs)])
        return f"{', '.join(map(model_asked, units_asked(record)))}, {stops}"

    @admin.display(description="Given", ordering="generated")
    def given_at(self, record: VerdictRecord) -> str:
        """Return when the answer was given."""
        return shown(record.generated)

    @admin.display(description="By")
    def by(self, record: VerdictRecord) -> str:
        """Return the channel, and whose key was sent."""
        return " ".join(filter(None, [record.channel, record.partner]))

    # --- The page of a record ---

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the button."""
        view = require_POST(self.admin_site.admin_view(self.replay_view))
        return [
            path("<uuid:pk>/replay/", view, name="compliance_verdictrecord_replay"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *other: Any, **more: Any) -> HttpResponse:
        """Show a record."""
        return self._page(request, object_id)

    def replay_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Show a record with the result of judging its question again. It writes nothing."""
        return self._page(request, pk, again=True)

    def _page(self, request: HttpRequest, pk: Any, *, again: bool = False) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            record = get_object_or_404(VerdictRecord, pk=pk)
        except ValidationError:
            raise Http404 from None
        context = page_context(self, request, record, str(record)) | {
            "described": described(record),
            "color": VERDICT_COLORS[record.verdict],
        }
        if again:
            replayed = replay(record, now=timezone.now())
            sides = zip(
                ("With its own release", "With today's release"), (replayed.own, replayed.today), strict=True
            )
            context |= {"replay": replayed, "sides": list(sides)}
        return TemplateResponse(request, "admin/compliance/verdict_record.html", context)
