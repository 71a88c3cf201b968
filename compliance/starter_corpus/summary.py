"""The output of `manage.py corpus update`. Pure text about the comparison and the written proposals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from compliance.starter_corpus.actions import Proposed
from compliance.starter_corpus.comparing import Compared, Difference
from compliance.starter_corpus.kinds import KINDS

LONGEST = 160
"""How much of a text is printed; the desk shows all of it."""


def comparison(compared: Compared, *, with_all: bool) -> Iterator[str]:
    """Yield what is new in the corpus, what conflicts with records here, and what is skipped."""
    yield f"The starter corpus of {compared.corpus} against what is recorded here:"
    yield from _counts(compared.differences)
    if with_all:
        for one in compared.differences:
            if not one.conflict and not one.occupied:
                yield f"  {one.change} {_name(one)}: {one.reason}"
    if compared.conflicts:
        yield f"Conflicts ({len(compared.conflicts)}). These were changed here, and stay as they are:"
        for one in compared.conflicts:
            yield f"  {_name(one)} {one.conflict}:"
            yield from _both(one)
    if compared.left_alone:
        yield f"Left alone ({len(compared.left_alone)}). These have open revisions; update again later:"
        for one in compared.left_alone:
            yield f"  {_name(one)}: {one.occupied}"
    if compared.waiting or compared.drafts:
        states = Counter(one.get_state_display().lower() for one in compared.waiting)
        counts = [("draft", compared.drafts), *sorted(states.items())]
        yield f"Not decided yet: {', '.join(f'{count} {state}' for state, count in counts if count)}."


def proposed(done: Proposed) -> Iterator[str]:
    """Yield the proposals and the refused records."""
    drafts = sum(one.kind.has_revisions for one in done.done)
    evidence = sum(one.kind.is_evidence and one.change == "new" for one in done.done)
    yield (
        f"Proposed: {drafts} draft revisions, {len(done.done) - drafts - evidence} changes in place and "
        f"{len(done.compared.conflicts)} conflicts. Recorded: {evidence} sources that the drafts cite."
    )
    for one, why in done.refused:
        yield f"  Refused: {_name(one)}: {why}"
    yield "Nothing is published. Editors decide at the desk: docs/corpus-update.md says how."


def _counts(differences: Sequence[Difference]) -> Iterator[str]:
    yield f"  {'':<14}{'new':>8}{'changed':>9}{'gone':>7}{'conflict':>10}{'left alone':>12}"
    for kind in KINDS:
        counts = Counter(map(_column, (one for one in differences if one.kind == kind)))
        if counts:
            yield (
                f"  {kind.name:<14}{counts['new']:>8}{counts['changed']:>9}{counts['gone']:>7}"
                f"{counts['conflict']:>10}{counts['left alone']:>12}"
            )
    if not differences:
        yield "  nothing new"


def _column(one: Difference) -> str:
    return "conflict" if one.conflict else "left alone" if one.occupied else one.change


def _name(one: Difference) -> str:
    return f"{one.kind.name} {one.record_id}"


def _both(one: Difference) -> Iterable[str]:
    if one.corpus is None:
        yield "      the corpus has it no more"
        return
    for column, here, corpus in one.cells:
        yield f"      {column}: here {_short(here)} | corpus {_short(corpus)}"


def _short(text: str) -> str:
    line = " / ".join(text.split("\n")) or "nothing"
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
