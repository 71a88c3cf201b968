"""The public pages, one or more of each kind, by their address in English.

`test_every_page` runs all its checks on each of them, in every language where that differs, and takes
pictures. `make lighthouse` measures some of them.
"""

from typing import NamedTuple


class PublicPage(NamedTuple):
    """A page: its kind, which is also the name of its pictures, and its address.

    `shows` is the selector of the element that identifies its kind. `listed` says whether search engines may
    list it. `status` is the status of its answer.
    """

    kind: str
    path: str
    shows: str = "h1"
    listed: bool = True
    status: int = 200


_ANKER_737 = "/check?model=anker-a1289"
_TWO_MODELS = "model=anker-a1289&model_2=anker-a1263&mah_3=20000&v_3=none&airline=EK&from=AE&to=GB"
_TO_NEW_YORK = "model=anker-a1289&airline=EK&from=AE&via=GB&to=US"

PAGES = (
    PublicPage("home", "/", "form"),
    PublicPage("answer-allowed", f"{_ANKER_737}&airline=EK&from=AE&to=GB", ".banner.allowed", listed=False),
    PublicPage(
        "answer-conditional",
        "/check?model=anker-a1263&airline=QR&from=QA&to=GB",
        ".banner.conditional",
        listed=False,
    ),
    PublicPage(
        "answer-insufficient", f"{_ANKER_737}&airline=QR&from=QA&to=QA", ".banner.insufficient", listed=False
    ),
    PublicPage(
        "answer-banned", f"{_ANKER_737}&airline=EK&from=AE&to=GB&count=2", ".banner.banned", listed=False
    ),
    PublicPage("answer-incomplete", "/check?q=anker", "form", listed=False),
    PublicPage("itinerary-answer", f"/itinerary?people=2&{_TWO_MODELS}", ".banner", listed=False),
    PublicPage("itinerary-incomplete", f"/itinerary?people=2&{_TWO_MODELS}&model_4=", "form", listed=False),
    PublicPage("itinerary-card", f"/itinerary/card?people=2&{_TWO_MODELS}", ".counter-card", listed=False),
    PublicPage("trip", "/trip", "form"),
    PublicPage("trip-answer", f"/trip?{_TO_NEW_YORK}", ".banner", listed=False),
    PublicPage("card", f"/card?{_TO_NEW_YORK}", ".counter-card", listed=False),
    PublicPage("verdict-allowed", "/p/anker-a1289/ek/ae", "p.verdict.allowed", listed=False),
    PublicPage("verdict-conditional", "/p/anker-a1277/mu/cn", "p.verdict.conditional"),
    PublicPage("verdict-insufficient", "/p/anker-a1289/qr/qa", "p.verdict.insufficient", listed=False),
    PublicPage("verdict-banned", "/p/anker-a1263/ca/cn", "p.verdict.banned", listed=False),
    PublicPage("model", "/models/anker-a1289"),
    PublicPage("model-recalled", "/models/anker-a1263"),
    PublicPage("models", "/models"),
    PublicPage("brand", "/brands/anker"),
    PublicPage("brands", "/brands"),
    PublicPage("airline", "/airlines/ek"),
    PublicPage("airlines", "/airlines", "table.wide"),
    PublicPage("airlines-chosen", "/airlines?units=1&use=no&sort=since", "table.wide", listed=False),
    PublicPage("comparison", "/compare/ek-qr-sq?model=anker-a1289", "table.wide", listed=False),
    PublicPage("country", "/countries/jp"),
    PublicPage("countries", "/countries"),
    PublicPage("recall", "/recalls/us-cpsc-26-792-newdery-zhx-pb22"),
    PublicPage("recalls", "/recalls"),
    PublicPage("guide", "/guides/power-banks-on-emirates"),
    PublicPage("guides", "/guides"),
    PublicPage("datasets", "/datasets"),
    PublicPage("policy-changes", "/policy-changes"),
    PublicPage("map", "/map", "svg.map"),
    PublicPage("map-mark", "/map/mark", "svg.map"),
    PublicPage("timeline", "/timeline", "svg.grid"),
    PublicPage("methodology", "/methodology"),
    PublicPage("scorecard", "/scorecard"),
    PublicPage("coverage", "/coverage"),
    PublicPage("disagreements", "/disagreements"),
    PublicPage("rulesets", "/rulesets"),
    PublicPage("status", "/status", listed=False),
    PublicPage("about", "/about"),
    PublicPage("data-boundary", "/data-boundary"),
    PublicPage("limits-of-this-check", "/limits-of-this-check"),
    PublicPage("documentation", "/developers", "form[role=search]"),
    PublicPage("documentation-page", "/developers/limits", "article table"),
    PublicPage("documentation-table", "/developers/integrations", "table.many"),
    PublicPage("documentation-code", "/developers/quick-start", "article pre"),
    PublicPage("documentation-search", "/developers/search?q=retry-after", "mark", listed=False),
    PublicPage("client-packages", "/developers/clients", "main pre"),
    PublicPage("embed", "/embed", "iframe"),
    PublicPage("watch-ended", "/watch/ended", listed=False),
    PublicPage("error-offline", "/card/offline", listed=False),
    PublicPage("error-404", "/nothing-here", listed=False, status=404),
)


def named(kind: str) -> PublicPage:
    """Return the page of a kind."""
    return next(page for page in PAGES if page.kind == kind)
