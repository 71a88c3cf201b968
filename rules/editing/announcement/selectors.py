"""What an announcement needs to know of the rules that are there. Reads only."""

import datetime
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import QuerySet

from catalog.editorial.workflow import OPEN
from rules.editing.announcement.lines import Candidate
from rules.editing.announcement.proposals import Notice, Proposal, Refusal, propose
from rules.editing.models import Rule
from rules.editing.rule_sentence import Names
from rules.engine import facts


class Meant(NamedTuple):
    """What an announcement means: proposals, why lines were refused, and the rules that stay as they are."""

    proposals: tuple[Proposal, ...]
    refusals: tuple[Refusal, ...]
    left: tuple[facts.Rule, ...]


def meant(notice: Notice, candidates: Iterable[Candidate], *, names: Names, today: datetime.date) -> Meant:
    """Return what a notice means for the rules as the next release has them. A fixed number of queries."""
    mine = _of_issuer(notice)
    agreed = mine.to_publish().records()
    found = propose(
        notice,
        candidates,
        agreed=agreed,
        open_rules=mine.filter(state__in=OPEN).records(),
        ids=set(_beginning_with(notice.prefix)),
        names=names,
        today=today,
    )
    proposals = tuple(one for one in found if isinstance(one, Proposal))
    touched = {one.before.rule_id for one in proposals if one.before is not None}
    left = (rule for rule in agreed if rule.rule_id not in touched and not _is_over(rule, today))
    return Meant(proposals, tuple(one for one in found if isinstance(one, Refusal)), tuple(left))


def prefix_of(authority: str, jurisdiction: str) -> str:
    """Return how the ids of an authority's rules begin, without years; "" unless all begin alike."""
    theirs = Rule.objects.filter(airline=None, authority=authority, jurisdiction=jurisdiction)
    beginnings = set()
    for name in theirs.order_by().values_list("rule_id", flat=True).distinct():
        beginning = name.rpartition(".")[0].split(".")
        beginnings.add(".".join(part for part in beginning if not part.isdigit()))
    return beginnings.pop() if len(beginnings) == 1 else ""


def _of_issuer(notice: Notice) -> Any:
    if notice.airline is not None:
        return Rule.objects.filter(airline=notice.airline)
    return Rule.objects.filter(airline=None, authority=notice.authority, jurisdiction=notice.jurisdiction)


def _beginning_with(prefix: str) -> QuerySet[Rule, str]:
    named = Rule.objects.filter(rule_id__startswith=f"{prefix}.")
    return named.order_by().values_list("rule_id", flat=True).distinct()


def _is_over(rule: facts.Rule, today: datetime.date) -> bool:
    return rule.effective_until is not None and rule.effective_until < today
