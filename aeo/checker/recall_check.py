"""What an open recall asks of a traveler: where to look the unit up, and what the list answered.

In words, in the active language. Called by the pages of answers, of trips
and of itineraries.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from aeo.pages.parts import search_site
from aeo.pages.paths import model_path
from aeo.pages.serial_check import has_check
from aeo.texts import active, say
from aeo.web.languages import localized
from rules import wording
from rules.answers.alternatives import LIST_RESULTS, RecallCheck
from rules.corpus import Published
from rules.engine.vocabulary import ListAnswer


class Way(msgspec.Struct, frozen=True):
    """A link and its label. `host` is set for a page elsewhere."""

    label: str
    path: str
    host: str = ""


class RecallCheckShown(msgspec.Struct, frozen=True):
    """An open recall as it is shown.

    `places` are the maker's lists, or else the notices. `outcomes` is the same question with each of the
    lists' answers. `serial_check` leads to the check in the browser, if the page of the model has one.
    """

    advice: str
    places: tuple[Way, ...]
    outcomes: tuple[Way, ...]
    serial_check: str


def recall_check_shown(
    check: RecallCheck | None, release: Published, model_id: str, path: Callable[[ListAnswer], str]
) -> RecallCheckShown | None:
    """Return what an open recall asks; None if none is open. `path` leads to the question with a result."""
    if check is None:
        return None
    kind = "list" if check.lookup_urls else "notice"
    urls = check.lookup_urls or check.notice_urls
    return RecallCheckShown(
        advice=wording.recall_check_words(check, active()),
        places=tuple(Way(say(f"answer.recall.{_at(kind, url)}"), url, _host(url)) for url in urls),
        outcomes=tuple(Way(say(f"answer.recall.{kind}.{one}"), path(one)) for one in LIST_RESULTS),
        serial_check=localized(model_path(model_id)) if has_check(release.shelf.recalls_of(model_id)) else "",
    )


def _at(kind: str, url: str) -> str:
    return "notice.search" if kind == "notice" and search_site(url) else kind


def _host(url: str) -> str:
    return (urlsplit(url).hostname or url).removeprefix("www.")
