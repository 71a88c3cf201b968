"""Changes of the starter corpus, made by machine: some make an answer milder, and some cannot.

Each planted leniency comes with a question that gets milder, found by asking the engine at random. A change
for which no such question is found is not counted.
"""

import datetime
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from catalog.records import Certificate
from recalls.serials import AffectedSerials
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import Leg, Question, Rule, Unit
from rules.engine.matching import bans, unproven
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)
from rules.impact.survey.outcomes import milder
from tests.rules.impact.asking import outcome
from tests.support.starter import NOW, starter_content

TODAY = NOW.date()
START = starter_content()
IN_A_YEAR = TODAY + datetime.timedelta(days=367)
BANNING = [one for one in START.rules if bans(one) or unproven(one)]
"""The rules that can decide against a unit. Others only say how to travel."""


class Planted(NamedTuple):
    """A change, what it is about, and a question that gets milder, if any is known."""

    name: str
    before: Content
    after: Content
    question: Question | None = None


class About(NamedTuple):
    """Where to look for a milder answer: what the changed record is about. None means anything."""

    airline: str | None = None
    country: str | None = None
    model: str | None = None
    serials: tuple[str, ...] = ()


Change = tuple[str, Content, Content, About]


def changed(content: Content, kind: str, old: Any, *new: Any) -> Content:
    """Return some content with other records in place of one."""
    rows = tuple(one for row in getattr(content, kind) for one in (new if row == old else (row,)))
    return replace(content, **{kind: rows})


def about(rule: Rule) -> About:
    model = rule.when.model[0] if rule.when.model else None
    return About(rule.airline, None if rule.airline else rule.jurisdiction, model)


# --- Leniencies -------------------------------------------------------------------------------------------


def a_rule_removed(rng: random.Random) -> Change:
    rule = rng.choice(BANNING)
    return f"{rule.rule_id} removed", START, changed(START, "rules", rule), about(rule)


def a_rule_narrowed(rng: random.Random) -> Change:
    rule = rng.choice(BANNING)
    when = rng.choice(
        [
            replace(rule.when, compartment=("checked",)),
            replace(rule.when, condition=("damaged",)),
            replace(rule.when, quantity_over=4),
        ]
    )
    return (
        f"{rule.rule_id} narrowed",
        START,
        changed(START, "rules", rule, replace(rule, when=when)),
        about(rule),
    )


def a_rule_dated(rng: random.Random) -> Change:
    rule = rng.choice(BANNING)
    last = rng.choice([TODAY, TODAY + datetime.timedelta(days=30), IN_A_YEAR - datetime.timedelta(days=1)])
    dated = replace(rule, effective_until=last)
    return f"{rule.rule_id} ends on {last}", START, changed(START, "rules", rule, dated), about(rule)


def a_permit_widened(rng: random.Random) -> Change:
    rule = rng.choice([one for one in START.rules if one.effect == "permit" and one.when.watt_hour_up_to])
    wider = replace(rule, when=replace(rule.when, watt_hour_up_to=Decimal(rng.choice((160, 400)))))
    return f"{rule.rule_id} wider", START, changed(START, "rules", rule, wider), about(rule)


def a_permit_added(rng: random.Random) -> Change:
    rule = rng.choice([one for one in START.rules if one.effect == "permit"])
    before = changed(START, "rules", rule)
    return f"{rule.rule_id} added", before, START, about(rule)


def a_quantity_raised(rng: random.Random) -> Change:
    rule = rng.choice([one for one in START.rules if one.code == "max_units"])
    more = replace(
        rule, params=replace(rule.params, max_units=min(MAX_QUANTITY, (rule.params.max_units or 0) + 1))
    )
    return f"{rule.rule_id} raised", START, changed(START, "rules", rule, more), about(rule)


def an_energy_lowered(rng: random.Random) -> Change:
    device = rng.choice([one for one in START.devices if one.watt_hour is None or one.watt_hour > 95])
    lower = replace(device, watt_hour=Decimal(40), watt_hour_basis="rated")
    name = device.model_id
    return f"{name} of less energy", START, changed(START, "devices", device, lower), About(model=name)


