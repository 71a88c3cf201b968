"""Whether the ledger may be believed, so that a publisher may build on it.

What is published is compared with the current release. So with a forged one, everything that it already
permits would pass the gate. Called before anything is measured, and again when a release is added.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings

from rules.publishing.refusals import KeyMissing, NotTrusted
from rules.releases import head, signing
from rules.releases.head import Head
from rules.releases.ledger import digest
from rules.releases.models import Release


class Stated(NamedTuple):
    """A statement about a release: the signed text, and its fields."""

    text: str
    fields: Mapping[str, Any]


def trusted_statement(current: Release | None) -> Stated | None:
    """Return what was signed about the current release; None if there is none.

    Raises `KeyMissing` if this process could not sign the next one, and `NotTrusted` if the current one is
    not signed, or is not the last one that was published.
    """
    if not settings.RELEASE_KEY:
        raise KeyMissing
    refuse_removal(current)
    return None if current is None else refuse_unsigned(current)


def note_last() -> None:
    """Note the last release of the ledger, if it may be believed and is later than what was noted."""
    current = Release.objects.without_document().current()
    if current is not None and not signing.problems(signing.row_of(current), signing.signatures_of(current)):
        head.note_published(Head(current.sequence, current.sha256))


def refuse_unsigned(release: Release) -> Stated:
    """Refuse a release that no known key has signed as it is. Raises `NotTrusted`."""
    if digest(release.document) != release.sha256:
        raise NotTrusted(f"the document of release {release} does not have its published digest")
    row, signatures = signing.row_of(release), signing.signatures_of(release)
    for one in signatures:
        if (fields := signing.believed(row, [one])) is not None:
            return Stated(one.statement, fields)
    raise NotTrusted(f"release {release}: {'; '.join(signing.problems(row, signatures))}")


def refuse_removal(current: Release | None) -> None:
    """Refuse a ledger that ends before the last release that was noted. Raises `NotTrusted`."""
    try:
        known = head.noted()
    except head.HeadUnreadable as error:
        raise NotTrusted(str(error)) from error
    last = None if current is None else Head(current.sequence, current.sha256)
    if known is not None and head.is_behind(last, known):
        raise NotTrusted(f"release {known.sha256} at place {known.sequence} is missing")
