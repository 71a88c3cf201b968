"""The ledger of releases: how a document becomes text and a digest, and whether the chain is intact.

The text of a release is the canonical JSON (RFC 8785) of its document, its digest the SHA-256 of that text in
UTF-8. Each document names its predecessor's digest, so no release can be changed without changing all later
ones. Each has a signed statement, which also covers its note, its time, its publisher and the audit log.

Called by the publishing action, by `rules.publishing.verifying` and by the page of a release.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import rfc8785

from rules.engine.document import Content, Problem, ReleaseDocument, UnreadableDocument, builtins
from rules.releases import head, log_pieces, signing
from rules.releases.head import Head
from rules.releases.models import Release

_in_order = msgspec.json.Encoder(order="sorted").encode

FEW = 8
"""How many releases are in memory at once during a check: each can be megabytes."""


def canonical_text(document: ReleaseDocument | Content) -> str:
    """Return the canonical text of a document.

    A document has texts and whole numbers of a few digits only, under ASCII names. Written in order, these
    are canonical; `rfc8785`, which is many times slower, checks that in `verify_ledger`.
    """
    return _in_order(builtins(document)).decode()


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as 64 lower-case hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_or_none(release: Release | None) -> Content | None:
    """Return the content of a release, empty content for no release; None if it cannot be read."""
    try:
        return Content() if release is None else release.read().content
    except UnreadableDocument:
        return None


def verify_ledger(*, are_signed: bool = True, is_whole: bool = True) -> list[Problem]:
    """Check every release and the chain from the first to the current one; empty if all is correct.

    Without `are_signed`, releases need no signature; without `is_whole`, the ledger may lack its end.
    """
    found: list[Problem] = []
    before: Release | None = None
    stated: signing.Signature | None = None
    for release in Release.objects.order_by("sequence").iterator(chunk_size=FEW):
        signatures = signing.signatures_of(release)
        reasons = [
            *_text_problems(release),
            *_chain_problems(release, before),
            *(signing.problems(signing.row_of(release), signatures) if are_signed else ()),
        ]
        believed = _believed(release, signatures)
        if believed is not None:
            reasons += _statement_problems(believed, stated, is_first=before is None)
        found += [Problem(f"release {release.ruleset_version}", reason) for reason in reasons]
        before, stated = release, believed
    if before is None:
        found.append(Problem("ledger", "has no release, so none is current"))
    return [*found, *(_end_problems(before) if is_whole else ())]


def problems_of(release: Release) -> list[str]:
    """Check one release: its own document and signature, and that it follows the one that it names."""
    return [
        *_text_problems(release),
        *_chain_problems(release, release.predecessor),
        *signing.problems(signing.row_of(release), signing.signatures_of(release)),
    ]


def _believed(release: Release, signatures: list[signing.Signature]) -> signing.Signature | None:
    row = signing.row_of(release)
    return next((one for one in signatures if signing.believed(row, [one]) is not None), None)


def _statement_problems(
    signature: signing.Signature, before: signing.Signature | None, *, is_first: bool
) -> Iterator[str]:
    """Check what a statement says about the one before it and about the audit log."""
    text: dict[str, Any] = json.loads(signature.statement)
    earlier = None if before is None else signing.digest_of(before.statement)
    # Without a statement of the one before, that release has its own problem already.
    if (before is not None or is_first) and text["predecessor_statement"] != earlier:
        yield "it follows another statement than that of the release before it"
    if (problem := log_pieces.problem_of(text["log"])) is not None:
        yield problem


def _end_problems(last: Release | None) -> Iterator[Problem]:
    """Check that nothing is missing after the last release."""
    try:
        known = head.noted()
    except head.HeadUnreadable as error:
        yield Problem("ledger", str(error))
        return
    if known is not None and head.is_behind(
        None if last is None else Head(last.sequence, last.sha256), known
    ):
        yield Problem(
            "ledger", f"lacks release {known.sha256}, which was published at place {known.sequence}"
        )


def _text_problems(release: Release) -> Iterator[str]:
    """Check what a row says about its own document."""
    if digest(release.document) != release.sha256:
        yield "the digest of the document is not the published one"
    try:
        # Plain JSON, and not our types: with a later version of them an old text must not look altered.
        document = json.loads(release.document)
        if rfc8785.dumps(document).decode() != release.document:
            yield "the document is not canonical"
        if digest(rfc8785.dumps(document["content"]).decode()) != release.content_sha256:
            yield "the digest of the content is not the published one"
        if document["ruleset_version"] != release.ruleset_version:
            yield f"the document says that it is {document['ruleset_version']}"
        if document["predecessor"] != release.predecessor_id:
            yield f"the document follows {document['predecessor']}, the row {release.predecessor_id}"
        release.read()
    except (ValueError, KeyError, TypeError) as error:
        yield f"the document cannot be read: {error}"


def _chain_problems(release: Release, before: Release | None) -> Iterator[str]:
    """Check that a release follows the one before it."""
    expected = 1 if before is None else before.sequence + 1
    if release.sequence != expected:
        yield f"it is at place {release.sequence} of the chain, not {expected}"
    if before is None and release.predecessor_id is not None:
        yield "it names a predecessor, although it is the first"
    if before is not None and release.predecessor_id != before.sha256:
        yield f"its predecessor is not {before}"
