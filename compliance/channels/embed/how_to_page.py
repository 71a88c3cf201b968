"""/embed: how partners put the check on their pages, with the check itself as an example."""

from urllib.parse import urlencode

from csp.constants import SELF
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render

from aeo.pages.answers import in_form
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.caching import CacheLife, Version, code_digest, conditional, public, tag
from aeo.web.languages import localized
from aeo.web.negotiation import preferred
from aeo.web.parameters import takes_any
from compliance.channels.embed import themes
from compliance.channels.embed.frames import DEMO, KEPT_BY_CACHES
from compliance.channels.embed.how_to_record import how_to_record
from compliance.channels.embed.themes import Theme

PATH = "/embed"

KEY = "btk_k3vq7m2a"
"""The example text in place of a public id."""

PROMISES = ("cookies", "typed", "small", "inside", "expires", "access", "height")


@public
@takes_any
def how(request: HttpRequest) -> HttpResponseBase:
    """Show how to put the check on a page."""
    if request.path_info != PATH:
        return HttpResponsePermanentRedirect(localized(PATH))
    chosen_theme = themes.read(request.GET.dict())
    form = preferred(request)
    etag = tag(code_digest(), settings.SITE_URL, request.path, chosen_theme, bool(request.GET), form)
    response = conditional(
        request,
        Version(etag, CacheLife(ends_at=None), (KEPT_BY_CACHES,), ("Accept",)),
        lambda: in_form(
            request,
            lambda: _page(request, chosen_theme),
            lambda: how_to_record(PATH, KEY, _promises()),
            indexed=not request.GET,
        ),
    )
    response.headers["Content-Security-Policy"] = build_policy(
        config=settings.PAGES_CONTENT_SECURITY_POLICY, update={"frame-src": [SELF]}
    )
    return response


def _page(request: HttpRequest, chosen_theme: Theme) -> HttpResponse:
    context = {
        "demo": DEMO,
        "key": KEY,
        "theme": chosen_theme,
        "theme_query": urlencode(chosen_theme.parameters),
        "accent": f"#{chosen_theme.accent}" if chosen_theme.accent else themes.LIGHT["accent"],
        "schemes": [(one, say(f"embed.field.scheme.{one}")) for one in themes.SCHEMES],
        "most_round": themes.MOST_ROUND,
        "codes": [code for code, _ in settings.LANGUAGES],
        "promises": _promises(),
        "url": address(PATH),
        "indexed": not request.GET,
        "description": say("embed.description"),
        "framed": localized(f"{PATH}/{KEY}"),
        "shown": localized(f"{PATH}/{DEMO}"),
    }
    return render(request, "embed/how.html", context)


def _promises() -> list[str]:
    return [say(f"embed.promise.{name}") for name in PROMISES]
