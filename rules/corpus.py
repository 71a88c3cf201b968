"""The published corpus in memory: every verdict of this process is made from it.

`follow` or the first call of `current` loads it, once per process. From then on one thread asks the database
every `CORPUS_POLL_SECONDS` for the digest of the current release and swaps in a new one. The new one is built
in full, then put in place by a single assignment, so every caller sees exactly one release. While the
database is away, or a release cannot be used, the process keeps answering from the release in memory. The
thread also records whether the database answers (`catalog.database.availability`) and renews the other values
that this process has cached from it (`catalog.database.cached_values`).

Each request takes the release once and passes it on: to `rules.verdicts` for a verdict, or to a list. Once a
release is loaded, `current` does not read the database. The thread also makes what many answers need of a
release, before the first of them comes from it (`preparing`). `status` gives operators the state of this
process relative to the ledger.
"""

import atexit
import contextlib
import functools
import gc
import logging
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from catalog.database import availability, cached_values
from catalog.database.dedicated_connection import close, own_connection
from rules.engine.corpus import Corpus
from rules.engine.document import decode
from rules.releases import head, signing
from rules.releases.head import Head
from rules.releases.ledger import digest
from rules.releases.shelf import Shelf

logger = logging.getLogger(__name__)

Why = Literal["unreadable", "not_signed", "removed"]
"""Why the end of the ledger is not used."""

LAST = "SELECT sequence, sha256 FROM rules_release ORDER BY sequence DESC LIMIT 1"
RELEASE = """
    SELECT id, document, sequence, ruleset_version, sha256, content_sha256, predecessor_sha256, note,
           published_at, published_by_id
    FROM rules_release WHERE sha256 = %s
"""
SIGNATURES = "SELECT kid, statement, signature FROM rules_releasesignature WHERE release_id = %s ORDER BY id"

STOP_SECONDS = 2

YOUNG = 1
"""The last generation of the garbage collector that only has young objects, such as those of requests."""

LOADING_SECONDS = 3
"""How long a request waits for another thread that loads the first release."""


class CorpusUnavailable(Exception):
    """This process has no release to answer from."""


class NoReleasePublished(CorpusUnavailable):
    """The ledger is empty."""

    def __init__(self) -> None:
        super().__init__("no release is published")


class StillLoading(CorpusUnavailable):
    """Another thread waits for the first release."""


class ReleaseUnusable(CorpusUnavailable):
    """A release was altered, is not in the ledger, or cannot be read by this version of the program."""

    why: Why = "unreadable"


class ReleaseNotSigned(ReleaseUnusable):
    """A release that no known key has signed, or that differs from what was signed."""

    why = "not_signed"


class LedgerBehind(ReleaseUnusable):
    """The ledger ends before a release that this process knows: releases were removed."""

    why = "removed"


class RulesetVersionNotCurrent(ValueError):
    """A caller pinned a version that is not current. `current` is the one that is."""

    def __init__(self, asked: str, current: str) -> None:
        super().__init__(f"ruleset_version {asked} is not current; the current one is {current}")
        self.asked = asked
        self.current = current


@dataclass(frozen=True, slots=True)
class Published:
    """A release in memory: its identity, and its records ready to answer (`corpus`) and to list (`shelf`)."""

    ruleset_version: str
    sha256: str
    published_at: datetime
    corpus: Corpus
    shelf: Shelf = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shelf", Shelf(self.corpus.content))


class CorpusStatus(NamedTuple):
    """The state of this process relative to the ledger.

    `release` is what it answers from, None if it has nothing yet. It read the ledger last `read_seconds` ago;
    since `away_seconds` it cannot. `refused` is the digest of a current release that it cannot use, empty if
    the whole ledger is gone, and `refused_because` says why.
    """

    release: Published | None
    read_seconds: float | None
    away_seconds: float | None
    refused: str | None
    refused_because: Why | None


_current: Published | None = None
"""What callers get: swapped by assignment, never changed. None until this process has begun."""

_cached: Published | None = None
"""What was loaded last. It differs from `_current` only in a forked child that has not begun yet."""

_refused: tuple[str, Why] | None = None
"""The digest of a release that cannot be used, and why: kept so that it is logged only once."""

_known: Head | None = None
"""The last release that this process has used. A ledger that ends earlier is not used any more."""

_read: float | None = None
"""When the ledger was read last, by the clock `monotonic`."""

_away: float | None = None
"""Since when the ledger cannot be read."""

_follower: "_Follower | None" = None

_loading = threading.Lock()
"""One loader at a time. Readers of `_current` never wait for it."""

_preparers: list[Callable[["Published"], object]] = []
"""Functions that make what many answers need of a release."""


