"""/guides and /guides/<slug>: what people ask, answered in prose that the engine agrees with.

A guide that states something else than the engine answers is not shown: its address says so, and is not
indexed.
"""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from aeo import editions, guides, jsonld
from aeo.articles import LANGUAGE
from aeo.guides import load_guides
from aeo.http import address, public, unless_held
from aeo.jsonld import Crumb
from aeo.structured import embedded


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """List the guides that are shown."""
    edition = editions.current(timezone.now())

    def make() -> HttpResponse:
        shown = [one for one in guides.check(edition).values() if one.holds]
        return render(
            request, "pages/guides.html", {"guides": shown, "url": address("/guides"), "indexed": True}
        )

    return unless_held(request, edition, (), make)


@public
def guide(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show one guide, or say that it is being revised."""
    known = {one.slug for one in load_guides()}
    if slug.lower() not in known:
        raise Http404
    if request.path != f"/guides/{slug.lower()}":
        return HttpResponsePermanentRedirect(f"/guides/{slug.lower()}")
    edition = editions.current(timezone.now())

    def make() -> HttpResponse:
        checked = guides.check(edition)[slug]
        url = address(checked.guide.path)
        if not checked.holds:
            context = {"title": checked.guide.prose.title, "url": url, "indexed": False}
            return render(request, "pages/guide_revised.html", context, status=HTTPStatus.OK)
        crumbs = [Crumb("Guides", address("/guides")), Crumb(checked.guide.prose.title, url)]
        answered = [(one.question, one.answer) for one in checked.guide.prose.answers]
        first = (checked.guide.prose.title, checked.short_answer)
        context = {
            "guide": checked,
            "prose": checked.guide.prose,
            "url": url,
            "crumbs": crumbs,
            "indexed": True,
            "ruleset_version": edition.release.ruleset_version,
            "structured": embedded(
                [
                    jsonld.questions(url=url, language=LANGUAGE, answered=[first, *answered]),
                    jsonld.breadcrumbs(crumbs),
                ]
            ),
        }
        return render(request, "pages/guide.html", context)

    return unless_held(request, edition, (), make)
