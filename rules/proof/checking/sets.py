"""Proves one set of rules: both programs judge each kind of unit on its example flight, and promises hold."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from rules.engine.vocabulary import STRICTNESS
from rules.proof.checking.cells import (
    COMPARTMENTS,
    CONDITIONS,
    LABELS,
    LIST_ANSWERS,
    MARKS,
    Energy,
    Tree,
    Unit,
)
from rules.proof.checking.findings import Found, Tally
from rules.proof.checking.flights import RuleSet
from rules.proof.checking.judging import Answer, Asked, Ground, body_of, in_words
from rules.proof.checking.promises import ALLOWED, Broken, Kinds, broken_in

MOST_ASKED = 5
"""How many findings of a set, or of a selection, are looked for among the models of the catalog."""

QUANTITIES = (1, 2, 3, 20)

WHOLE_QUESTIONS = 2_000
"""How many whole questions about real models are compared at least."""


def prove(ground: Ground, one: RuleSet, *, merged: bool = True) -> Tally:
    """Judge every kind of unit. Raises `ReferenceFailed`.

    `merged` may be false for small releases: then every unit is judged.
    """
    tally = Tally(sets=1)
    rules = ground.rules(one)
    kinds = []
    for energy in ground.energies(rules):
        tree = Tree(energy, rules, ground.domain(energy, one.day), merged=merged)
        kinds.append(_judged(ground, one, energy, tree, tally))
    domestic = one.leg[0] == one.leg[1]
    for number, broken in enumerate(broken_in(kinds, ground.records.rules, domestic=domestic)):
        tally.breaks(_described(ground, one, broken, is_asked=number < MOST_ASKED))
    return tally


def _judged(ground: Ground, one: RuleSet, energy: Energy, tree: Tree, tally: Tally) -> Kinds:
    """Judge the kinds of units with one energy, and compare what both programs say."""
    units = tree.units()
    others = list(tree.others())
    every = [*units, *(unit for _, unit in others)]
    asked = [ground.asked(energy, unit) for unit in every]
    engine = ground.by_engine(one.leg, one.day, asked)
    reference = ground.by_reference(one.leg, one.day, asked)
    tally.cells += len(asked)
    for unit, mine, theirs in zip(asked, engine, reference, strict=True):
        if mine != theirs:
            question = None
            if tally.differing < MOST_ASKED:
                question = asked_of_models(ground, one.leg, one.day, [unit])
            tally.differs(
                Found(
                    sort="cell",
                    about=_about(one, energy, unit),
                    engine=in_words(mine),
                    reference=in_words(theirs),
                    question=question,
                )
            )
    for (leaf, _), unit, mine in zip(others, asked[len(units) :], engine[len(units) :], strict=True):
        if mine.verdict != engine[leaf].verdict:
            tally.differs(
                Found(
                    sort="kind",
                    about=_about(one, energy, unit),
                    engine=in_words(mine),
                    reference=f"{in_words(engine[leaf])} for a unit that no rule tells apart",
                )
            )
    return Kinds(energy, tree, units, engine[: len(units)])


def _about(one: RuleSet, energy: Energy, unit: Asked) -> str:
    origin, destination, airline = one.leg
    figure = "unknown" if energy.figure is None else f"{energy.figure / 100:.2f} Wh {energy.basis}"
    facts = (
        f"{unit.compartment}, {unit.quantity} units, mark {unit.ccc_mark}, label {unit.capacity_label}, "
        f"condition {unit.condition}, list {unit.recall_check}"
    )
    return f"{airline} {origin}-{destination} on {one.day}: {energy.model or 'a unit'}, {figure}, {facts}"


def asked_of_models(
    ground: Ground, leg: Sequence[str], day: str, units: Iterable[Asked]
) -> dict[str, Any] | None:
    """Return a question about a model of the catalog that both programs answer differently, if there is one.

    One with another verdict is preferred.
    """
    variants = [
        unit._replace(model_id=name, serial=None, serial_hash=None)
        for unit in units
        for name in ground.records.devices
    ]
    engine, reference = (
        ground.by_engine(leg, day, variants),
        ground.by_reference(leg, day, variants),
    )
    differing = [
        (unit, mine.verdict == theirs.verdict)
        for unit, mine, theirs in zip(variants, engine, reference, strict=True)
        if mine != theirs
    ]
    if not differing:
        return None
    return body_of(leg, day, min(differing, key=lambda pair: pair[1])[0])


def compare_whole_questions(ground: Ground, days: Sequence[str], tally: Tally) -> None:
    """Compare whole questions about real models, with each model, airline and country in one at least."""
    records = ground.records
    models, airlines, countries = list(records.devices), list(records.airlines), records.countries
    if not (models and airlines and countries):
        return
    facts = list(product(COMPARTMENTS, CONDITIONS, MARKS, LIST_ANSWERS, QUANTITIES))
    for number in range(max(WHOLE_QUESTIONS, len(models), len(airlines), len(countries))):
        # Steps without a common divisor go through everything in another order.
        compartment, condition, mark, answer, quantity = facts[number * 7 % len(facts)]
        leg = (
            countries[number % len(countries)],
            countries[number * 5 % len(countries)],
            airlines[number % len(airlines)],
        )
        day = days[number % len(days)]
        label = LABELS[number % len(LABELS)]
        unit = Asked(
            models[number % len(models)], None, None, answer, quantity, condition, label, mark, compartment
        )
        [mine], [theirs] = ground.by_engine(leg, day, [unit]), ground.by_reference(leg, day, [unit])
        if mine != theirs:
            tally.differs(
                Found(
                    sort="flight",
                    about=f"{unit.model_id} on {leg[2]} {leg[0]}-{leg[1]} on {day}",
                    engine=in_words(mine),
                    reference=in_words(theirs),
                    question=body_of(leg, day, unit),
                )
            )


def asked_of_selection(ground: Ground, found: Found) -> Found:
    """Return a finding about the rules of a flight with a question that is answered differently."""
    if found.question is None:
        return found
    trip = found.question["trip"]
    leg = trip["origin"], trip["destination"], trip["airline"]
    question = None
    for compartment, condition, mark, quantity in product(COMPARTMENTS, CONDITIONS, MARKS, QUANTITIES):
        unit = Asked("", None, None, "not_checked", quantity, condition, "legible", mark, compartment)
        question = asked_of_models(ground, leg, trip["date"], [unit])
        if question is not None:
            break
    return _with(found, question)


def _with(found: Found, question: dict[str, Any] | None) -> Found:
    return Found(
        sort=found.sort,
        about=found.about,
        engine=found.engine,
        reference=found.reference,
        question=question,
    )


def _described(ground: Ground, one: RuleSet, broken: Broken, *, is_asked: bool) -> Found:
    (energy, unit), (worse_energy, worse_unit) = broken.better, broken.worse
    units = ground.asked(energy, unit), ground.asked(worse_energy, worse_unit)
    better, worse = ground.by_engine(one.leg, one.day, units)
    question, worse_question = _asked_pair(ground, one, broken, *units) if is_asked else (None, None)
    return Found(
        sort="promise",
        about=f"{broken.promise}: {_about(one, energy, units[0])}; {_about(one, worse_energy, units[1])}",
        engine=in_words(better),
        reference=in_words(worse),
        question=question,
        worse=worse_question,
    )


def _asked_pair(
    ground: Ground, one: RuleSet, broken: Broken, better: Asked, worse: Asked
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return two questions about models of the catalog that show a broken promise, if there are any."""
    for first, second in _pairs_of_models(ground, broken, better, worse):
        one_answer, other = ground.by_engine(one.leg, one.day, (first, second))
        if _is_broken(broken.promise, one_answer, other):
            return body_of(one.leg, one.day, first), body_of(one.leg, one.day, second)
    return None, None


