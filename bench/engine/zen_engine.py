"""Matching alone, against zen-engine: an open rule engine, written in Rust and called from Python.

Both sides get the same rules and questions and must find the same rules. All preparation for zen is done
first and not timed: each decision and expression is compiled once, and each question is ready as the
dictionary that zen needs. Ours converts the question into its own form within the measured time.

zen is used in three ways. In the first two, the search for the rules in force for the leg is not timed:

- `tables`: for each question a decision table with hit policy `collect`, of exactly these rules: the way in
  which zen's documentation writes rules.
- `legs`: instead of the table one compiled expression: a list of the names of rules, or nulls.
- `scopes`: one such expression for each scope (the baseline, an authority in one role, an airline), found
  through our index. Only this way could answer any question: there are eight million legs, too many to
  compile an expression for each. The time of both sides includes the index.

`engine_over_zen` repeats `legs`: of the two that time matching alone, it is the better result for zen.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

import msgspec
import zen

from bench.engine.zen_models import listing, table
from bench.questions import real_questions
from bench.report import Disagreement, Line, ratio
from bench.rounds import Work, in_turns
from catalog.energy import hundredths
from recalls.serials import RecallStatus
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Device, Leg, Question, Rule
from rules.engine.matching import Compiled, Entry, fold, speaking

QUESTIONS, ROUNDS = 300, 60

Context = dict[str, str | int]
"""A question in the form of zen."""


class Way(msgspec.Struct, frozen=True):
    """A way to find the matching rules: a function, and its argument for each question."""

    find: Callable[..., list[Any]]
    calls: list[tuple[Any, ...]]


def measure(content: Content) -> Iterator[Line]:
    """Compare each way to use zen with our own matching."""
    ways = all_ways(content, islice(real_questions(content, seed=4), QUESTIONS))
    agree(ways)
    legs = _compare("legs", ways["legs"], ways["ours_in_force"])
    yield {**legs, "name": "engine_over_zen"}
    yield legs
    yield _compare("tables", ways["tables"], ways["ours_in_force"])
    yield _compare("scopes", ways["scopes"], ways["ours"])


def _compare(name: str, theirs: Way, ours: Way) -> Line:
    seconds = in_turns({"theirs": _turn(theirs), "ours": _turn(ours)}, ROUNDS)
    return ratio(
        f"engine_over_zen_{name}",
        seconds["theirs"],
        seconds["ours"],
        zen_us=round(min(seconds["theirs"]) / QUESTIONS * 1e6, 1),
        our_us=round(min(seconds["ours"]) / QUESTIONS * 1e6, 1),
    )


def all_ways(content: Content, questions: Iterable[Question]) -> dict[str, Way]:
    """Prepare every way for some questions: ours with and without the index, and zen's three."""
    corpus = Corpus(content)
    rules = {rule.rule_id: rule for rule in content.rules}
    engine = zen.ZenEngine()
    scopes: dict[int, Any] = {}
    ways: dict[str, list[tuple[Any, ...]]] = {
        "ours": [],
        "ours_in_force": [],
        "tables": [],
        "legs": [],
        "scopes": [],
    }
    for question in questions:
        device = corpus.device(question.unit.model_id)
        status = recall_impact(device, question.unit).status
        day = question.travel_date.toordinal()
        context = _context(question, device.device, status)
        in_force = [group.on(day) for group in corpus.in_play(question.leg).groups]
        entries = tuple(chain.from_iterable(in_force))
        of_leg = _readable(rules, entries)
        for of_scope in in_force:
            if of_scope and id(of_scope) not in scopes:
                scopes[id(of_scope)] = zen.compile_expression(listing(_readable(rules, of_scope)))
        known = device.band | device.named
        ways["ours"].append((corpus, question, status, known))
        ways["ours_in_force"].append((entries, question, status, known))
        ways["tables"].append((engine.create_decision(zen.ZenDecisionContent(table(of_leg))), context))
        ways["legs"].append((zen.compile_expression(listing(of_leg)), context))
        ways["scopes"].append((corpus, scopes, question.leg, day, context))
    finders: dict[str, Callable[..., list[Any]]] = {
        "ours": _ours,
        "ours_in_force": _ours_in_force,
        "tables": _table,
        "legs": _listed,
        "scopes": _scopes,
    }
    return {name: Way(finders[name], calls) for name, calls in ways.items()}


def agree(ways: dict[str, Way]) -> None:
    """Check that all ways find the same rules for each question. Raises `Disagreement`."""
    for number in range(len(next(iter(ways.values())).calls)):
        found = {name: sorted(map(_name, way.find(*way.calls[number]))) for name, way in ways.items()}
        if any(names != found["ours"] for names in found.values()):
            raise Disagreement(f"not the same rules: {found}")


def _ours(corpus: Corpus, question: Question, status: RecallStatus, known: int) -> list[Compiled]:
    entries = corpus.in_play(question.leg).on(question.travel_date.toordinal())
    return _ours_in_force(entries, question, status, known)


def _ours_in_force(
    entries: Iterable[Entry], question: Question, status: RecallStatus, known: int
) -> list[Compiled]:
    return speaking(entries, fold(question, status) | known)


def _table(decision: Any, context: Context) -> list[str]:
    return [row["rule"] for row in decision.evaluate(context)["result"]]


def _listed(expression: Any, context: Context) -> list[str]:
    return [name for name in expression.evaluate(context) if name]


def _scopes(corpus: Corpus, scopes: dict[int, Any], leg: Leg, day: int, context: Context) -> list[str]:
    found: list[str] = []
    for group in corpus.in_play(leg).groups:
        if of_scope := group.on(day):
            found += _listed(scopes[id(of_scope)], context)
    return found


def _name(found: Compiled | str) -> str:
    return found if isinstance(found, str) else found.rule_id


def _context(question: Question, device: Device, status: RecallStatus) -> Context:
    return {
        "watt_hour": -1 if device.watt_hour is None else hundredths(device.watt_hour),
        "compartment": question.compartment_intent,
        "recall_status": status,
        "condition": question.unit.condition,
        "mark": question.unit.ccc_mark,
        "quantity": question.unit.quantity,
        "model": question.unit.model_id,
    }


def _readable(rules: dict[str, Rule], entries: Iterable[Entry]) -> list[Rule]:
    return [rules[compiled.rule_id] for _, compiled in entries]


def _turn(way: Way) -> Work:
    def timed() -> None:
        find = way.find
        for call in way.calls:
            find(*call)

    return lambda: timed
