"""Finds the partner of a key, and whether the key is valid, for each API request with a key.

Frames in pages of partners name a key by its public id (`compliance.channels.embed`).

A process keeps all live keys in memory, by digest, and reads them again when its copy is older than
`PARTNER_KEYS_TTL_SECONDS`. A key that is not in memory may be a new one: for such a key they are read at once
if the copy is older than `NEW_KEY_SECONDS`. So a new key works after that time at the latest, and guessing
keys costs a process one query in that time, however many are sent. A revocation or a change of a partner
takes effect in every process after `PARTNER_KEYS_TTL_SECONDS`, plus the time of the reading. Expiry is judged
by the clock at every lookup.

In a web process the thread that follows the ledger does the reading (`catalog.database.cached_values`). In
other processes the first lookup after that time reads, and other lookups meanwhile use the copy in memory.

While the database is away, a key that was live stays valid with its terms for `PARTNER_KEYS_OUTAGE_SECONDS`:
it may have been revoked without this process knowing. A key that is not in memory may be a new one. For such
a key, for all keys after that time, and if nothing was ever read, the caller gets `django.db.Error`: a sender
of a key is never treated as anonymous.
"""

import datetime
import functools
import itertools
import logging
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import OperationalError
from django.utils import timezone

from catalog.database import availability, cached_values
from compliance.partners.actions.keys import note_keys_used
from compliance.partners.keys import digest, is_key, is_public_id
from compliance.partners.models import PartnerKey

logger = logging.getLogger(__name__)

NOTING_INTERVAL = datetime.timedelta(minutes=1)
"""How often, at most, one process records that a key was used."""

