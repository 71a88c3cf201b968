"""Measured changes: the pages on which editors see which answers flip before anything is published.

They cover everything approved, chosen revisions, or one draft. Anyone who may view rules may view them. A
page shows the progress of a measurement, and then its result. Without a queue, each request of the page
measures a few parts.
"""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from unfold.admin import ModelAdmin
from unfold.decorators import display

from catalog.dates import day_words
from catalog.editorial.pending.models import ChangeSet
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import as_key, row_or_404
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact import measurements
from rules.impact.actions import measuring as impact
from rules.impact.actions.workers import work
from rules.impact.admin import result_page
from rules.impact.models import ImpactMeasurement, MeasurementState
from rules.impact.second_approvals import missing_second_approvals

SECONDS_OF_A_REQUEST = 2.0
"""How long a request measures if no worker does."""

MOST_CHOSEN = 500

COLORS = {
    MeasurementState.QUEUED.label: "default",
    MeasurementState.RUNNING.label: "info",
    MeasurementState.DONE.label: "success",
    MeasurementState.FAILED.label: "danger",
    MeasurementState.OUTDATED.label: "default",
}
"""The color of each state's pill, which contains its word."""


@admin.register(ImpactMeasurement)
class ImpactMeasurementAdmin(ModelAdmin):
    """The recent measurements, and the page of each."""

    actions = None
    list_display = ["what", "state_pill", "asked_at", "asked_by", "compared"]
    list_display_links = ["what"]
    list_filter = ["state"]
    list_select_related = ["base", "asked_by"]
    show_full_result_count = False
    list_before_template = "admin/rules/impact_tools.html"

    # --- Permissions ---

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the user sees that there are measurements."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may view measurements, and start them: anyone who may view rules."""
        return acting_user(request).has_perm("rules.view_rule")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: measurements are started from the drafts."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: old ones are deleted automatically."""
        return False

    # --- The list ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImpactMeasurement]:
        """Return measurements without their large fields."""
        rows = super().get_queryset(request).defer("document", "result", "base__document")
        return rows.annotate(changed=KeyTextTransform("changed_total", "result"))

    @admin.display(description="Change", ordering="asked_at")
    def what(self, row: ImpactMeasurement) -> str:
        """Return how many records differ, after which release and on which day."""
        number = row.changed  # type: ignore[attr-defined]
        changed = "1 record" if number == "1" else f"{number} records" if number else "Changes"
        return f"{changed} after release {row.base.ruleset_version}, on {day_words(row.day)}"

    @display(description="State", ordering="state", label=COLORS)
    def state_pill(self, row: ImpactMeasurement) -> str:
        """Return its state."""
        return MeasurementState(row.state).label

    @admin.display(description="Compared", ordering="size")
    def compared(self, row: ImpactMeasurement) -> str:
        """Return how many classes of models and flights it compares."""
        return f"{row.size:,}"

    # --- The pages ---

    def get_urls(self) -> list[URLPattern]:
        """Add the pages; that of a measurement replaces Django's form."""
        wrap = self.admin_site.admin_view
        return [
            path("publishing/", wrap(self.publishing_view), name="rules_impact_publishing"),
            path("drafts/", wrap(self.drafts_view), name="rules_impact_drafts"),
            path("<int:measurement_id>/", wrap(self.measurement_view), name="rules_impact"),
            path("<int:measurement_id>/go-on/", wrap(self.go_on_view), name="rules_impact_go_on"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *other: Any, **more: Any) -> HttpResponse:
        """Redirect to the page of a measurement."""
        return HttpResponseRedirect(_address(row_or_404(ImpactMeasurement, object_id)))

    def publishing_view(self, request: HttpRequest) -> HttpResponse:
        """Show what would change if everything approved were published now, or offer to measure it."""
        self._refuse_others(request)
        if request.method == "POST":
            self._measure(request, impact.measure_publishing)
            return HttpResponseRedirect(request.path)
        proposal = measurements.would_publish()
        found = proposal and measurements.stored(proposal, day=timezone.now().date())
        context: dict[str, Any] = {"publishing": True, "measurement": found, "proposal": proposal}
        if proposal and found and found.state == MeasurementState.DONE:
            result = measurements.measured(found)
            missing = missing_second_approvals(result, proposal, publisher=acting_user(request))
            context |= result_page.shown(found, result, request.GET) | {"missing": missing}
        return self._page(request, "Measured changes if published now", context)

    def drafts_view(self, request: HttpRequest) -> HttpResponse:
        """Measure what chosen revisions or a change set would change, and redirect to the measurement."""
        self._refuse_others(request)
        if request.method != "POST":
            return HttpResponseRedirect(reverse("admin:rules_impactmeasurement_changelist"))
        if (change_set := as_key(ChangeSet, request.POST.get("changeset", ""))) is not None:
            waiting = row_or_404(ChangeSet, str(change_set))
            found = self._measure(request, impact.measure_change_set, change_set=waiting)
            return HttpResponseRedirect(_back(request) if found is None else _address(found))
        revisions = [*_chosen(Rule, request), *_chosen(Recall, request)]
        if not revisions or len(revisions) > MOST_CHOSEN:
            messages.error(request, f"Choose between 1 and {MOST_CHOSEN} revisions.")
            return HttpResponseRedirect(_back(request))
        found = self._measure(request, impact.measure_revisions, revisions=revisions)
        return HttpResponseRedirect(_back(request) if found is None else _address(found))

    def measurement_view(self, request: HttpRequest, measurement_id: int) -> HttpResponse:
        """Show the progress of a measurement, or its result."""
        found = self._found(request, measurement_id)
        context: dict[str, Any] = {"measurement": found}
        if found.state == MeasurementState.DONE and found.is_readable:
            context |= result_page.shown(found, measurements.measured(found), request.GET)
        return self._page(request, "Measured changes", context)

    def go_on_view(self, request: HttpRequest, measurement_id: int) -> HttpResponse:
        """Continue a measurement, and return its progress: as JSON for the script, else as the page."""
        found = self._found(request, measurement_id)
        if request.method != "POST":
            return HttpResponseRedirect(_address(found))
        if settings.CELERY_TASK_ALWAYS_EAGER:
            work(found.pk, seconds=SECONDS_OF_A_REQUEST)
        else:
            impact.keep_going(found, now=timezone.now())
        found = self._found(request, measurement_id)
        if "application/json" in request.headers.get("Accept", ""):
            return JsonResponse(
                {"finished": found.is_finished, "done": found.parts_done, "parts": found.parts}
            )
        return HttpResponseRedirect(_back(request))

    def _refuse_others(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _found(self, request: HttpRequest, measurement_id: int) -> ImpactMeasurement:
        self._refuse_others(request)
        rows = ImpactMeasurement.objects.select_related("base", "asked_by")
        found = rows.defer("document", "base__document").filter(pk=measurement_id).first()
        if found is None:
            raise Http404
        return found

    def _measure(self, request: HttpRequest, action: Any, **what: Any) -> ImpactMeasurement | None:
        """Measure something. If it cannot be measured, the next page says why."""
        try:
            return action(by=acting_user(request), now=timezone.now(), **what)
        except impact.NotMeasurable as error:
            messages.error(request, str(error))
            return None

    def _page(self, request: HttpRequest, title: str, context: dict[str, Any]) -> HttpResponse:
        around = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return TemplateResponse(request, "admin/rules/impact.html", around | context)


def _chosen(model: Any, request: HttpRequest) -> list[Any]:
    """Return the revisions of a kind that a request names, as `rule=7&rule=9`."""
    name = model._meta.model_name
    named = request.POST.getlist(name) + request.GET.getlist(name)
    keys = [as_key(model, text) for text in named[: MOST_CHOSEN + 1]]
    return list(model._default_manager.filter(pk__in=[key for key in keys if key is not None]))


def _address(measurement: ImpactMeasurement) -> str:
    return reverse("admin:rules_impact", args=[measurement.pk])


def _back(request: HttpRequest) -> str:
    """Return the page in the admin that the user came from; the first page for any other address."""
    index, address = reverse("admin:index"), request.headers.get("Referer", "")
    # It refuses what cannot be read as an address, too.
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}):
        return index
    came_from = urlsplit(address)._replace(scheme="", netloc="")
    return came_from.geturl() if came_from.path.startswith(index) else index
