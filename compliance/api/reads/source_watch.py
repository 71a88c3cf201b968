"""The source watch in the API's form: figures, sources, and a review queue.

Called by the view of policy changes.
"""

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import get_args

import msgspec

from catalog.records import SourceBasis, SourceKind
from compliance.api.protocol.views import Reading
from compliance.api.reads.policy_state import policy_state_of
from rules.engine.facts import Source
from rules.selectors import watched_sources
from rules.selectors.sources import uses
from rules.selectors.watched_sources import ReviewReason
from rules.watch import selectors
from rules.watch.selectors import SignalWithDependents, WatchedPageState, WatchSignalKind, WatchState


class BasisCountsBody(msgspec.Struct):
    """How many sources have each `basis`. Sources of `general_knowledge` were not read."""

    official_page_read: int
    official_copy_read: int
    secondary_read: int
    general_knowledge: int


class PageCountsBody(msgspec.Struct):
    """How many pages have each state of `WatchedPageState`.

    Pages are the pages of the sources and the official pages of airlines, each address once.
    """

    watched: int
    waiting: int
    unreadable: int
    forbidden_by_robots: int
    unreachable: int
    not_watched: int


class SignalCountsBody(msgspec.Struct):
    """How many signals of watched pages are open, so that no editor has acted on them yet."""

    quote_gone: int
    text_changed: int
    dead_link: int


class WatchBody(msgspec.Struct):
    """Figures about the sources of rules and airlines' policies.

    `oldest_read_on` and `newest_read_on` leave out sources that were not read, and are null if none was read.
    `pages` and `open_signals` are the present state of the watch, and null while that cannot be read.
    """

    sources_watched: int
    by_basis: BasisCountsBody
    oldest_read_on: datetime.date | None
    newest_read_on: datetime.date | None
    pages: PageCountsBody | None
    open_signals: SignalCountsBody | None


class SourceWatchBody(msgspec.Struct):
    """A source of rules or airlines' policies.

    - `last_read` and `age_days` (whole days until today, UTC) are null if the source was not read.
    - `rule_ids` and `airlines` are the records that depend on it: rules of the release, in force or not, and
      airlines whose record or dated change names it.
    - `fingerprint` is the SHA-256, in hex, over the canonical JSON (RFC 8785) of this source's record and of
      all rules that depend on it. Store it and compare: it changes exactly when a release changes one of
      these, and not when the page was read again and was the same. It is not a hash of the page.
    - `page` is the last known state of the page at `url`, null while that cannot be read.
    """

    source_id: str
    kind: SourceKind
    authority: str
    url: str
    basis: SourceBasis
    last_read: datetime.date | None
    age_days: int | None
    rule_ids: list[str]
    airlines: list[str]
    fingerprint: str
    page: WatchedPageState | None


class SignalPageBody(msgspec.Struct):
    """The page of a signal of the watch, and the ids of the records that depend on it."""

    url: str
    opened_at: datetime.datetime
    source_ids: list[str]
    rule_ids: list[str]
    airlines: list[str]


class ReviewSignalBody(msgspec.Struct):
    """Something that an editor should check.

    `date` depends on the signal: the last day of a rule that expires, the first day of a rule that starts,
    the day on which stale evidence was last read, or the day (UTC) on which a page gave a signal. Signals of
    pages have a `page`. `rule_id` is null unless the signal is about exactly one rule, `airline` unless it is
    about exactly one airline.
    """

    signal: ReviewReason | WatchSignalKind
    airline: str | None
    rule_id: str | None
    date: datetime.date | None
    page: SignalPageBody | None = None


def watch_body(reading: Reading, watched: Sequence[Source], airline: str | None) -> WatchBody:
    """Return the watched sources, and the state of the watch, in figures."""
    seen = watched_sources.monitoring(watched)
    found = policy_state_of(reading).watch
    urls = selectors.pages_of_policies(reading.published, watched, airline)
    return WatchBody(
        sources_watched=seen.sources_watched,
        by_basis=BasisCountsBody(**seen.by_basis),
        oldest_read_on=seen.oldest_read_on,
        newest_read_on=seen.newest_read_on,
        pages=None if found is None else PageCountsBody(**selectors.counted(found, urls)),
        open_signals=None if found is None else _open_signals(found, urls),
    )


def source_watch_body(source: Source, reading: Reading) -> SourceWatchBody:
    """Return a source with the records that rest on it and the last state of its page."""
    used = uses(reading.published)[source.id]
    last_read = source.read_on if source.citable else None
    found = policy_state_of(reading).watch
    return SourceWatchBody(
        source_id=source.id,
        kind=source.kind,
        authority=source.authority,
        url=source.url,
        basis=source.basis,
        last_read=last_read,
        age_days=None if last_read is None else (reading.today - last_read).days,
        rule_ids=used.rules,
        airlines=used.airlines,
        fingerprint=watched_sources.fingerprint(reading.published, source),
        page=None if found is None else found.of(source.url),
    )


def queue(reading: Reading, watched: Sequence[Source], airline: str | None) -> list[ReviewSignalBody]:
    """Return the review queue: events on watched pages, then signals from the release."""
    published, found = reading.published, policy_state_of(reading).watch
    signals: list[SignalWithDependents] = []
    if found is not None:
        urls = selectors.pages_of_policies(published, watched, airline)
        signals = selectors.with_dependents(published, selectors.signals_on(found, urls))
    of_release = watched_sources.review_queue(published, reading.today, airline=airline)
    return [
        *map(_of_page, signals),
        *(ReviewSignalBody(one.signal, one.airline, one.rule_id, one.date) for one in of_release),
    ]


def _of_page(one: SignalWithDependents) -> ReviewSignalBody:
    return ReviewSignalBody(
        signal=one.kind,
        airline=one.airlines[0] if len(one.airlines) == 1 else None,
        rule_id=one.rule_ids[0] if len(one.rule_ids) == 1 else None,
        date=one.opened_at.astimezone(datetime.UTC).date(),
        page=SignalPageBody(one.url, one.opened_at, one.source_ids, one.rule_ids, one.airlines),
    )


def _open_signals(found: WatchState, urls: set[str]) -> SignalCountsBody:
    kinds = Counter(one.kind for one in selectors.signals_on(found, urls))
    return SignalCountsBody(**{kind: kinds[kind] for kind in get_args(WatchSignalKind)})
