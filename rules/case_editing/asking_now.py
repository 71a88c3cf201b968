"""One case, asked of the release in force and of what would be published now. Reads only."""

from typing import NamedTuple

from rules import corpus
from rules.case_editing.models import VerdictCase
from rules.cases import Answered, Case, answered
from rules.corpus import CorpusUnavailable
from rules.engine.document import problems
from rules.next_release import compile_content


class Asked(NamedTuple):
    """How one content answers a case; `why_not` says why it cannot be asked."""

    title: str
    answer: Answered | None
    why_not: str = ""


def ask_now(row: VerdictCase) -> list[Asked]:
    """Return the answer of the release in force, and that of what would be published now."""
    case = row.to_record()
    return [_in_force(case), _to_be_published(case)]


def _in_force(case: Case) -> Asked:
    try:
        release = corpus.current()
    except CorpusUnavailable:
        return Asked("The release in force", None, "No release is published yet.")
    title = f"Release {release.ruleset_version}, in force"
    return Asked(title, answered(release.corpus.content, case))


def _to_be_published(case: Case) -> Asked:
    title, content = "What would be published now", compile_content()
    if found := problems(content):
        return Asked(title, None, f"Nothing can be asked: {found[0].where}: {found[0].reason}.")
    return Asked(title, answered(content, case))
