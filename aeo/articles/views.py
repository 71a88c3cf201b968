"""/p/<model>/<airline>/<country>: may this model travel on this airline's flights that touch this country?

The page is for people, crawlers and agents. The same answers exist as JSON (`.json`), and `.png` is the
picture for sharing. Codes in addresses are lower case. Other spellings are redirected; anything the release
does not contain is not found.
"""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.articles.article import Article, article, path
from aeo.articles.documents import document
from aeo.articles.page import verdict_page
from aeo.editions import Edition
from aeo.page_records import register
from aeo.page_records.register import Combination
from aeo.pages import energy, pictures
from aeo.pages.answers import send_page
from aeo.pages.parts import figure
from aeo.pages.pictures import Energy, Name, Picture
from aeo.pages.record import Shown
from aeo.texts import speaking
from aeo.web.caching import conditional, of_edition, public
from aeo.web.documents import encode
from aeo.web.formatting import verdict_word
from aeo.web.languages import localized
from rules.corpus import Published
from rules.engine.errors import Unanswerable
from rules.wording.translating import SOURCE_LANGUAGE


@public
def page(request: HttpRequest, model: str, airline: str, country: str) -> HttpResponseBase:
    """Show the article as a page."""
    edition = editions.current(timezone.now())
    combination = _resolved(edition.release, model, airline, country)
    canonical = path(*combination)
    if request.path_info != canonical:
        return HttpResponsePermanentRedirect(localized(canonical))
    record = register.current().pages.get(canonical)
    published, changed = (None, None) if record is None else (record.first_published, record.last_changed)

    def make() -> Shown:
        shown = verdict_page(_article(edition, combination))
        return Shown(page=shown, indexed=record is not None, published=published, changed=changed)

    return send_page(request, edition, (published, changed), make, _keys(combination))


@public
def as_json(request: HttpRequest, model: str, airline: str, country: str) -> HttpResponseBase:
    """Give the answers of the page as JSON."""
    edition = editions.current(timezone.now())
    combination = _resolved(edition.release, model, airline, country)
    canonical = f"{path(*combination)}.json"
    if request.path_info != canonical:
        return HttpResponsePermanentRedirect(localized(canonical))

    def make() -> HttpResponse:
        body = encode(document(_article(edition, combination)))
        return HttpResponse(body, content_type="application/json", headers={"X-Robots-Tag": "noindex"})

    return conditional(request, of_edition(request, edition, about=_keys(combination)), make)


@public
def picture(request: HttpRequest, model: str, airline: str, country: str) -> HttpResponseBase:
    """Give the picture for sharing the page."""
    edition = editions.current(timezone.now())
    combination = _resolved(edition.release, model, airline, country)
    canonical = f"{path(*combination)}.png"
    if request.path_info != canonical:
        return HttpResponsePermanentRedirect(localized(canonical))
    return conditional(
        request,
        of_edition(request, edition, about=_keys(combination)),
        lambda: HttpResponse(
            pictures.draw(_picture(_article(edition, combination))), content_type="image/png"
        ),
    )


def _keys(combination: Combination) -> tuple[str, ...]:
    names = (name.lower() for name in combination)
    return tuple(f"{kind}-{name}" for kind, name in zip(("model", "airline", "country"), names, strict=True))


def _resolved(release: Published, model: str, airline: str, country: str) -> Combination:
    """Return the ids and codes of an address, in any letter case. Raises `Http404`."""
    found = Combination(model.lower(), airline.upper(), country.upper())
    known = (
        found.model_id in release.shelf.devices
        and found.airline in release.shelf.airlines
        and found.country in release.corpus.countries
    )
    if not known:
        raise Http404
    return found


def _article(edition: Edition, combination: Combination) -> Article:
    try:
        return article(edition, *combination)
    except Unanswerable as error:
        # An airline without a rule in force.
        raise Http404 from error


def _energy(shown: Article) -> Energy:
    """Return the unit and the strictest limits of the flights that the page is about."""
    asked = [flight.answer.question for flight in shown.flights]
    limits = energy.strictest(shown.release, [(one.leg, one.travel_date) for one in asked])
    with speaking(SOURCE_LANGUAGE):
        words = figure(shown.device)
    return Energy(words, *energy.span(shown.device), tuple(map(energy.stretch, limits)))


def _picture(shown: Article) -> Picture:
    return Picture(
        verdict=shown.verdict,
        word=verdict_word(shown.verdict),
        recalled=bool(shown.recalls),
        model=Name(shown.model, shown.device.model_id),
        airline=Name(shown.airline.name, shown.airline.airline),
        country=Name(shown.country.name, shown.country.code),
        energy=_energy(shown),
        ruleset_version=shown.release.ruleset_version,
    )
