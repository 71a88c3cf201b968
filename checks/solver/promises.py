"""The promises about facts, and the search for facts that break one.

Each promise has the same form: where one fact gets worse and all others stay, the verdict never gets milder.
"Unknown is between the favorable and the unfavorable value" is this, of a fact with three values.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import z3

from checks.solver.encoding import BASES, MOST_HUNDREDTHS, Encoding, Facts, Term, any_facts
from checks.solver.sets import Flight, RuleSet

UNKNOWN = BASES.index("unknown")


def _greater(better: Facts, worse: Facts, fact: str) -> Term:
    return getattr(worse, fact) > getattr(better, fact)


def _more_energy(better: Facts, worse: Facts) -> Term:
    return z3.And(worse.energy > better.energy, better.basis != UNKNOWN, worse.basis == better.basis)


def _less_sure_energy(better: Facts, worse: Facts) -> Term:
    """Computed instead of rated, unknown instead of next to nothing, all there is instead of unknown."""
    return z3.Or(
        z3.And(better.basis == 0, worse.basis == 1, worse.energy == better.energy),
        z3.And(better.basis != UNKNOWN, better.energy == 1, worse.basis == UNKNOWN),
        z3.And(better.basis == UNKNOWN, worse.basis != UNKNOWN, worse.energy == MOST_HUNDREDTHS),
    )


def _worse_recall(better: Facts, worse: Facts) -> Term:
    """Of the two unknown values, neither is worse than the other."""
    return z3.And(_greater(better, worse, "recall"), z3.Not(z3.And(better.recall == 1, worse.recall == 2)))


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise: `facts` may differ, and `is_worse` says when the second value is worse."""

    says: str
    facts: tuple[str, ...]
    is_worse: Callable[[Facts, Facts], Term]


def _ordered(says: str, fact: str) -> Promise:
    return Promise(says, (fact,), lambda better, worse: _greater(better, worse, fact))


PROMISES = (
    Promise("more energy is never milder", ("energy",), _more_energy),
    Promise("an energy that is known less well is never milder", ("energy", "basis"), _less_sure_energy),
    _ordered("more units are never milder", "quantity"),
    _ordered("an unknown mark is between a present and an absent one", "mark"),
    _ordered("an unknown label is between a legible and a missing one", "label"),
    _ordered("an unknown condition is between intact and damaged", "condition"),
    Promise("an unknown recall status is between not affected and affected", ("recall",), _worse_recall),
    _ordered("a unit that the maker's list names is never milder", "list_answer"),
    _ordered("a certificate in doubt is never milder", "doubted"),
)


@dataclass(frozen=True, slots=True)
class Broken:
    """Facts that break a promise: a worse unit with a milder verdict. Facts are numbers of `encoding`."""

    promise: Promise
    flight: Flight
    better: dict[str, int]
    worse: dict[str, int]
    strictness_of_better: int
    strictness_of_worse: int


class Undecided(Exception):
    """The solver found neither facts that break a promise nor that there are none."""


def broken(rules: RuleSet, flight: Flight, named: Iterable[str], seconds: int = 60) -> list[Broken]:
    """Return, for each promise that some facts break on a flight, such facts. Raises `Undecided`.

    All promises are asked at once first: most sets of rules keep them all.
    """
    encoding = Encoding(rules, named)
    better = any_facts()
    others = any_facts("worse_")
    pairs = [(promise, _with(better, others, promise.facts)) for promise in PROMISES]
    solver = z3.SolverFor("QF_LIA")
    solver.set("timeout", seconds * 1000)
    solver.add(better.possible(encoding.named), others.possible(encoding.named))
    before = encoding.strictness(better)
    breaks = [
        z3.And(promise.is_worse(better, worse), encoding.strictness(worse) < before)
        for promise, worse in pairs
    ]
    if not _found(solver, z3.Or(*breaks)):
        return []
    found = []
    for (promise, worse), this in zip(pairs, breaks, strict=True):
        model = _found(solver, this)
        if model:
            found.append(
                Broken(
                    promise,
                    flight,
                    _numbers(model, better),
                    _numbers(model, worse),
                    model.eval(before).as_long(),
                    model.eval(encoding.strictness(worse), model_completion=True).as_long(),
                )
            )
    return found


def _with(facts: Facts, others: Facts, names: Iterable[str]) -> Facts:
    """Return the same facts, but for those with some names."""
    return Facts(*(getattr(others if name in names else facts, name) for name in Facts.__slots__))


def _found(solver: z3.Solver, term: Term) -> Term:
    """Return values that fulfill a term; None if there are none."""
    solver.push()
    solver.add(term)
    answer = solver.check()
    model = solver.model() if answer == z3.sat else None
    reason = solver.reason_unknown() if answer == z3.unknown else ""
    solver.pop()
    if reason:
        raise Undecided(reason)
    return model


def _numbers(model: Term, facts: Facts) -> dict[str, int]:
    return {
        name: model.eval(getattr(facts, name), model_completion=True).as_long() for name in Facts.__slots__
    }
