"""Which buttons of a roll-back a person can press with success, and otherwise why not. Reads only."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from rules.engine.document import Content
from rules.impact.measurements import MeasuredChanges
from rules.impact.survey import Result
from rules.publishing.authors import authors_of_earlier
from rules.publishing.candidate import Candidate
from rules.publishing.gate import pass_back
from rules.publishing.models import RollBackRequest
from rules.publishing.refusals import ReleaseRefused, SecondPersonMissing
from rules.releases.comparison import compare
from rules.releases.models import Release


class Offer(NamedTuple):
    """The buttons of one who requests and of one who rolls back, and why a person has none of them."""

    may_request: bool
    may_do: bool
    why_not: str = ""


def offer(
    user: User,
    current: Release,
    earlier: Release,
    *,
    before: Content | None,
    found: Candidate | None,
    changes: MeasuredChanges | None,
    requests: Iterable[RollBackRequest],
) -> Offer:
    """Return what a person can do. `found` is the earlier content with its cases; None if unreadable."""
    if found is None:
        return Offer(False, False, "It cannot be published again, because it cannot be read or checked.")
    if earlier.content_sha256 == current.content_sha256:
        return Offer(False, False, "It says the same as the current release, so there is nothing to do.")
    if changes is not None and changes.result is None:
        return Offer(False, False, "The changes must be measured first.")
    try:
        pass_back(found, current, earlier, by=user, now=timezone.now())
    except SecondPersonMissing as refused:
        requests = list(requests)
        if any(one.created_by == user for one in requests):
            return Offer(False, False, "You requested it, so another publisher has to do it.")
        if any(may(one.created_by, EditorAction.ROLL_BACK, Release) for one in requests):
            return Offer(False, False, _sentence(refused))
        if before and changes and _wrote(user, earlier, before, found.content, changes.result):
            return Offer(
                False,
                False,
                "You wrote what would make answers less strict, so two other people must request and do it.",
            )
        return Offer(True, False)
    except ReleaseRefused as refused:
        return Offer(False, False, _sentence(refused))
    return Offer(False, True)


def _wrote(user: User, earlier: Release, before: Content, after: Content, result: Result | None) -> bool:
    """Return whether a person wrote what would make answers less strict."""
    causes = {(one.record.kind, one.record.record_id) for one in result.causes} if result else set()
    milder = [one for one in compare(before, after) if (one.kind, one.id) in causes]
    return user.pk in authors_of_earlier(earlier, after, milder)


def _sentence(refused: ReleaseRefused) -> str:
    return f"It cannot be rolled back now: {refused}."
