"""/embed: how partners put the check on their pages, with the check itself in it."""

from urllib.parse import urlencode

from csp.constants import SELF
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render

from aeo.http import address, public
from aeo.languages import localized
from aeo.texts import say
from compliance.embed import themes
from compliance.embed.frames import DEMO

PATH = "/embed"

KEY = "btk_k3vq7m2a"
"""What stands in the examples in place of a public id."""

PROMISES = ("cookies", "typed", "small", "inside", "expires", "access", "height")


@public
def how(request: HttpRequest) -> HttpResponseBase:
    """Show how the check is put on a page."""
    if request.path_info != PATH:
        return HttpResponsePermanentRedirect(localized(PATH))
    look = themes.read(request.GET.dict())
    context = {
        "demo": DEMO,
        "key": KEY,
        "theme": look,
        "accent": f"#{look.accent}" if look.accent else themes.LIGHT["accent"],
        "schemes": [(one, say(f"embed.field.scheme.{one}")) for one in themes.SCHEMES],
        "most_round": themes.MOST_ROUND,
        "url": address(PATH),
        "indexed": not request.GET,
        "description": say("embed.description"),
        "look": urlencode(look.parameters),
        "codes": [code for code, _ in settings.LANGUAGES],
        "promises": [say(f"embed.promise.{name}") for name in PROMISES],
        "framed": localized(f"{PATH}/{KEY}"),
        "shown": localized(f"{PATH}/{DEMO}"),
    }
    response = render(request, "embed/how.html", context)
    response.headers["Content-Security-Policy"] = build_policy(
        config=settings.PAGES_CONTENT_SECURITY_POLICY, update={"frame-src": [SELF]}
    )
    return response
