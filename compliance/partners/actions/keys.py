"""The actions of partner keys: issue, rotate, revoke, and note when they were used.

A plain key is available only once, inside the `PlainKey` that the first two return.
"""

import datetime
from collections.abc import Mapping
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models.functions import Coalesce, Least

from catalog.dates import moment_words
from catalog.errors import NotRecorded, Refused, Unfit, WrongState
from catalog.tables.actions.inserting import insert
from compliance.partners.actions.partners import open_partner, tell_partner
from compliance.partners.keys import PlainKey, make_key, public_id
from compliance.partners.models import Partner, PartnerKey

MAX_LIVE_KEYS = 2
"""The one in use, and the one that replaces it."""

OVERLAP = datetime.timedelta(days=7)
"""How long a key stays valid, by default, after another one was issued in its place."""

# Sorted by id, so that two processes that note the same keys wait for each other in turn.
NOTE_USED = """
WITH used AS (SELECT * FROM unnest(%s::text[], %s::timestamptz[]) AS used (public_id, used_at)),
locked AS (
    SELECT public_id, used_at FROM compliance_partnerkey JOIN used USING (public_id)
    ORDER BY public_id FOR NO KEY UPDATE OF compliance_partnerkey
)
UPDATE compliance_partnerkey AS key SET last_used = greatest(key.last_used, locked.used_at)
FROM locked WHERE key.public_id = locked.public_id
"""


class IssuedKey(NamedTuple):
    """A new key: its row, and the key itself, which cannot be read again later."""

    row: PartnerKey
    plain: PlainKey


class TooManyLiveKeys(Refused):
    """The partner has the maximum number of live keys."""

    def __init__(self, partner: str) -> None:
        super().__init__(partner, f"the partner has {MAX_LIVE_KEYS} live keys; revoke one of them first")


@transaction.atomic
def issue_key(
    *, by: User, now: datetime.datetime, partner: str, valid_until: datetime.datetime | None = None
) -> IssuedKey:
    """Issue a key in addition to the present ones. Without `valid_until` it is valid until it is revoked.

    Raises `NotRecorded`, `WrongState` for a closed partner, `Unfit` for an end that is past, or
    `TooManyLiveKeys`.
    """
    return _issue(by, now, open_partner(partner), valid_until)


@transaction.atomic
def rotate_key(
    *,
    by: User,
    now: datetime.datetime,
    partner: str,
    overlap: datetime.timedelta = OVERLAP,
    valid_until: datetime.datetime | None = None,
) -> IssuedKey:
    """Issue a key that replaces the live ones, which stay valid for the `overlap` and not longer.

    Raises the errors of `issue_key`: `TooManyLiveKeys` if two keys would outlive the rotation. `WrongState`
    also if no key is live, and `Unfit` also for an overlap below zero; nothing has changed then.
    """
    owner = open_partner(partner)
    if overlap < datetime.timedelta(0):
        raise Unfit(partner, "`overlap` is zero or more")
    ended = PartnerKey.objects.filter(partner=owner).live(now)
    end = now + overlap
    if not ended.update(valid_until=Least(Coalesce("valid_until", end), end)):
        raise WrongState(partner, "has no live key to rotate; issue one")
    others = f" Earlier keys are valid until {moment_words(end)} at the latest."
    return _issue(by, now, owner, valid_until, others)


@transaction.atomic
def revoke_key(*, by: User, now: datetime.datetime, public_id: str) -> PartnerKey:
    """End a key at once, which takes effect within `PARTNER_KEYS_TTL_SECONDS`.

    Raises `NotRecorded`, or `WrongState` if it was revoked before.
    """
    key = PartnerKey.objects.select_for_update(of=("self",)).filter(pk=public_id).first()
    if key is None:
        raise NotRecorded(_shown(public_id), "there is no such key")
    if key.revoked_at is not None:
        raise WrongState(key.public_id, "is already revoked")
    key.revoked_at, key.revoked_by = now, by
    key.save(force_update=True, update_fields=["revoked_at", "revoked_by"])
    tell_partner(key.partner, f"The key {key} was revoked: it is no longer valid.", now=now)
    return key


def note_keys_used(*, used: Mapping[str, datetime.datetime]) -> None:
    """Record when keys, by their public ids, were last used. A later known instant stays."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE_USED, [list(used), list(used.values())])


def _issue(
    by: User,
    now: datetime.datetime,
    partner: Partner,
    valid_until: datetime.datetime | None,
    others: str = "",
) -> IssuedKey:
    """Issue a key to a partner that the caller has locked. `others` tells it about its other keys."""
    if valid_until is not None and valid_until <= now:
        raise Unfit(partner.slug, "the key would have expired already")
    if PartnerKey.objects.filter(partner=partner).live(now).count() >= MAX_LIVE_KEYS:
        raise TooManyLiveKeys(partner.slug)
    plain = make_key()
    row = PartnerKey(
        public_id=plain.public_id,
        partner=partner,
        digest=plain.digest,
        valid_until=valid_until,
        created_at=now,
        created_by=by,
    )
    insert([row])
    end = f", valid until {moment_words(valid_until)}" if valid_until else ""
    tell_partner(partner, f"The key {row} was issued{end}.{others}", now=now)
    return IssuedKey(row, plain)


def _shown(text: str) -> str:
    """Return a name for an unknown key: the text may be a whole key, which must not be repeated."""
    return public_id(text) or "this key"
