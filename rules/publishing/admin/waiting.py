"""Releases that one person published alone and that wait for a second approval, as one page shows them.

One look is enough: what all of them changed together is shown, and one approval ends the waiting of all.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from rules.editing.models import Rule
from rules.publishing.admin.shown_changes import ShownKind, differences
from rules.publishing.models import SoloRelease
from rules.releases.ledger import content_or_none
from rules.releases.models import Release


class ShownWaiting(NamedTuple):
    """The releases that wait, oldest first, and those that the reader can approve, which come first.

    `changes` is what those changed together, or all of them if the reader can approve none; None if this
    version of the program cannot read them.
    """

    releases: list[SoloRelease]
    own: SoloRelease | None
    approvable: list[SoloRelease]
    changes: list[ShownKind] | None

    @property
    def last(self) -> SoloRelease:
        """Return the release whose approval ends the waiting of all that the reader can approve."""
        return self.approvable[-1]


def may_approve(user: Any) -> bool:
    """Return whether a user may give the second approval to a release that others published and wrote."""
    return may(user, EditorAction.PUBLISH, Release) or may(user, EditorAction.APPROVE, Rule)


def shown_waiting(reader: Any) -> ShownWaiting | None:
    """Return what waits for a second approval; None if nothing does.

    An approval is for a release and for all that wait before it, so it ends before the first own one.
    """
    releases = list(SoloRelease.objects.waiting())
    if not releases:
        return None
    own = next((one for one in releases if reader.pk in one.authors), None)
    approvable = alone_approvable_by(reader, releases)
    return ShownWaiting(releases, own, approvable, _changes(approvable or releases))


def alone_approvable_by(reader: Any, releases: Sequence[SoloRelease]) -> list[SoloRelease]:
    """Return those of the releases that wait, oldest first, which a reader can approve: up to an own one."""
    return list(takewhile(lambda one: reader.pk not in one.authors, releases))


def _changes(releases: list[SoloRelease]) -> list[ShownKind] | None:
    before = content_or_none(releases[0].release.predecessor)
    after = content_or_none(releases[-1].release)
    return None if before is None or after is None else differences(before, after)
