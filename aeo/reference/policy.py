"""A policy as a table: the sum of rules, field by field, each with its evidence.

Every field of `rules.selectors.policy_fields.PolicyFields` has a label here, in the order in which pages show
them. Airline pages show an airline's policy, country pages that of its authorities for departing flights.
"""

from collections.abc import Mapping, Sequence

from aeo.pages import parts
from aeo.pages.record import Line, Paragraph, Table
from aeo.texts import active, policy, say
from aeo.web.formatting import above, apart, up_to
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.selectors import evidence
from rules.selectors.policy_fields import (
    PolicyFields,
    RequirementField,
    RestrictionField,
    UnitsField,
    WattHourField,
    refusal_instead,
)

PolicyField = WattHourField | UnitsField | RestrictionField | RequirementField

LABELS = policy.LABELS
"""The fields in the order in which pages show them."""

NOUNS_ARE_CAPITALIZED = frozenset({"de"})


def policy_blocks(
    release: Published, fields: PolicyFields, cited: Sequence[Citation]
) -> tuple[Table | Paragraph, ...]:
    """Return the known fields as a table, and the names of the others; empty if none is known.

    `cited` are the sources of the page, in the order of its list.
    """
    numbers = parts.numbered(cited)
    known = [name for name in LABELS if getattr(fields, name) is not None]
    silent = [
        _in_sentence(label(name))
        for name in LABELS
        if name not in known and refusal_instead(fields, name) is None
    ]
    if not known:
        return ()
    rows = tuple(_row(release, name, getattr(fields, name), numbers) for name in known)
    table = Table((say("policy.about"), say("policy.said"), say("policy.evidence")), rows)
    return (table, Paragraph((say("policy.not_said", topics=apart(silent)),))) if silent else (table,)


def label(name: str) -> str:
    """Return the label of a field."""
    return say(f"policy.label.{name}")


def _in_sentence(words: str) -> str:
    if active() in NOUNS_ARE_CAPITALIZED or words[1].isupper():
        return words
    return words[0].lower() + words[1:]


def _row(
    release: Published, name: str, field: PolicyField, numbers: Mapping[Citation, int]
) -> tuple[Line, Line, Line]:
    behind = (source for rule_id in field.rule_ids for source in release.shelf.rules[rule_id].sources)
    cited = evidence.citations(release, behind)
    return (label(name),), (value_words(name, field),), parts.in_brackets(cited, numbers)


def refused_words(name: str, refused: WattHourField) -> str:
    """Return the refusal that answers a field without a value (`refusal_instead`) in words."""
    key = "glance.refused" if name == "max_units_over_100_watt_hour" else "glance.no_approval"
    return say(key, limit=above(refused.bound))


def value_words(name: str, field: PolicyField) -> str:
    """Return the value of a field in words."""
    match field:
        case WattHourField(bound=limit):
            return up_to(limit) if name in policy.UPPER_LIMITS else above(limit)
        case UnitsField(value=units):
            return say("policy.units", units=str(units))
    return say(f"policy.value.{field.value}")
