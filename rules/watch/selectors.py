"""The state of the source watch, as answers show it: each watched page, and the signals that are open.

It changes with every visit, without a release, so it is read from the tables of the watch. Each process reads
it at most every `PATIENCE_SECONDS`, with three queries for any number of callers and pages. While the
database is away there is no state: an old one would be mistaken for the present one. Called by the views of
the API. Verdicts never read it.
"""

import datetime
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, cast, get_args

import msgspec
from django.db import Error as DatabaseFailure
from django.db.models import Max

from catalog.database import availability
from catalog.database.cached_values import CachedValue
from rules.corpus import Published
from rules.engine.facts import Source
from rules.selectors.sources import uses
from rules.watch import BROKEN
from rules.watch.models import WatchedPage, WatchSignal
from rules.watch.text.unreadable import UnreadableReason

PATIENCE_SECONDS = 10

MOST_PAGES = 50_000
"""The largest number of pages that are read."""

PageState = Literal["watched", "waiting", "unreadable", "forbidden_by_robots", "unreachable", "not_watched"]

WatchSignalKind = Literal["quote_gone", "text_changed", "dead_link"]

OURS = "busy"
"""The trouble of a visit that never took place, because others took all the time of its host."""

UNREADABLE = frozenset({*get_args(UnreadableReason), BROKEN})
"""The troubles of a page that answered."""


