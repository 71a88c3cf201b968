"""The rules that a country's authorities have for domestic flights and not for international ones.

A rule counts if domestic flights are the only departing flights that it applies to, and if neither the
country's rules for departing flights nor the international baseline say the same. Called by the pages of
countries.
"""

from collections.abc import Iterable, Mapping, Sequence

from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.record import Line, Note, Paragraph, Run, Section, Table
from aeo.texts import active, say
from aeo.web.formatting import bracketed, joined, listed
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import INTERNATIONAL, Rule
from rules.engine.matching import CONDUCT, RANK_OF_NATURE
from rules.engine.vocabulary import CODES
from rules.selectors import evidence, rules
from rules.selectors.policy_fields import PolicyFields, policy_fields
from rules.wording.steps import rule_words

BINDING = frozenset({"require", "prohibit"})


def stricter(edition: Edition, own: Sequence[Rule]) -> list[Rule]:
    """Return the rules of a country that are stricter for domestic flights than anything for others.

    `own` are the rules of its authorities in force. Rules that can ban a unit come first.
    """
    baseline = rules.find(edition.release, in_force_on=edition.today, jurisdiction=INTERNATIONAL)
    departing = (rule for rule in own if "departure" in rule.applies)
    elsewhere = [_content(rule) for rule in (*departing, *baseline)]
    found = [
        rule
        for rule in own
        if "domestic" in rule.applies
        and "departure" not in rule.applies
        and rule.effect in BINDING
        and _content(rule) not in elsewhere
    ]
    return sorted(found, key=_is_conduct)


def of_some_flights(edition: Edition, own: Sequence[Rule]) -> tuple[tuple[str, PolicyFields], ...]:
    """Return what the rules say that apply to some departing flights only, by the key of the text for these.

    They are the domestic flights, and the flights of the country's own airlines. `own` as in `stricter`.
    """
    operators = [rule for rule in own if "operator" in rule.applies and "departure" not in rule.applies]
    return (
        ("flights.domestic", policy_fields(stricter(edition, own))),
        ("flights.operator", policy_fields(operators)),
    )


def lead(found: Iterable[Rule], country: str) -> list[str]:
    """Return sentences about the rules that apply to any rating and any number of units."""
    said = dict.fromkeys(rule_words(rule, active()).says for rule in found if _binds_any_unit(rule))
    return [say("country.within.lead", country=country), *said] if said else []


def section(
    release: Published, found: Sequence[Rule], country: str, cited: Sequence[Citation]
) -> tuple[Section, ...]:
    """Return the rules as a table, each rule once with all of its evidence; empty if there is none.

    `cited` are the sources of the page, in the order of its list.
    """
    if not found:
        return ()
    numbers = parts.numbered(cited)
    rows: dict[Line, list[Rule]] = {}
    for rule in found:
        rows.setdefault(_words(release, rule), []).append(rule)
    table = Table(
        (say("country.within.asked"), say("policy.evidence")),
        tuple((line, _evidence(release, those, numbers)) for line, those in rows.items()),
    )
    return (
        Section(
            say("country.within", country=country), (Paragraph((say("country.within.stricter"),)), table)
        ),
    )


def _words(release: Published, rule: Rule) -> Line:
    """Return what a rule says, its conditions, and the other flights to which it applies."""
    words = rule_words(rule, active(), release.shelf.devices)
    line: list[Run] = [joined([words.says, *words.conditions])]
    if others := [say(f"scope.{scope}") for scope in rule.applies if scope != "domestic"]:
        line.append(Note(bracketed(say("country.within.also", flights=listed(others)))))
    return tuple(line)


def _evidence(release: Published, those: Iterable[Rule], numbers: Mapping[Citation, int]) -> Line:
    sources = (source for rule in those for source in rule.sources)
    return parts.in_brackets(evidence.citations(release, sources), numbers)


def _content(rule: Rule) -> tuple[object, ...]:
    return rule.effect, rule.code, rule.params, rule.when


def _is_conduct(rule: Rule) -> bool:
    nature = CODES[rule.code].nature if rule.code else None
    return nature is not None and RANK_OF_NATURE.get(nature, CONDUCT) == CONDUCT


def _binds_any_unit(rule: Rule) -> bool:
    when = rule.when
    bounds = (when.watt_hour_over, when.watt_hour_at_least, when.watt_hour_up_to, when.quantity_over)
    return all(bound is None for bound in (*bounds, when.model))
