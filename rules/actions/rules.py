"""The only writers of rules: draft, approve.

Each verb writes all or nothing and says who did it (`by=`). A rule reaches verdicts with the first release
after its approval. All of them raise what `catalog.errors` names.
"""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict

from catalog.actions.approving import approve
from catalog.actions.writing import insert, insert_evidence
from catalog.errors import Unfit
from catalog.models import Airline, Country, Jurisdiction, Source
from rules.engine import facts
from rules.engine.document import Content, problems
from rules.models.rule import Rule, RuleEvidence


@transaction.atomic
def draft_rules(*, by: User, rules: Sequence[facts.Rule]) -> None:
    """Write new rules, for somebody else to approve. No rule gets in that the engine could not read."""
    now = timezone.now()
    insert(
        [
            Rule(
                rule_id=rule.rule_id,
                issuer=rule.issuer,
                authority=rule.authority,
                jurisdiction=rule.jurisdiction,
                airline_id=rule.airline,
                applies=list(rule.applies),
                **asdict(rule.when),
                effect=rule.effect,
                code=rule.code,
                **asdict(rule.params),
                effective_from=rule.effective_from,
                effective_until=rule.effective_until,
                summary=rule.summary,
                confidence=rule.confidence,
                created_at=now,
                created_by=by,
            )
            for rule in rules
        ]
    )
    _refuse_unreadable(rules)
    insert_evidence(RuleEvidence, "rule_id", {rule.rule_id: rule.sources for rule in rules})


def draft_rule(*, by: User, rule: facts.Rule) -> None:
    """Write one new rule."""
    draft_rules(by=by, rules=[rule])


def approve_rules(*, by: User, rule_ids: Sequence[str]) -> None:
    """Approve drafts that somebody else wrote."""
    approve(Rule, by=by, ids=rule_ids)


def approve_rule(*, by: User, rule_id: str) -> None:
    """Approve one draft."""
    approve_rules(by=by, rule_ids=[rule_id])


def _refuse_unreadable(rules: Sequence[facts.Rule]) -> None:
    """Check rules as a release would, against what they refer to.

    Raises `Unfit` for the first that cannot be read.
    """
    content = Content(
        countries=tuple(Country.objects.all().records()),
        jurisdictions=tuple(Jurisdiction.objects.all().records()),
        sources=tuple(
            Source.objects.filter(pk__in={name for rule in rules for name in rule.sources}).records()
        ),
        airlines=tuple(
            Airline.objects.filter(pk__in={rule.airline for rule in rules if rule.airline}).records()
        ),
        rules=tuple(rules),
    )
    for problem in problems(content):
        kind, _, name = problem.where.partition(" ")
        # What stands in the tables already may be at fault too, but is not what is being written.
        if kind == "rule":
            raise Unfit(name, problem.reason)
