"""The ledger of releases: how a document becomes text and a digest, and whether the chain is intact.

The text of a release is the canonical JSON (RFC 8785) of its document, its digest the SHA-256 of that text in
UTF-8. Each document names its predecessor's digest, so no release can be changed without changing all later
ones.

Called by the publishing action, by `manage.py release verify`, by the page of a release and by the nightly
task.
"""

import hashlib
import json
from collections.abc import Iterator

import rfc8785

from rules.engine.document import Content, Problem, ReleaseDocument, UnreadableDocument, builtins
from rules.releases.models import Release

FEW = 8
"""How many releases are in memory at once during a check: each can be megabytes."""


def canonical_text(document: ReleaseDocument | Content) -> str:
    """Return the canonical text of a document."""
    return rfc8785.dumps(builtins(document)).decode()


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as 64 lower-case hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_or_none(release: Release | None) -> Content | None:
    """Return the content of a release, empty content for no release; None if it cannot be read."""
    try:
        return Content() if release is None else release.read().content
    except UnreadableDocument:
        return None


def verify_ledger() -> list[Problem]:
    """Check every release and the chain from the first to the current one; empty if all is correct."""
    found: list[Problem] = []
    before: Release | None = None
    for release in Release.objects.order_by("sequence").iterator(chunk_size=FEW):
        found += [
            Problem(f"release {release.ruleset_version}", reason)
            for reason in (*_text_problems(release), *_chain_problems(release, before))
        ]
        before = release
    if before is None:
        found.append(Problem("ledger", "has no release, so none is current"))
    return found


def problems_of(release: Release) -> list[str]:
    """Check one release: its own document, and that it follows the one that it names."""
    return [*_text_problems(release), *_chain_problems(release, release.predecessor)]


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
