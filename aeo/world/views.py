"""/map and /map/<layer>: the countries by what counts on departure."""

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.world.layers import LAYERS, path_of
from aeo.world.page import world_map


@public
def show(request: HttpRequest, layer: str = LAYERS[0]) -> HttpResponseBase:
    """Show a layer. Raises `Http404` if there is none of this name."""
    if layer not in LAYERS:
        raise Http404
    if request.path_info != path_of(layer):
        return HttpResponsePermanentRedirect(localized(path_of(layer)))
    edition = editions.current(timezone.now())
    return send_page(request, edition, (), lambda: Shown(page=world_map(edition, layer), indexed=True))
