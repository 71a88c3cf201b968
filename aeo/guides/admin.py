"""Which guides the current release holds back, and why: a page for whoever keeps their prose."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from aeo import editions, guides
from rules.corpus import CorpusUnavailable

LOOK = "aeo.view_curation"


def show(request: HttpRequest) -> HttpResponse:
    """Show each guide, those that are held back first."""
    if not request.user.has_perm(LOOK):
        raise PermissionDenied
    checked = sorted(guides_checked(), key=lambda one: (one.holds, one.guide.slug))
    context = admin.site.each_context(request) | {"title": "Guides", "guides": checked}
    return TemplateResponse(request, "admin/aeo/guides.html", context)


def guides_checked() -> list[guides.Checked]:
    """Return every guide against the current release; nothing where there is none."""
    try:
        return [*guides.check(editions.current(timezone.now())).values()]
    except CorpusUnavailable:
        return []
