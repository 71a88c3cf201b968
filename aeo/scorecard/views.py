"""/scorecard: the stored figures of the current release. Nothing is counted here."""

import msgspec
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.coverage import asked
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.scorecard.figures import Figures
from aeo.scorecard.models import ScorecardRecord
from aeo.scorecard.page import Counted
from aeo.scorecard.page import scorecard as scorecard_page
from aeo.scorecard.selectors import history, scorecard_of
from aeo.web.caching import public
from aeo.web.languages import localized
from rules.proof.selectors import finished


@public
def scorecard(request: HttpRequest) -> HttpResponseBase:
    """Show the newest figures of the current release."""
    if request.path_info != "/scorecard":
        return HttpResponsePermanentRedirect(localized("/scorecard"))
    edition = editions.current(timezone.now())
    found, flights, past = scorecard_of(edition), asked.newest(), history()
    proofs = {proof.release: proof for proof in finished()}

    def make() -> Shown:
        counted = None if found is None else _counted(found)
        return Shown(page=scorecard_page(edition, counted, flights, past, proofs), indexed=True)

    proved = [(proof.release, proof.finished, proof.findings) for proof in proofs.values()]
    return send_page(request, edition, (found and found.pk, flights and flights.day, past, proved), make)


def _counted(found: ScorecardRecord) -> Counted:
    return Counted(msgspec.convert(found.figures, Figures), found.day, found.finished)
