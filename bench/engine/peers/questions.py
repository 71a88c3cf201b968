"""The same questions for every engine, prepared before any time is measured."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from bench.engine.peers.conditions import Facts, facts
from bench.report import Disagreement
from bench.rounds import Work
from recalls.serials import RecallStatus
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Leg, Question, Rule
from rules.engine.matching import Compiled, Entry, fold, speaking


class Asked(msgspec.Struct, frozen=True):
    """A question, and all that can be known before it is matched with rules."""

    question: Question
    status: RecallStatus
    known: int
    """The band of watt-hours and the model, in our own form."""
    facts: Facts
    """The same question in words, as other engines need it."""
    entries: tuple[Entry, ...]
    """The rules in force on its leg and day, in our own form."""
    rules: tuple[Rule, ...]
    """The same rules, readable."""

    @property
    def leg(self) -> Leg:
        """Where from, where to and with whom."""
        return self.question.leg

    @property
    def day(self) -> int:
        """The day of travel, as an ordinal."""
        return self.question.travel_date.toordinal()


class Way(msgspec.Struct, frozen=True):
    """A way to find the matching rules: a function, and its argument for each question."""

    find: Callable[..., list[Any]]
    calls: list[tuple[Any, ...]]


Ways = Mapping[str, Way]


def prepare(content: Content, corpus: Corpus, questions: Iterable[Question]) -> Iterator[Asked]:
    """Yield each question with the rules in force for it."""
    rules = {rule.rule_id: rule for rule in content.rules}
    for question in questions:
        device = corpus.device(question.unit.model_id)
        status = recall_impact(device, question.unit).status
        day = question.travel_date.toordinal()
        entries = tuple(chain.from_iterable(group.on(day) for group in corpus.in_play(question.leg).groups))
        yield Asked(
            question=question,
            status=status,
            known=device.band | device.named,
            facts=facts(question, device.device, status),
            entries=entries,
            rules=tuple(rules[compiled.rule_id] for _, compiled in entries),
        )


def ours(corpus: Corpus, asked: Iterable[Asked]) -> dict[str, Way]:
    """Return our own matching: `ours` with the search for the rules in force, `ours_in_force` without."""
    asked = list(asked)
    return {
        "ours": Way(_indexed, [(corpus, one.question, one.status, one.known) for one in asked]),
        "ours_in_force": Way(
            _in_force, [(one.entries, one.question, one.status, one.known) for one in asked]
        ),
    }


def agree(ways: Ways) -> None:
    """Check that all ways find the same rules for each question. Raises `Disagreement`."""
    expected = next(iter(ways.values()))
    for number in range(len(expected.calls)):
        found = {name: sorted(map(_name, way.find(*way.calls[number]))) for name, way in ways.items()}
        if len(set(map(tuple, found.values()))) > 1:
            raise Disagreement(f"not the same rules: {found}")


def turn(way: Way) -> Work:
    """Return the timed work of a way: all its questions, one after the other."""

    def timed() -> None:
        find = way.find
        for call in way.calls:
            find(*call)

    return lambda: timed


def _indexed(corpus: Corpus, question: Question, status: RecallStatus, known: int) -> list[Compiled]:
    entries = corpus.in_play(question.leg).on(question.travel_date.toordinal())
    return _in_force(entries, question, status, known)


def _in_force(
    entries: Iterable[Entry], question: Question, status: RecallStatus, known: int
) -> list[Compiled]:
    return speaking(entries, fold(question, status) | known)


def _name(found: Compiled | str) -> str:
    return found if isinstance(found, str) else found.rule_id
