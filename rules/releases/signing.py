"""Signatures of releases: what the publisher states about a release, and whether it may be believed.

A statement is a canonical JSON text about one row of the ledger: its place, version, digests, note, time and
publisher, the statement about the release before it, the piece of the audit log that was written since, and
the digest of the verdict cases that the release was asked.
The publisher signs its UTF-8 bytes with Ed25519. So whoever may write rows but has no key publishes nothing.

Only publishers have `RELEASE_KEY`; everyone who reads a release has `RELEASE_PUBLIC_KEYS`. A release may have
signatures of several keys, one of which has to be known here.
"""

import base64
import binascii
import datetime
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import rfc8785
from cryptography.exceptions import InvalidSignature
from django.conf import settings

from catalog.signing_keys import PublicKey, SigningKey, public_key, signing_key, unpadded
from rules.releases.models import Release

FORM = "battery-travel-compliance release 1"
"""What the text is. A signature of this key over any other text counts for nothing."""


class Row(NamedTuple):
    """What a row of the ledger says, without the document, whose digest it has."""

    sequence: int
    ruleset_version: str
    sha256: str
    content_sha256: str
    predecessor: str | None
    note: str
    published_at: datetime.datetime
    published_by: int


class Signature(NamedTuple):
    """One signature: the thumbprint of its key, the signed text, and the signature in base64url."""

    kid: str
    statement: str
    signature: str


def row_of(release: Release) -> Row:
    """Return what a release says of itself."""
    return Row(
        release.sequence,
        release.ruleset_version,
        release.sha256,
        release.content_sha256,
        release.predecessor_id,
        release.note,
        release.published_at,
        release.published_by_id,
    )


def signatures_of(release: Release) -> list[Signature]:
    """Return all signatures of a release, also those of unknown keys."""
    rows = sorted(release.signatures.all(), key=lambda one: one.pk)
    return [Signature(one.kid, one.statement, one.signature) for one in rows]


def statement(
    release: Release,
    *,
    before: str | None,
    log: Mapping[str, Any],
    publisher: str,
    adopted: bool = False,
    cases_sha256: str | None = None,
) -> str:
    """Return the text to sign.

    Args:
        release: The release. Its row is in the ledger.
        before: The statement about the release before it; None for the first.
        log: The piece of the audit log, see `rules.releases.log_pieces`.
        publisher: The name of its publisher at this time, for readers.
        adopted: Whether it was signed later than it was published.
        cases_sha256: The digest of the verdict cases that the release was asked, see
            `rules.cases.digest_of_cases`. Statements from before cases were kept here have none.

    """
    row = row_of(release)
    return rfc8785.dumps(
        {
            "form": FORM,
            "adopted": adopted,
            "log": dict(log),
            "predecessor_statement": None if before is None else digest_of(before),
            "publisher": publisher,
            **({} if cases_sha256 is None else {"cases_sha256": cases_sha256}),
            **_as_stated(row),
        }
    ).decode()


def digest_of(text: str) -> str:
    """Return the SHA-256 of a statement, as hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def sign(text: str) -> Signature:
    """Sign a statement with the key of this process. Raises `catalog.signing_keys.BadKey` if it has none."""
    key = _signing_key(settings.RELEASE_KEY)
    return Signature(key.public.kid, text, unpadded(key.private.sign(text.encode())))


def believed(row: Row, signatures: Iterable[Signature]) -> dict[str, Any] | None:
    """Return the statement of a known key about exactly this row; None if there is none."""
    for one in signatures:
        if (text := _signed(one)) is not None and _as_stated(row).items() <= text.items():
            return text
    return None


def problems(row: Row, signatures: Iterable[Signature]) -> list[str]:
    """Return why a release may not be believed; nothing if it may."""
    found = list(signatures)
    if believed(row, found) is not None:
        return []
    signed = [text for one in found if (text := _signed(one)) is not None]
    if not signed:
        return ["it is not signed" if not found else "no known key has signed it"]
    return [f"its {name} is not the signed one" for name in _differing(row, signed[0])]


def _differing(row: Row, text: Mapping[str, Any]) -> list[str]:
    stated = _as_stated(row)
    return [name.replace("_", " ") for name in stated if text.get(name) != stated[name]]


def _as_stated(row: Row) -> dict[str, Any]:
    return row._asdict() | {"published_at": row.published_at.astimezone(datetime.UTC).isoformat()}


def _signed(one: Signature) -> dict[str, Any] | None:
    """Return what a known key has signed; None if it has not, whatever the signature is."""
    known = _public_keys(settings.RELEASE_KEY, settings.RELEASE_PUBLIC_KEYS).get(one.kid)
    if known is None:
        return None
    try:
        raw = base64.b64decode(f"{one.signature}==", altchars=b"-_", validate=True)
        known.key.verify(raw, one.statement.encode())
        text = json.loads(one.statement)
    except (InvalidSignature, binascii.Error, ValueError):
        return None
    return text if isinstance(text, dict) and text.get("form") == FORM else None


@functools.lru_cache(maxsize=4)
def _signing_key(seed: str) -> SigningKey:
    return signing_key(seed)


@functools.lru_cache(maxsize=4)
def _public_keys(seed: str, public: tuple[str, ...]) -> Mapping[str, PublicKey]:
    """Return the known keys by their thumbprints."""
    own = [_signing_key(seed).public] if seed else []
    return {one.kid: one for one in (*map(public_key, public), *own)}
