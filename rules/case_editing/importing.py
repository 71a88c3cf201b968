"""Cases of files as drafts: what is new in them, and what they say otherwise. Nothing is ended."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.workflow import AGREED, OPEN
from rules.case_editing.actions import change_cases, draft_cases, revise_cases
from rules.case_editing.models import VerdictCase
from rules.cases import Case

REASON = "The imported files say this."


class Differing(NamedTuple):
    """How some cases differ from those here.

    `new` have names that no case here has, `changed` have other words. `occupied` are changed ones that
    someone is writing or reviewing, and `only_here` are in force and not among them.
    """

    new: list[Case]
    changed: list[Case]
    occupied: list[str]
    only_here: list[str]


def differing(cases: Iterable[Case]) -> Differing:
    """Compare cases with those here. Two queries."""
    given = {one.name: one for one in cases}
    agreed = VerdictCase.objects.filter(state__in=AGREED).newest()
    here = {row.name: None if row.withdraws else row.to_record() for row in agreed}
    written = set(VerdictCase.objects.filter(state__in=OPEN).values_list("name", flat=True))
    changed = [one for name, one in given.items() if name in here and here[name] != one]
    return Differing(
        new=[one for name, one in given.items() if name not in here.keys() | written],
        changed=[one for one in changed if one.name not in written],
        occupied=[name for name in given if name in written and here.get(name) != given[name]],
        only_here=sorted(name for name, record in here.items() if record and name not in given),
    )


@transaction.atomic
def import_cases(cases: Iterable[Case], *, by: User) -> Differing:
    """Write what differs as drafts, and return it. Another person approves them; what is occupied stays."""
    found = differing(cases)
    draft_cases(by=by, cases=found.new, reason=REASON)
    if found.changed:
        revise_cases(by=by, names=[one.name for one in found.changed], reason=REASON)
        change_cases(by=by, cases=found.changed)
    return found
