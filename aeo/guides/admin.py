"""Which guides the current release withholds, and why: a page for the editors of their prose."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from aeo import editions, guides
from aeo.guides.editing.languages import missing
from aeo.guides.editing.models import GuideText
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from rules.corpus import CorpusUnavailable

VIEW_PERMISSION = "aeo.view_curation"


def show(request: HttpRequest) -> HttpResponse:
    """Show each guide, withheld ones first."""
    if not request.user.has_perm(VIEW_PERMISSION):
        raise PermissionDenied
    checked = sorted(guides_checked(), key=lambda one: (one.holds, one.guide.slug))
    newest = dict(GuideText.objects.newest().values_list("slug", "pk"))
    context = admin.site.each_context(request) | {
        "title": "Guides",
        "guides": [(one, newest.get(one.guide.slug), missing(one.guide)) for one in checked],
        "may_write": may(request.user, EditorAction.DRAFT, GuideText),
    }
    return TemplateResponse(request, "admin/aeo/guides.html", context)


def guides_checked() -> list[guides.Checked]:
    """Return every guide, checked against the current release; empty if there is none."""
    try:
        return [*guides.check(editions.current(timezone.now())).values()]
    except CorpusUnavailable:
        return []