def _is_broken(promise: str, better: Answer, worse: Answer) -> bool:
    if promise == ALLOWED:
        return better.verdict == "allowed"
    return STRICTNESS[worse.verdict] < STRICTNESS[better.verdict]  # type: ignore[index]


def _pairs_of_models(
    ground: Ground, broken: Broken, better: Asked, worse: Asked
) -> Iterator[tuple[Asked, Asked]]:
    same_energy = broken.better[0] == broken.worse[0]
    firsts = _like(ground, *broken.better)
    if same_energy:
        status, worse_status = broken.better[1].recall[0], broken.worse[1].recall[0]
        for name in firsts:
            if worse_status in ground.statuses(name):
                yield _real(ground, better, name, status), _real(ground, worse, name, worse_status)
        return
    seconds = _like(ground, *broken.worse)
    for name, other in product(firsts, seconds):
        yield (
            _real(ground, better, name, broken.better[1].recall[0]),
            _real(ground, worse, other, broken.worse[1].recall[0]),
        )


def _like(ground: Ground, energy: Energy, unit: Unit) -> list[str]:
    """Return models of the catalog that are known as well as an energy, the closest figures first."""
    if energy.model is not None:
        return [energy.model]
    rows = [
        (abs(ground.energy_of(name).figure or 0) - (energy.figure or 0), name)
        for name, row in ground.records.devices.items()
        if row["watt_hour_basis"] == energy.basis and unit.recall[0] in ground.statuses(name)
    ]
    return [name for _, name in sorted(rows, key=lambda row: abs(row[0]))[:20]]


def _real(ground: Ground, unit: Asked, model_id: str, status: Any) -> Asked:
    witness = ground.statuses(model_id)[status]
    return unit._replace(
        model_id=model_id,
        serial=witness.serial,
        serial_hash="0" * 64 if witness.hash_only else None,
    )
