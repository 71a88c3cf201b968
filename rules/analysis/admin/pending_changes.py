"""What a release published now would change in the current one, record by record and field by field."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from catalog.screens.history import in_lines
from rules.analysis.report import DraftReport
from rules.analysis.selectors import seen
from rules.engine.document import ID_FIELD

WORDS = {"added": "Added", "changed": "Changed", "removed": "Withdrawn"}

MOST_SHOWN = 100


def show(request: HttpRequest) -> HttpResponse:
    """Show what would change, all of it or one kind."""
    if not request.user.has_perm("rules.view_release"):
        raise PermissionDenied
    now = timezone.now()
    present = seen(now)
    kind, change = request.GET.get("kind"), request.GET.get("change")
    context = {
        **admin.site.each_context(request),
        "title": "Pending changes",
        "as_of": present.as_sentence(now),
        "release": present.report and present.report.release,
        "problems": present.report.problems if present.report else (),
        "groups": list(_groups(present.report, kind, change)) if present.report else [],
        "narrowed": bool(kind or change),
    }
    return TemplateResponse(request, "admin/rules/changes.html", context)


def _groups(report: DraftReport, kind: str | None, change: str | None) -> Any:
    """Return the changes by kind of record and of change, with a count of those that are not shown."""
    for of_kind in ID_FIELD:
        counts = report.counts.get(of_kind, {})
        for of_change, word in WORDS.items():
            count = counts.get(of_change, 0)
            if count and kind in (None, of_kind) and change in (None, of_change):
                records = [
                    one._replace(fields=tuple(map(in_lines, one.fields)))
                    for one in report.changes
                    if (one.kind, one.change) == (of_kind, of_change)
                ][:MOST_SHOWN]
                yield {
                    "title": f"{word}: {of_kind}",
                    "count": count,
                    "records": records,
                    "more": count - len(records),
                }
