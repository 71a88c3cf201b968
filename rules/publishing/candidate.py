"""What a release published now would be: its content, what blocks publishing it, and what it rests on.

Reads only. Called by the actions that publish and plan, and by the editors' desk.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rules.cases import Case, Failure, Judged, case_digest, judge, outcome
from rules.engine.document import Content, Problem, problems
from rules.next_release import compile_content
from rules.publishing.models import AcceptedCase
from rules.releases.ledger import canonical_text, digest


class JudgedCase(NamedTuple):
    """A failing case, and its acceptance: None if no reviewer accepted it as it fails now."""

    judged: Judged
    accepted: AcceptedCase | None

    @property
    def blocks_publishing(self) -> bool:
        """Return whether it blocks publishing."""
        return self.accepted is None or not self.accepted.counts


class Candidate(NamedTuple):
    """Content with its digest and what was found in it.

    Content with `problems` cannot be queried, so no case is run then: `asked` is how many were run, and
    `failing` are those that fail, accepted or not.
    """

    content: Content
    content_sha256: str
    problems: list[Problem]
    asked: int
    failing: list[JudgedCase]

    @property
    def against(self) -> list[Problem | Failure]:
        """Return everything that blocks publishing it."""
        unaccepted = [one.judged for one in self.failing if one.blocks_publishing]
        return [*self.problems, *(failure for judged in unaccepted for failure in judged.failures)]

    @property
    def rests_on(self) -> list[AcceptedCase]:
        """Return the acceptances without which it could not be published."""
        return [one.accepted for one in self.failing if one.accepted and one.accepted.counts]


def candidate(cases: Iterable[Case], content: Content | None = None) -> Candidate:
    """Compile the rows, unless content is given, and run the cases on it."""
    content = compile_content() if content is None else content
    found = problems(content)
    judged = [] if found else judge(content, cases)
    accepted = {one.name: one for one in AcceptedCase.objects.select_related("created_by", "agreed_by")}
    return Candidate(
        content=content,
        content_sha256=digest(canonical_text(content)),
        problems=found,
        asked=len(judged),
        failing=[JudgedCase(one, _about(one, accepted.get(one.case.name))) for one in judged if one.failures],
    )


def _about(judged: Judged, accepted: AcceptedCase | None) -> AcceptedCase | None:
    if accepted is None or not accepted.is_about(case_digest(judged.case), outcome(judged)):
        return None
    return accepted