def current() -> Published:
    """Return the current release.

    Raises `NoReleasePublished` or `ReleaseUnusable`, both of them `CorpusUnavailable`, and `django.db.Error`
    if the database is away. It raises only as long as this process has no release.
    """
    return _current or _begin()


def check_version(release: Published, pinned: str | None) -> None:
    """Accept a request that pins this release or none. Raises `RulesetVersionNotCurrent`."""
    if pinned is not None and pinned != release.ruleset_version:
        raise RulesetVersionNotCurrent(pinned, release.ruleset_version)


def refresh() -> Published:
    """Load the database's current release into memory now, and return it.

    For tests and commands that cannot wait for the thread. If a release cannot be used, or releases were
    removed, the one in memory stays. Raises `CorpusUnavailable` if no release is in memory then, and
    `django.db.Error`.
    """
    with _loading:
        published = _catch_up(connection)
        _follow()
        return published


def status() -> CorpusStatus:
    """Return the state of this process relative to the ledger. Reads no database, and loads nothing."""
    now = monotonic()
    return CorpusStatus(
        release=_current or _cached,
        read_seconds=None if _read is None else now - _read,
        away_seconds=None if _away is None else now - _away,
        refused=None if _refused is None else _refused[0],
        refused_because=None if _refused is None else _refused[1],
    )


def past(sha256: str) -> Published:
    """Return any release of the ledger by its digest; no answer is made from it.

    Raises `ReleaseUnusable`, and `django.db.Error`.
    """
    return _load(connection, sha256)


def by_digest(sha256: str) -> Published:
    """Return a release to work with, even if it has been superseded since. The last such one is cached.

    Raises what `current` and `past` raise.
    """
    published = current()
    return published if published.sha256 == sha256 else _cached_past(sha256)


@functools.lru_cache(maxsize=1)
def _cached_past(sha256: str) -> Published:
    return past(sha256)


@contextlib.contextmanager
def answering_from(release: Published) -> Iterator[None]:
    """Answer from a release that is in no ledger: for tools and tests that ask without a database."""
    global _current
    before, _current = _current, release
    try:
        yield
    finally:
        _current = before


def follow() -> None:
    """Begin to follow the ledger, so that the first request finds a release. For web servers."""
    with _loading:
        _follow()


def preparing(prepare: Callable[[Published], object]) -> Callable[[Published], object]:
    """Have the thread call `prepare` with each release that replaces another, before it answers: a decorator.

    Verdicts wait for it too, so it must take less than a tenth of a second. An error in it is only logged.
    """
    _preparers.append(prepare)
    return prepare


def stop_following() -> None:
    """Stop the thread, if there is one; it closes its connection. The release in memory stays."""
    global _follower
    if _follower is not None:
        _follower.stop()
        _follower = None
        cached_values.leave_alone()
        availability.forget()


def _begin() -> Published:
    """Load the first release of this process, or use the one that it inherited from its parent."""
    global _current
    # A database that hangs must not block all threads of a web server.
    if not _loading.acquire(timeout=LOADING_SECONDS):
        raise StillLoading
    try:
        # Also if that fails: the thread notices when the database is back.
        _follow()
        _current = _current or _cached or _catch_up(connection)
        return _current
    finally:
        _loading.release()


def _follow() -> None:
    """Start the thread of this process, unless it runs or the setting is 0. The caller has the lock."""
    global _follower
    if _follower is None and settings.CORPUS_POLL_SECONDS > 0:
        _follower = _Follower(settings.CORPUS_POLL_SECONDS)
        _follower.start()


def _catch_up(database: BaseDatabaseWrapper) -> Published:
    """Swap in the current release of the database. The caller has the lock."""
    global _current, _cached, _refused, _read
    # Before the ledger is read: a release is noted once it is in the ledger.
    noted = _noted()
    with database.cursor() as cursor:
        cursor.execute(LAST)
        row = cursor.fetchone()
    _read = monotonic()
    last = None if row is None else Head(*row)
    try:
        _refuse_removal(last, noted)
        if last is None:
            raise NoReleasePublished
        if _cached is None or _cached.sha256 != last.sha256:
            with _collecting_once():
                loaded = _load(database, last.sha256)
                if _cached is not None and cached_values.is_renewed():
                    _prepare(loaded)
            _cached = _use(last, loaded)
        _refused = None
    except ReleaseUnusable as error:
        refused = "" if last is None else last.sha256, error.why
        if _refused != refused:
            _refused = refused
            logger.critical("%s", error, exc_info=error.__cause__)
        if _cached is None:
            raise
    _current = _cached
    return _cached


def _noted() -> Head | head.HeadUnreadable | None:
    try:
        return head.noted()
    except head.HeadUnreadable as error:
        return error


