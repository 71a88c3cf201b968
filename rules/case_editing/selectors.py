"""Which cases are asked: those in force, and what some people's changes would have hidden. Reads only.

The publishing room asks here, and so do the figures of the public pages.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery

from catalog.editorial.workflow import State
from catalog.tables.history import events_of
from catalog.tables.programs import PROGRAMS
from rules.case_editing.models import VerdictCase
from rules.cases import Case, CaseError, case_digest


def cases_in_force() -> tuple[Case, ...]:
    """Return the cases that every release must answer, in the order of the files. One query.

    Raises `CaseError` if there are none, or if this version of the program cannot read one: a release that
    was asked nothing is never published.
    """
    first = VerdictCase.objects.filter(name=OuterRef("name"), revision=1).values("pk")[:1]
    rows = VerdictCase.objects.filter(state=State.PUBLISHED, withdraws=False).annotate(first=Subquery(first))
    # Ordered here, because the order of texts in a database depends on its collation.
    cases = tuple(_read(row) for row in sorted(rows, key=lambda row: (f"{row.topic}.yaml", row.first)))
    if not cases:
        raise CaseError(
            "no verdict case is in force; `manage.py seed` loads those that come with the program"
        )
    return cases


def _read(row: VerdictCase) -> Case:
    try:
        return row.to_record()
    except CaseError as error:
        raise CaseError(f"“{row.name}”: this version of the program cannot read it: {error}") from error


class ChangedCase(NamedTuple):
    """A case that was corrected or ended after it was in force.

    `texts` are the revisions that were in force, the oldest first; the last one counts now. `people` are, for
    each change from one to the next, those who wrote in it, approved it, or wrote in a draft of it that was
    discarded: its words can be written again.
    """

    texts: Sequence[VerdictCase]
    people: Sequence[frozenset[int]]

    def as_before(self, people: Collection[int]) -> Case | None:
        """Return the case before the first change in which one of some people took part.

        None if they took part in none, or if it says now what it said then.
        """
        before = next((n for n, them in enumerate(self.people) if not them.isdisjoint(people)), None)
        if before is None or self.texts[before].withdraws:
            return None
        text, now = _read(self.texts[before]), self.texts[-1]
        if not now.withdraws and case_digest(text) == case_digest(_read(now)):
            return None
        return msgspec.structs.replace(text, name=f"{text.name} (revision {self.texts[before].revision})")


def changed_cases() -> list[ChangedCase]:
    """Return every case that was corrected or ended. One query if there is none, otherwise four.

    Programs are no people: what the starter corpus proposes, a person approves.
    """
    ever = VerdictCase.objects.filter(published_at__isnull=False)
    names = list(ever.filter(revision__gt=1).order_by("name").values_list("name", flat=True).distinct())
    if not names:
        return []
    gone = events_of(VerdictCase).filter(pgh_label="delete", name__in=names)
    discarded: defaultdict[str, list[tuple[int, set[int]]]] = defaultdict(list)
    columns: Any = gone.values_list("name", "revision", "authors")
    for name, revision, authors in columns:
        discarded[name].append((revision, set(authors)))
    programs = set(User.objects.filter(username__in=PROGRAMS).values_list("pk", flat=True))
    rows: dict[str, list[VerdictCase]] = VerdictCase.objects.filter(name__in=names).by_record()
    return [_changed(rows[name], discarded[name], programs) for name in names]


def _changed(
    rows: Sequence[VerdictCase], discarded: Sequence[tuple[int, set[int]]], programs: Collection[int]
) -> ChangedCase:
    texts = [row for row in rows if row.published_at is not None]
    written = [
        *discarded,
        *((row.revision, {*row.authors} | {row.approved_by_id or row.created_by_id}) for row in rows),
    ]
    return ChangedCase(
        texts,
        [
            frozenset(
                person
                for revision, people in written
                if before.revision < revision <= after.revision
                for person in people
                if person not in programs
            )
            for before, after in pairwise(texts)
        ],
    )