NEW_KEY_SECONDS = 1.0
"""How old the copy must be to be read again for an unknown key."""


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A live key and its terms. `allowed_origins` are spelled as browsers send them.

    With `receipts`, each verdict has a receipt. `rank` numbers the live keys of the partner by age, from 0.
    """

    partner: str
    public_id: str
    rate_per_minute: int
    allowed_origins: frozenset[str]
    terms_url: str
    valid_until: datetime.datetime | None
    receipts: bool = False
    rank: int = 0

    @property
    def counted_as(self) -> str:
        """Return the name under which its requests are counted.

        It has no part of the key, so a key that is made in place of an ended one begins no new count.
        """
        return f"{self.partner} {self.rank}"

    @property
    def rate(self) -> str:
        """The limit as django-ratelimit writes it, such as `600/m`."""
        return f"{self.rate_per_minute}/m"

    def counts_at(self, now: datetime.datetime) -> bool:
        """Say whether the key has not expired."""
        return self.valid_until is None or now < self.valid_until


@dataclass(frozen=True)
class _Snapshot:
    """All live keys by their digest, the time of the last reading, and the time of the last attempt.

    Instants are monotonic seconds.
    """

    keys: Mapping[str, KnownKey] = field(repr=False)
    read_at: float
    asked_at: float

    @functools.cached_property
    def names(self) -> Mapping[str, KnownKey]:
        """Return the same keys by their public ids."""
        return {key.public_id: key for key in self.keys.values()}

    @property
    def in_doubt(self) -> bool:
        """Say whether keys may have been issued or revoked since, unknown to this process."""
        return self.read_at != self.asked_at or availability.is_away()

    @property
    def too_old(self) -> bool:
        """Say whether it is too old to recognize any key."""
        return self.in_doubt and monotonic() - self.read_at > settings.PARTNER_KEYS_OUTAGE_SECONDS


_cached: _Snapshot | None = None
"""The snapshot for lookups: replaced by assignment, never changed."""

_used: dict[str, datetime.datetime] = {}
"""When this process saw each key last, by public id."""

_noted: dict[str, datetime.datetime] = {}
"""The last of those instants that was recorded."""

_away = False
"""Whether the database was away at the last query, so that this is logged once."""

_reading = threading.Lock()
"""One reader at a time."""


def partner_for(key: str, now: datetime.datetime) -> KnownKey | None:
    """Return the live key that a caller sent; None for one that is unknown, expired or revoked.

    Raises `django.db.Error` if that is unknown because the database is away.
    """
    # Refusing such a text needs no database, and while the database is away asking it takes seconds.
    if not is_key(key):
        return None
    sha256 = digest(key)
    # From here on no frame of ours contains the key, whatever fails.
    del key
    return _found(lambda snapshot: snapshot.keys.get(sha256), now)


def partner_named(public_id: str, now: datetime.datetime) -> KnownKey | None:
    """Return the live key of a public id, which anyone may know; None as for `partner_for`.

    It identifies the owner of a page, and proves nothing about the caller. A lookup counts as a use of the
    key. Raises `django.db.Error` as `partner_for` does.
    """
    if not is_public_id(public_id):
        return None
    return _found(lambda snapshot: snapshot.names.get(public_id), now)


def _found(find: Callable[[_Snapshot], KnownKey | None], now: datetime.datetime) -> KnownKey | None:
    """Return a valid key that a snapshot finds, and note its use."""
    snapshot, just_read = _current(now)
    known = find(snapshot)
    if known is None and not snapshot.in_doubt and monotonic() - snapshot.asked_at >= NEW_KEY_SECONDS:
        snapshot, just_read = _read_for_a_new_key(snapshot, now)
        known = find(snapshot)
    if snapshot.too_old or (known is None and snapshot.in_doubt):
        raise OperationalError("partner keys cannot be read")
    if known is not None and not known.counts_at(now):
        known = None
    if known is not None:
        _used[known.public_id] = now
    if just_read:
        _note_used(now)
    return known


def forget() -> None:
    """Empty the memory: the next lookup reads the database. For tests."""
    global _cached, _away
    _cached, _away = None, False
    _used.clear()
    _noted.clear()


def _current(now: datetime.datetime) -> tuple[_Snapshot, bool]:
    """Return the snapshot to use, and whether this call has just read it."""
    known = _cached
    if known is not None and (cached_values.is_renewed() or not _is_due(known)):
        return known, False
    # Only a caller without any snapshot waits for another reader.
    if not _reading.acquire(blocking=known is None) and known is not None:
        return known, False
    try:
        if _cached is not None and _cached is not known:
            return _cached, False
        return _read(known, now)
    finally:
        _reading.release()


def _read_for_a_new_key(known: _Snapshot, now: datetime.datetime) -> tuple[_Snapshot, bool]:
    """Read the keys before their time, one caller at a time; the others use the copy."""
    if not _reading.acquire(blocking=False):
        return _cached or known, False
    try:
        return _read(known, now) if _cached is known else (_cached or known, False)
    finally:
        _reading.release()


def _is_due(known: _Snapshot) -> bool:
    return monotonic() - known.asked_at >= settings.PARTNER_KEYS_TTL_SECONDS


@cached_values.renewing
def _renew() -> None:
    """Read the keys again when it is time, and record which were used."""
    known = _cached
    if known is None or _is_due(known):
        now = timezone.now()
        with _reading:
            just_read = _read(known, now)[1]
        if just_read:
            _note_used(now)


def _read(known: _Snapshot | None, now: datetime.datetime) -> tuple[_Snapshot, bool]:
    """Read the live keys, or keep the old copy while that fails. The caller has the lock."""
    global _cached
    # Before the query, so that a change during the query is not missed for longer.
    asked_at = monotonic()
    try:
        keys = _live_keys(now)
    except DatabaseFailure as error:
        if known is None:
            raise
        _say_away(error)
        # Not at every request: an absent database can take seconds to fail.
        _cached = replace(known, asked_at=monotonic())
        return _cached, False
    _say_back()
    _cached = _Snapshot(keys, asked_at, asked_at)
    return _cached, True


def _live_keys(now: datetime.datetime) -> dict[str, KnownKey]:
    """Return all live keys by their digest, in one query."""
    rows = (
        PartnerKey.objects.live(now)
        .order_by("created_at", "public_id")
        .values_list(
            "digest",
            "partner_id",
            "public_id",
            "partner__rate_per_minute",
            "partner__allowed_origins",
            "partner__terms_url",
            "valid_until",
            "partner__receipts",
        )
    )
    ranks = defaultdict[str, Iterator[int]](itertools.count)
    return {
        sha256: KnownKey(
            partner, public_id, rate, frozenset(origins), terms, until, receipts, next(ranks[partner])
        )
        for sha256, partner, public_id, rate, origins, terms, until, receipts in rows
    }


def _note_used(now: datetime.datetime) -> None:
    """Record the uses since the last time, for each key at most once per interval."""
    due = {
        public_id: used_at
        for public_id, used_at in _used.copy().items()
        if (noted := _noted.get(public_id)) is None or (noted < used_at and now - noted >= NOTING_INTERVAL)
    }
    if not due:
        return
    try:
        note_keys_used(used=due)
    except DatabaseFailure as error:
        _say_away(error)
    else:
        _noted.update(due)


def _say_away(error: DatabaseFailure) -> None:
    global _away
    if not _away:
        logger.warning(
            "Partner keys cannot be read or their use recorded; continuing with the keys in memory: %s",
            type(error).__name__,
        )
    _away = True


def _say_back() -> None:
    global _away
    if _away:
        logger.info("Partner keys can be read again.")
    _away = False


def _reset_in_child() -> None:
    """After a fork: keep the parent's snapshot, but neither its uses nor a lock that it may have taken."""
    global _reading
    _reading = threading.Lock()
    _used.clear()
    _noted.clear()


os.register_at_fork(after_in_child=_reset_in_child)
