"""Verdict cases as a kind of record of the starter corpus: how they are drafted, revised and ended."""

from catalog.editorial.bulk import RevisionTable
from rules.case_editing import actions
from rules.case_editing.models import VerdictCase
from rules.cases import Case


class CaseEntry(Case, frozen=True, kw_only=True):
    """A case with its revision and state."""

    revision: int | None = None
    state: str = ""


CASES = RevisionTable(
    model=VerdictCase,
    record_type=Case,
    entry_type=CaseEntry,
    key="name",
    order=("topic", "name", "revision"),
    record=lambda by, found: actions.draft_cases(by=by, cases=found),
    revise=lambda by, names, reason: actions.revise_cases(by=by, names=names, reason=reason),
    change=lambda by, found: actions.change_cases(by=by, cases=found),
)
