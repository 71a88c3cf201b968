"""What would keep rules out of a release, found before publishing: each is checked against its references.

Reads only. Called by the actions that write rules, which refuse the first problem, and by the form, which
shows all of them.
"""

from collections.abc import Sequence

from django.db.models import QuerySet

from catalog.models import Airline, Country, Device, Jurisdiction, Source
from rules.editing.models import Rule
from rules.engine import document, facts
from rules.engine.document import Content, Problem

NOT_CONFIRMED = "`confidence` is confirmed only if one of the sources is an official page that was read"


def problems_of(rules: Sequence[facts.Rule], *, new: Sequence[facts.Source] = ()) -> list[Problem]:
    """List what is wrong with rules; `where` is the id of the rule. A fixed number of queries.

    `new`: sources that are recorded together with the rules.
    """
    content = Content(
        countries=tuple(Country.objects.all().records()),
        jurisdictions=tuple(Jurisdiction.objects.all().records()),
        sources=(
            *Source.objects.filter(pk__in={name for rule in rules for name in rule.sources}).records(),
            *new,
        ),
        airlines=tuple(
            Airline.objects.filter(pk__in={rule.airline for rule in rules if rule.airline}).records()
        ),
        devices=tuple(
            Device.objects.filter(pk__in={name for rule in rules for name in rule.when.model or ()}).records()
        ),
        rules=tuple(rules),
    )
    return document.problems_of("rule", content)


def wrongly_confirmed(rules: QuerySet[Rule]) -> QuerySet[Rule]:
    """Return those of some rules that are *confirmed* without an official page that was read."""
    confirmed = rules.filter(withdraws=False, confidence="confirmed")
    return confirmed.exclude(evidence__source__basis="official_page_read")
