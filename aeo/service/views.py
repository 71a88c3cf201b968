"""The pages about the service itself: how it decides, its releases, its status.

The changes on /rulesets are read from the stored datasets; nothing is counted there.
"""

import datetime
import re
from collections.abc import Callable

from django.db import Error as DatabaseFailure
from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from aeo import editions
from aeo.datasets import cache
from aeo.editions import Edition
from aeo.page_records.selectors import pages_followed
from aeo.pages.answers import page_as_preferred, send_page
from aeo.pages.record import Page, Shown
from aeo.reference import policy_news
from aeo.scorecard.selectors import scorecard_followed
from aeo.service import prose
from aeo.service import rulesets as ruleset_pages
from aeo.service.disagreements import disagreements
from aeo.service.methodology import methodology
from aeo.service.policy_changes import changes_of_policies
from aeo.service.status import State
from aeo.service.status import status as status_page
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.web.parameters import takes
from rules.corpus import CorpusUnavailable
from rules.policy_history import selectors as policy_history
from rules.releases import selectors as releases

POLICY_CHANGES = "policy-changes"

PLAIN: dict[str, Callable[[Edition], Page]] = {
    "methodology": methodology,
    "disagreements": disagreements,
    POLICY_CHANGES: changes_of_policies,
    "about": prose.about,
    "data-boundary": prose.data_boundary,
    "limits-of-this-check": prose.limits_of_this_check,
}
"""The pages that depend only on the edition, by their addresses."""

VERSION = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[0-9]{1,9})?")
"""The format of release versions."""


@public
def plain(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a page that depends only on the edition."""
    if request.path_info != f"/{name}":
        return HttpResponsePermanentRedirect(localized(f"/{name}"))
    edition = editions.current(timezone.now())
    # The newest changes are computed some time after a release.
    more_state = (
        (policy_news.state(policy_history.newest(edition.release)),) if name == POLICY_CHANGES else ()
    )
    return send_page(request, edition, more_state, lambda: Shown(page=PLAIN[name](edition), indexed=True))


@public
@takes("page")
def rulesets(request: HttpRequest) -> HttpResponseBase:
    """Show one page of the list of releases. Raises `Http404` if the list has no such page."""
    asked = request.GET.get("page", "1")
    if re.fullmatch(r"[1-9][0-9]{0,5}", asked) is None:
        raise Http404
    number = int(asked)
    if request.path_info != "/rulesets" or (number == 1 and "page" in request.GET):
        return HttpResponsePermanentRedirect(localized(ruleset_pages.rulesets_path(number)))
    edition, total = editions.current(timezone.now()), releases.count()
    if number > ruleset_pages.pages_of(total):
        raise Http404
    shown = releases.newest(ruleset_pages.ON_PAGE, skip=(number - 1) * ruleset_pages.ON_PAGE)
    changed = cache.counts(one.ruleset_version for one in shown)

    def make() -> Shown:
        page = ruleset_pages.rulesets(edition, shown, number, total, changed)
        return Shown(page=page, indexed=number == 1)

    return send_page(request, edition, (asked, total, len(changed)), make)


@public
def ruleset(request: HttpRequest, version: str) -> HttpResponseBase:
    """Show a release. Raises `Http404` if the ledger does not contain it."""
    one = releases.of_version(version) if VERSION.fullmatch(version) else None
    if one is None:
        raise Http404
    path = ruleset_pages.ruleset_path(version)
    if request.path_info != path:
        return HttpResponsePermanentRedirect(localized(path))
    edition, counts = editions.current(timezone.now()), cache.counts([version]).get(version)

    def make() -> Shown:
        changes = {
            name: cache.changes_of(version, name, ruleset_pages.MOST_RECORDS) for name in ("rules", "recalls")
        }
        files = {file.name for file in cache.files_of(version)}
        page = ruleset_pages.ruleset(edition, one, counts, changes, files)
        return Shown(page=page, indexed=True)

    return send_page(request, edition, (counts is None,), make)


@require_safe
def status(request: HttpRequest) -> HttpResponseBase:
    """Show the status of the service from what is known now, even if other parts are unavailable."""
    if request.path_info != "/status":
        return HttpResponsePermanentRedirect(localized("/status"))
    page = status_page(_state(timezone.now()))
    response = page_as_preferred(request, Shown(page=page, indexed=False))
    response["Cache-Control"] = "no-store"
    return response


def _state(now: datetime.datetime) -> State:
    try:
        edition = editions.current(now)
    except (CorpusUnavailable, DatabaseFailure):
        edition = None
    try:
        return State(
            now,
            edition,
            pages_followed(edition),
            cache.datasets_followed(edition),
            scorecard_followed(edition),
        )
    except DatabaseFailure:
        return State(now, edition, None, None, None)