def a_pattern_narrowed(rng: random.Random) -> Change:
    recall = rng.choice(
        [
            one
            for one in START.recalls
            if one.affected_serials.pattern and one.affected_serials.affected_samples
        ]
    )
    serials = recall.affected_serials
    kept, *gone = serials.affected_samples
    narrower = rng.choice(
        [
            replace(serials, scope="serial_pattern", pattern=f"^{kept}$", exhaustive=rng.random() < 0.5),
            AffectedSerials(scope="sale_dates", identifier=serials.identifier),
        ]
    )
    after = changed(START, "recalls", recall, replace(recall, affected_serials=narrower))
    found = About(model=recall.model_id, serials=(*gone, kept, *serials.unaffected_samples))
    return f"{recall.recall_id} narrowed", START, after, found


def a_recall_removed(rng: random.Random) -> Change:
    recall = rng.choice(START.recalls)
    serials = recall.affected_serials.affected_samples
    after = changed(START, "recalls", recall)
    return f"{recall.recall_id} removed", START, after, About(model=recall.model_id, serials=serials)


def a_country_moved(rng: random.Random) -> Change:
    members = [one for one in START.jurisdictions if one.member_of]
    place = rng.choice(members)
    outside = changed(START, "jurisdictions", place, replace(place, member_of=()))
    sides = rng.choice([(START, outside), (outside, START)])
    return f"{place.code} moved", *sides, About(country=place.code)


def an_airline_moved(rng: random.Random) -> Change:
    airline = rng.choice(START.airlines)
    home = rng.choice(START.countries).code
    after = changed(START, "airlines", airline, replace(airline, country=home))
    return f"{airline.airline} based in {home}", START, after, About(airline=airline.airline)


def a_confidence_raised(rng: random.Random) -> Change:
    airline = rng.choice([one for one in START.airlines if one.confidence == "unverified"])
    after = changed(START, "airlines", airline, replace(airline, confidence="reported"))
    return f"{airline.airline} trusted", START, after, About(airline=airline.airline)


def a_model_not_named(rng: random.Random) -> Change:
    rule = rng.choice([one for one in START.rules if one.when.model])
    model = rng.choice(rule.when.model or ())
    left = tuple(name for name in rule.when.model or () if name != model)
    after = changed(START, "rules", rule, replace(rule, when=replace(rule.when, model=left)))
    return f"{model} not named", START, after, About(rule.airline, model=model)


def a_doubt_removed(rng: random.Random) -> Change:
    device = rng.choice([one for one in START.devices if one.watt_hour and not one.certificates])
    source = next(one.id for one in START.sources if one.citable)
    doubt = Certificate(mark="CCC", status=rng.choice(("suspended", "revoked")), source=source)
    before = changed(START, "devices", device, replace(device, certificates=(doubt,)))
    later = replace(doubt, since=None, until=TODAY + datetime.timedelta(days=rng.choice((0, 9, 400))))
    after = changed(START, "devices", device, replace(device, certificates=rng.choice(((), (later,)))))
    return f"{device.model_id} in no doubt", before, after, About(country="CN", model=device.model_id)


LENIENCIES: tuple[Callable[[random.Random], Change], ...] = (
    a_rule_removed,
    a_rule_narrowed,
    a_rule_dated,
    a_permit_widened,
    a_permit_added,
    a_quantity_raised,
    an_energy_lowered,
    a_pattern_narrowed,
    a_recall_removed,
    a_country_moved,
    an_airline_moved,
    a_confidence_raised,
    a_model_not_named,
    a_doubt_removed,
)


# --- A search that knows nothing of the survey ------------------------------------------------------------

_DAYS = (TODAY, TODAY, TODAY + datetime.timedelta(days=31), IN_A_YEAR, TODAY + datetime.timedelta(days=500))


_HOMES = {row.airline: row.country for row in START.airlines}


def _values(of: Any) -> tuple[Any, ...]:
    return get_args(of)


def a_question(rng: random.Random, where: About) -> Question:
    airline = where.airline or rng.choice(START.airlines).airline
    home = _HOMES[airline]
    places = [home, rng.choice(START.countries).code]
    if where.country and len(where.country) == 2:
        places[rng.randrange(2)] = where.country
    if rng.random() < 0.3:
        places = [places[0]] * 2
    rng.shuffle(places)
    serial = rng.choice((None, *where.serials))
    return Question(
        unit=Unit(
            model_id=where.model or rng.choice(START.devices).model_id,
            quantity=rng.choice((1, 1, 2, 3, 4, 5, 20)),
            ccc_mark=rng.choice(_values(MarkIndication)),
            capacity_label=rng.choice(("legible", *_values(LabelIndication))),
            condition=rng.choice(("intact", *_values(UnitCondition))),
            recall_check=rng.choice(_values(ListAnswer)[:2]),
            serial=serial,
        ),
        leg=Leg(places[0], places[1], airline),
        travel_date=rng.choice(_DAYS),
        compartment_intent=rng.choice(_values(Compartment)),
    )


