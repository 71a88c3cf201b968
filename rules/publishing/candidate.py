"""What a release published now would be: its content, what blocks publishing it, and what it rests on.

Reads only. Called by the actions that publish and plan, and by the editors' desk.
"""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from rules.case_editing.selectors import ChangedCase, cases_in_force, changed_cases
from rules.cases import Case, Failure, Judged, Outcome, case_digest, digest_of_cases, judge, outcome
from rules.engine.document import Content, Problem, problems
from rules.next_release import compile_content
from rules.publishing.authors import authors_of, authors_of_alone
from rules.publishing.models import AcceptedCase
from rules.publishing.selection import Key
from rules.releases.ledger import canonical_text, content_or_none, digest
from rules.releases.models import Release


class JudgedCase(NamedTuple):
    """A failing case, and its acceptance: None if no reviewer accepted it as it fails now.

    `own_work`: a reviewer who accepted it wrote something that the release would newly contain, so the
    acceptance does not count. `already`: it fails in the current release, with the same words. `earlier`: it
    is a case as it was before an author of this release changed it, see `ChangedCase.as_before`.
    """

    judged: Judged
    accepted: AcceptedCase | None
    own_work: bool = False
    already: bool = False
    earlier: bool = False

    @property
    def blocks_publishing(self) -> bool:
        """Return whether it blocks a release that makes any answer less strict."""
        return self.accepted is None or not self.accepted.counts or self.own_work

    @property
    def is_new(self) -> bool:
        """Return whether it blocks every release."""
        return self.blocks_publishing and not self.already


class Candidate(NamedTuple):
    """Content with its digest and what was found in it.

    Content with `problems` cannot be queried, so no case is run then. `cases` are those in force, and
    `failing` are those that fail, accepted or not.
    """

    content: Content
    content_sha256: str
    problems: list[Problem]
    cases: tuple[Case, ...]
    failing: list[JudgedCase]

    @property
    def asked(self) -> int:
        """Return how many cases were run."""
        return 0 if self.problems else len(self.cases)

    @property
    def against(self) -> list[Problem | Failure]:
        """Return everything that blocks publishing it, if it makes any answer less strict."""
        return self._against(self.unaccepted)

    @property
    def newly_against(self) -> list[Problem | Failure]:
        """Return what blocks publishing it also if no answer becomes less strict."""
        return self._against([one for one in self.failing if one.is_new])

    @property
    def unaccepted(self) -> list[JudgedCase]:
        """Return the failing cases that are not accepted."""
        return [one for one in self.failing if one.blocks_publishing]

    @property
    def rests_on(self) -> list[AcceptedCase]:
        """Return the acceptances without which it could not be published."""
        return [one.accepted for one in self.failing if one.accepted and not one.blocks_publishing]

    def case_details(self) -> dict[str, Any]:
        """Return what the cases said, for the permanent log: an acceptance itself can be reopened."""
        return {
            "cases": self.asked,
            "cases_sha256": digest_of_cases(self.cases),
            "accepted_cases": [_accepted_details(accepted) for accepted in self.rests_on],
            "failing_cases": [one.judged.case.name for one in self.unaccepted],
        }

    def _against(self, cases: Iterable[JudgedCase]) -> list[Problem | Failure]:
        return [*self.problems, *(failure for one in cases for failure in one.judged.failures)]


def candidate(
    cases: Iterable[Case] | None = None,
    content: Content | None = None,
    authors: Collection[int] | None = None,
    *,
    only: Collection[Key] | None = None,
) -> Candidate:
    """Compile the rows, unless content is given, and run the cases on it.

    `cases` are those in force, if none are given. Where an author of what is new changed one of them, the
    case as it was before is asked too; it counts unless it fails in the current release with the same words.
    If who published alone what is current changed it, it counts even then, as the case itself would have.
    `authors` wrote what is new in the content; by default those of the approved revisions, or of the records
    `only`.

    Raises `CaseError` if the cases in force cannot be read.
    """
    content = compile_content() if content is None else content
    asked = cases_in_force() if cases is None else tuple(cases)
    # Read second: a change that is approved in between is seen here, and the case was asked as it was.
    changed = changed_cases() if cases is None else []
    found = problems(content)
    current = Release.objects.without_document().current()
    accepted = {one.name: one for one in AcceptedCase.objects.select_related("created_by", "agreed_by")}
    if authors is None:
        authors = authors_of(current, content, only=only) if changed or accepted else ()
    alone = authors_of_alone() if changed or accepted else frozenset()
    lasting = _as_before(changed, alone)
    earlier = _as_before(changed, authors) | lasting
    judged = [] if found else judge(content, (*asked, *earlier.values()))
    failing = [one for one in judged if one.failures]
    before = _outcomes_in(current, [one.case for one in failing])
    shown = [
        _judged(one, accepted.get(one.case.name), authors, alone, before=before.get(one.case.name))._replace(
            earlier=one.case.name in earlier
        )
        for one in failing
    ]
    return Candidate(
        content=content,
        content_sha256=digest(canonical_text(content)),
        problems=found,
        cases=asked,
        failing=[
            one for one in shown if not (one.earlier and one.already) or one.judged.case.name in lasting
        ],
    )


def _as_before(changed: Iterable[ChangedCase], people: Collection[int]) -> dict[str, Case]:
    """Return the cases as they were before some people took part in changing them, by their names."""
    found = (one.as_before(people) for one in changed)
    return {case.name: case for case in found if case is not None}


def _judged(
    judged: Judged,
    named: AcceptedCase | None,
    authors: Collection[int],
    alone: Collection[int],
    *,
    before: Outcome | None,
) -> JudgedCase:
    """Judge a failing case.

    `before` is how it fails in the current release, None if it passes; `alone` are those who may have broken
    it.
    """
    accepted, already = _about(judged, named), before == outcome(judged)
    people = {accepted.created_by_id, accepted.agreed_by_id} if accepted else set()
    own_work = not people.isdisjoint({*authors, *(alone if already else ())})
    return JudgedCase(judged, accepted, own_work=own_work, already=already)


def _outcomes_in(release: Release | None, cases: Iterable[Case]) -> dict[str, Outcome]:
    """Return how some cases fail in a release; nothing if there is none, or it cannot be read."""
    content = content_or_none(release)
    return {} if content is None else {one.case.name: outcome(one) for one in judge(content, cases)}


def _about(judged: Judged, accepted: AcceptedCase | None) -> AcceptedCase | None:
    if accepted is None or not accepted.is_about(case_digest(judged.case), outcome(judged)):
        return None
    return accepted


def _accepted_details(accepted: AcceptedCase) -> dict[str, Any]:
    """Return an acceptance: whose, why, and of which failure."""
    reviewers = [accepted.created_by, accepted.agreed_by]
    return {
        "case": accepted.name,
        "outcome": accepted.outcome,
        "reason": accepted.reason,
        "by": [reviewer.get_username() for reviewer in reviewers if reviewer],
    }