def _refuse_removal(last: Head | None, noted: Head | head.HeadUnreadable | None) -> None:
    """Refuse a ledger that lacks its end. Raises `LedgerBehind`."""
    if isinstance(noted, head.HeadUnreadable):
        raise LedgerBehind(f"The ledger is not used: {noted}") from noted
    for known in (_known, noted):
        if known is not None and head.is_behind(last, known):
            ends = "is empty" if last is None else f"ends at place {last.sequence} with {last.sha256}"
            raise LedgerBehind(
                f"The ledger is not used: it {ends}, but release {known.sha256} was published at place "
                f"{known.sequence}."
            )


def _use(last: Head, loaded: Published) -> Published:
    """Note that answers come from this release from now on."""
    global _known
    _known = last
    logger.info("Answers now come from release %s.", loaded.ruleset_version)
    return loaded


def _prepare(loaded: Published) -> None:
    """Make what many answers need of a release."""
    for prepare in _preparers:
        try:
            prepare(loaded)
        # It is made again for the first answer that needs it.
        except Exception:
            logger.exception("Release %s is used unprepared.", loaded.ruleset_version)


@contextlib.contextmanager
def _collecting_once() -> Iterator[None]:
    """Keep the garbage collector away from a corpus, which lives long and contains no cycles.

    While one is built, the collector would visit all objects of the process several times, and other threads
    wait for it each time. It visits only young objects once, and the corpus never again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.collect(YOUNG)
        gc.freeze()
    finally:
        if was_on:
            gc.enable()


def _load(database: BaseDatabaseWrapper, sha256: str) -> Published:
    """Read one release and build its corpus in full. Raises `ReleaseUnusable`."""
    with database.cursor() as cursor:
        cursor.execute(RELEASE, [sha256])
        row = cursor.fetchone()
        if row is None:
            raise ReleaseUnusable(f"The ledger has no release {sha256}.")
        key, text, *columns = row
        cursor.execute(SIGNATURES, [key])
        signatures = [signing.Signature(*one) for one in cursor.fetchall()]
    stated = signing.Row(*columns)
    if digest(text) != sha256:
        raise ReleaseUnusable(f"Release {stated.ruleset_version} is not used: its document was altered.")
    if found := signing.problems(stated, signatures):
        raise ReleaseNotSigned(f"Release {stated.ruleset_version} is not used: {'; '.join(found)}.")
    try:
        document = decode(text.encode())
        corpus = Corpus(document.content)
    # Whatever the error, the process must go on answering from the release in memory.
    except Exception as error:
        raise ReleaseUnusable(
            f"Release {stated.ruleset_version} is not used: it cannot be read: {error}"
        ) from error
    return Published(stated.ruleset_version, sha256, stated.published_at, corpus)


class _Follower(threading.Thread):
    """Follows the ledger on a connection of its own."""

    def __init__(self, poll_seconds: float) -> None:
        super().__init__(name="corpus-follower", daemon=True)
        self._poll_seconds = poll_seconds
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Ask the thread to end, and wait a moment for it."""
        self._stopping.set()
        self.join(STOP_SECONDS)

    def run(self) -> None:
        global _away
        database = own_connection("corpus-follower")
        # The other cached values are read over the same connection.
        connections[database.alias] = database
        while True:
            try:
                self._catch_up(database)
            # Catch every error: without this thread the process would keep an old release forever.
            except Exception as error:
                if _away is None:
                    logger.warning("The ledger cannot be read; answers come from memory meanwhile: %s", error)
                    _away = monotonic()
                close(database)
            else:
                if _away is not None:
                    logger.info("The ledger can be read again.")
                _away = None
            if self._stopping.wait(self._poll_seconds):
                break
        close(database)

    def _catch_up(self, database: BaseDatabaseWrapper) -> None:
        with availability.asking():
            database.ensure_connection()
        # Each query is timed alone: what is made of its answer can take seconds, and the database is there.
        with database.execute_wrapper(_timed):
            with _loading, contextlib.suppress(CorpusUnavailable):
                _catch_up(database)
            cached_values.renew()


def _timed(execute: Callable[..., Any], *query: Any) -> Any:
    """Do a query of the follower, and note whether the database answers. A refusal is an answer too."""
    refusal = None
    with availability.asking():
        try:
            return execute(*query)
        except OperationalError:
            raise
        except DatabaseError as error:
            refusal = error
    raise refusal


def _reset_in_child() -> None:
    """After a fork: keep the parent's release, but not its thread nor a lock that it may hold."""
    global _current, _follower, _loading, _read, _away
    _current, _follower, _loading, _read, _away = None, None, threading.Lock(), None, None


os.register_at_fork(after_in_child=_reset_in_child)
atexit.register(stop_following)