def planted(seed: int, *, number: int, tries: int = 300) -> Iterator[Planted]:
    """Plant leniencies, each kind as often as the others, with a question that gets milder."""
    rng = random.Random(seed)
    found = 0
    while found < number:
        name, before, after, where = LENIENCIES[found % len(LENIENCIES)](rng)
        sides = Corpus(before), Corpus(after)
        for _ in range(tries):
            question = a_question(rng, where)
            if milder(*(outcome(side, question) for side in sides)):
                found += 1
                yield Planted(name, before, after, question)
                break


# --- Harmless edits ---------------------------------------------------------------------------------------


def _stricter_rule(rng: random.Random) -> Content:
    rule = rng.choice([one for one in START.rules if one.code == "max_units"])
    return changed(START, "rules", rule, replace(rule, params=replace(rule.params, max_units=1)))


def _prohibition(rng: random.Random) -> Content:
    like = rng.choice([one for one in START.rules if one.effect == "prohibit"])
    return replace(START, rules=(*START.rules, replace(like, rule_id="a.new-one", when=like.when)))


def _permit_gone(rng: random.Random) -> Content:
    return changed(START, "rules", rng.choice([one for one in START.rules if one.effect == "permit"]))


def _texts(rng: random.Random) -> Content:
    rule = rng.choice(START.rules)
    return changed(START, "rules", rule, replace(rule, summary="Said in another way.", confidence="reported"))


def _read_again(rng: random.Random) -> Content:
    source = rng.choice(START.sources)
    return changed(START, "sources", source, replace(source, read_on=TODAY))


def _more_energy(rng: random.Random) -> Content:
    device = rng.choice([one for one in START.devices if one.watt_hour and one.watt_hour_basis == "rated"])
    more = replace(device, watt_hour=(device.watt_hour or 0) * 2)
    return changed(START, "devices", device, more)


def _words(rng: random.Random) -> Content:
    device, airline = rng.choice(START.devices), rng.choice(START.airlines)
    content = changed(START, "devices", device, replace(device, release_year=2024, notes="Seen."))
    return changed(content, "airlines", airline, replace(airline, summary="Other words."))


def _wider_recall(rng: random.Random) -> Content:
    recall = rng.choice([one for one in START.recalls if one.affected_serials.scope == "serial_pattern"])
    serials = recall.affected_serials
    wider = replace(serials, pattern=f"^({(serials.pattern or '').strip('^$')}|NEW[0-9]{{4}})$")
    return changed(START, "recalls", recall, replace(recall, affected_serials=wider))


def _all_units(rng: random.Random) -> Content:
    recall = rng.choice(START.recalls)
    every = AffectedSerials(scope="all_units", identifier="model", pattern="^.*$")
    return changed(START, "recalls", recall, replace(recall, affected_serials=every))


def _ends_never(rng: random.Random) -> Content:
    rule = rng.choice([one for one in START.rules if one.effect == "prohibit" and one.effective_from])
    return changed(START, "rules", rule, replace(rule, effective_from=None))


def _trust_lost(rng: random.Random) -> Content:
    airline = rng.choice([one for one in START.airlines if one.confidence != "unverified"])
    return changed(START, "airlines", airline, replace(airline, confidence="unverified"))


def _suspended(rng: random.Random) -> Content:
    device = rng.choice([one for one in START.devices if not one.certificates])
    source = next(one.id for one in START.sources if one.citable)
    doubt = Certificate(mark="CCC", status=rng.choice(("suspended", "revoked")), source=source)
    return changed(START, "devices", device, replace(device, certificates=(doubt,)))


HARMLESS: tuple[Callable[[random.Random], Content], ...] = (
    _stricter_rule,
    _prohibition,
    _permit_gone,
    _texts,
    _read_again,
    _more_energy,
    _words,
    _wider_recall,
    _all_units,
    _ends_never,
    _trust_lost,
    _suspended,
)
"""Edits that make no answer milder."""


def harmless(seed: int, *, number: int) -> Iterator[tuple[str, Content]]:
    """Return edits of each kind in turn."""
    rng = random.Random(seed)
    for at in range(number):
        edit = HARMLESS[at % len(HARMLESS)]
        yield edit.__name__.strip("_"), edit(rng)
