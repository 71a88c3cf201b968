"""The proposals of an update: compares the corpus of the files with the recorded data. Reads only.

For each record three things count: the corpus's present content, its earlier content here, and the recorded
content. If the corpus has not changed, there is nothing to do, whatever editors have done to the record. If
the corpus has changed and the record is still as the corpus had it, that is a proposal. If the record was
changed here, it is a conflict.
"""

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from catalog.bulk.cells import differences
from catalog.dates import day_words
from catalog.editorial.workflow import OPEN
from compliance.starter_corpus.kinds import KINDS, Change, Kind
from compliance.starter_corpus.models import UNDECIDED, CorpusProposal, ProposalState
from compliance.starter_corpus.recorded import NOTHING, Here, drafted, recorded


class Difference(NamedTuple):
    """One record with new content in the corpus.

    `conflict` says how it was changed here since the seed, `occupied` why no draft can be opened; both are
    empty if it can simply be proposed. `exists` says whether a row has its id.
    """

    kind: Kind
    record_id: str
    change: Change
    here: Any
    corpus: Any
    reason: str
    conflict: str = ""
    occupied: str = ""
    exists: bool = False

    @property
    def cells(self) -> list[tuple[str, str, str]]:
        """Return the cells that differ: column, text here, text of the corpus."""
        if self.here is not None and self.corpus is not None:
            return differences(self.here, self.corpus)
        record = self.corpus or self.here
        cells = differences(None, record)
        return cells if self.here is None else [(column, text, "") for column, _, text in cells]


class Compared(NamedTuple):
    """The possible proposals of a day's corpus, and the earlier proposals that still wait.

    `drafts` counts the open revisions that updates have drafted.
    """

    corpus: datetime.date
    differences: tuple[Difference, ...]
    waiting: tuple[CorpusProposal, ...]
    drafts: int

    def of(self, kind: Kind) -> list[Difference]:
        """Return those of one kind."""
        return [one for one in self.differences if one.kind == kind]

    @property
    def conflicts(self) -> list[Difference]:
        """Return the records that were changed here."""
        return [one for one in self.differences if one.conflict]

    @property
    def left_alone(self) -> list[Difference]:
        """Return the records that have an open revision."""
        return [one for one in self.differences if one.occupied and not one.conflict]

    @property
    def undecided_conflicts(self) -> list[CorpusProposal]:
        """Return the conflicts of earlier updates."""
        return [one for one in self.waiting if one.state == ProposalState.CONFLICT]


def compare(folder: Path, kinds: Sequence[Kind] = KINDS) -> Compared:
    """Compare the files of a folder with the recorded data. Raises `CannotLoad` for an invalid file."""
    kinds = [kind for kind in kinds if kind.is_in(folder)]
    files = {kind.name: kind.rows(folder).records for kind in kinds}
    corpus = max(source.read_on for source in files["sources"].values())
    here = {kind.name: recorded(kind) for kind in kinds}
    news = _new_policy_changes(files["airlines"], here["airlines"])
    found = tuple(
        difference
        for kind in kinds
        for difference in _differences(kind, files[kind.name], here[kind.name], corpus, news)
    )
    waiting = tuple(CorpusProposal.objects.filter(state__in=UNDECIDED))
    drafts = sum(drafted(kind).filter(state__in=OPEN).count() for kind in kinds if kind.has_revisions)
    return Compared(corpus, found, waiting, drafts)


def _differences(
    kind: Kind,
    files: dict[str, Any],
    here: dict[str, Here],
    corpus: datetime.date,
    news: dict[str, str],
) -> Iterator[Difference]:
    for record_id in (*files, *sorted(here.keys() - files.keys())):
        one, says = here.get(record_id, NOTHING), files.get(record_id)
        change = _change(one, says)
        if change is None or (change == "gone" and not kind.removes):
            continue
        difference = Difference(kind, record_id, change, one.record, says, "", exists=one.exists)
        airline = getattr(says or one.record, "airline", None)
        reason = " ".join(filter(None, [_reason(difference, corpus), news.get(airline or "", "")]))
        yield difference._replace(reason=reason, conflict=_conflict(one), occupied=one.occupied)


def _change(here: Here, says: Any) -> Change | None:
    """Return the corpus's change of a record, None if its content is not new."""
    if says == here.record or (here.said and here.said[-1] == says):
        return None
    if says is None:
        # Records that the corpus never had belong to the editors.
        return "gone" if here.said else None
    return "new" if here.record is None else "changed"


def _conflict(here: Here) -> str:
    """Return how a record was changed here since the last corpus, "" if it was not."""
    if here.record in here.said or (here.record is None and not here.said):
        return ""
    if here.record is None:
        return "was taken out here"
    return "was changed here" if here.said else "says something of its own here"


def _reason(difference: Difference, corpus: datetime.date) -> str:
    of_day = f"the starter corpus of {day_words(corpus)}"
    match difference.change:
        case "new":
            return f"New in {of_day}."
        case "gone":
            return f"No longer in {of_day}."
    columns = ", ".join(column for column, _, _ in difference.cells)
    return f"Changed in {of_day}: {columns}."


def _new_policy_changes(files: dict[str, Any], here: dict[str, Here]) -> dict[str, str]:
    """Return by airline the dated changes of its policy that the corpus did not have before."""
    news = {}
    for code, airline in files.items():
        known = here.get(code, NOTHING)
        before = {change for one in (known.record, *known.said) if one for change in one.changes}
        new = [f"{one.date}: {one.what} ({one.source})." for one in airline.changes if one not in before]
        if new:
            news[code] = " ".join(new)
    return news
