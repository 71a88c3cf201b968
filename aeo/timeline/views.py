"""/timeline: the days on which rules start and end. Its parameters choose some of them."""

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.timeline.dates import EVERYTHING, Wanted, is_known
from aeo.timeline.page import timeline as timeline_page
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.web.parameters import takes


@public
@takes("who", "year", "coming")
def timeline(request: HttpRequest) -> HttpResponseBase:
    """Show the days on which rules start and end. Raises `Http404` for an issuer or a year without any."""
    edition = editions.current(timezone.now())
    wanted = Wanted(**{name: request.GET.get(name, "").lower() for name in Wanted._fields})
    if not is_known(edition, wanted):
        raise Http404
    if request.get_full_path_info() != wanted.path:
        # A form sends the fields that nothing is chosen in as well.
        return HttpResponsePermanentRedirect(localized(wanted.path))

    def make() -> Shown:
        return Shown(page=timeline_page(edition, wanted), indexed=wanted == EVERYTHING)

    return send_page(request, edition, wanted, make)