class WatchedPageState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a watched page.

    - `state`: `watched`: it answered the last visit; `waiting`: it waits for the first visit; `unreadable`:
      it answered, but its text could not be read; `forbidden_by_robots`: the site does not want programs to
      read it; `unreachable`: it did not answer; `not_watched`: nothing is known about it.
    - `follows_text` is false if only the link is checked.
    - `last_visited` and `last_answered` are times (UTC). `trouble` is one word that says why the last visit
      failed.
    - `page_fingerprint` is the SHA-256, in hex, of the text at the last visit, without its layout.
      `page_unchanged_since` is the time at which this text was first seen.
    """

    state: PageState
    follows_text: bool = False
    last_visited: datetime.datetime | None = None
    last_answered: datetime.datetime | None = None
    trouble: str | None = None
    page_fingerprint: str | None = None
    page_unchanged_since: datetime.datetime | None = None


NOT_WATCHED = WatchedPageState(state="not_watched")


class OpenSignal(NamedTuple):
    """Something that a page did and that no editor has acted on yet."""

    id: int
    url: str
    kind: WatchSignalKind
    opened: datetime.datetime


class SignalWithDependents(msgspec.Struct, frozen=True, kw_only=True):
    """An open signal with what rests on its page, by ids: sources of the release, rules and airlines."""

    kind: WatchSignalKind
    url: str
    opened_at: datetime.datetime
    source_ids: list[str]
    rule_ids: list[str]
    airlines: list[str]


@dataclass(frozen=True)
class WatchState:
    """Every watched page by its address, the open signals with the gravest first, and the last change."""

    pages: Mapping[str, WatchedPageState]
    signals: tuple[OpenSignal, ...]
    moved_at: datetime.datetime | None

    @cached_property
    def digest(self) -> str:
        """A value that differs between two states."""
        return _digest((self.pages, self.signals))

    @cached_property
    def figures_digest(self) -> str:
        """A value that differs between two states with different figures, which most visits do not change."""
        return _digest(({url: page.state for url, page in self.pages.items()}, self.signals))

    @property
    def open_signals(self) -> str:
        """A value that differs between two sets of open signals."""
        return ",".join(str(one.id) for one in self.signals)

    def of(self, url: str) -> WatchedPageState:
        """Return what is known of the page at an address."""
        return self.pages.get(url, NOT_WATCHED)


def pages_of_policies(published: Published, watched: Iterable[Source], airline: str | None) -> set[str]:
    """Return the addresses to watch for policies: of some sources, and the official pages of airlines."""
    airlines = published.shelf.airlines
    records = airlines.values() if airline is None else [airlines[airline]]
    return {*(source.url for source in watched), *(record.policy_url for record in records)}


def counted(found: WatchState, urls: Iterable[str]) -> dict[PageState, int]:
    """Return how many of some pages are in which state."""
    states = Counter(found.of(url).state for url in urls)
    return {word: states[word] for word in get_args(PageState)}


def signals_on(found: WatchState, urls: Collection[str]) -> list[OpenSignal]:
    """Return the open signals of some pages, the gravest first."""
    return [one for one in found.signals if one.url in urls]


def with_dependents(published: Published, signals: Iterable[OpenSignal]) -> list[SignalWithDependents]:
    """Return signals with the parts of a release that rest on their pages."""
    by_url: dict[str, list[str]] = {}
    for source in published.shelf.sources.values():
        by_url.setdefault(source.url, []).append(source.id)
    official: dict[str, list[str]] = {}
    for record in published.shelf.airlines.values():
        official.setdefault(record.policy_url, []).append(record.airline)
    used = uses(published)
    found = []
    for one in signals:
        sources = by_url.get(one.url, [])
        resting = [used[name] for name in sources if name in used]
        rules = sorted({rule_id for each in resting for rule_id in each.rules})
        owners = {published.shelf.rules[rule_id].airline for rule_id in rules} - {None}
        airlines = {
            *official.get(one.url, []),
            *owners,
            *(code for each in resting for code in each.airlines),
        }
        found.append(
            SignalWithDependents(
                kind=one.kind,
                url=one.url,
                opened_at=one.opened,
                source_ids=sources,
                rule_ids=rules,
                airlines=sorted(code for code in airlines if code is not None),
            )
        )
    return found


def _digest(said: object) -> str:
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def _read(cached: WatchState | None) -> WatchState | None:
    try:
        return _state()
    except DatabaseFailure:
        return None


def _state() -> WatchState:
    rows = WatchedPage.objects.select_related("newest").only(
        "url", "follows_text", "due", "visited", "answered", "trouble", "newest_since", "newest__fingerprint"
    )
    pages = {page.url: _page(page) for page in rows.order_by("url")[:MOST_PAGES]}
    signals = WatchSignal.objects.filter(outcome="").values_list("pk", "page__url", "kind", "opened")
    gravity = get_args(WatchSignalKind)
    found = sorted(
        (OpenSignal(pk, url, cast(WatchSignalKind, kind), opened) for pk, url, kind, opened in signals),
        key=lambda one: (gravity.index(one.kind), one.opened, one.id),
    )
    last = WatchSignal.objects.aggregate(moved=Max("moved"), closed=Max("closed_at"))
    instants = [*last.values(), *(page.last_visited for page in pages.values())]
    return WatchState(pages, tuple(found), max((one for one in instants if one is not None), default=None))


def _page(page: WatchedPage) -> WatchedPageState:
    return WatchedPageState(
        state=_word(page),
        follows_text=page.follows_text,
        last_visited=page.visited,
        last_answered=page.answered,
        trouble=page.trouble or None,
        page_fingerprint=None if page.newest is None else page.newest.fingerprint,
        page_unchanged_since=page.newest_since,
    )


def _word(page: WatchedPage) -> PageState:
    if page.due is None:
        return "not_watched"
    if page.visited is None or (page.trouble == OURS and page.answered is None):
        return "waiting"
    if page.trouble in {"", OURS}:
        return "watched"
    if page.trouble == "robots":
        return "forbidden_by_robots"
    return "unreadable" if page.trouble in UNREADABLE else "unreachable"


_cached: CachedValue[WatchState | None] = CachedValue(_read, None, seconds=PATIENCE_SECONDS, paged=False)


def state() -> WatchState | None:
    """Return the state of the watch, at most `PATIENCE_SECONDS` old; None while the database is away."""
    return None if availability.is_away() else _cached.current()


forget = _cached.forget
"""Empty the cache: the next call reads the database. For tests and commands that cannot wait."""


def pin_nothing_watched() -> None:
    """Assume from now on that nothing is watched: for tools and tests that ask without a database."""
    _cached.pin(WatchState({}, (), None))
