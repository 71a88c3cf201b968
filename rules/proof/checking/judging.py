"""What both programs say about each kind of unit on a flight: the engine's own door, and the reference.

Of each kind two units are judged, the first of its values and another one. Compared are the verdict, the
gaps, the rules that apply by their ids, the recall status, and whether a recall, a limit or a certificate
decides.
"""

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from recalls.languages.comparison import Witness
from recalls.serials import RecallStatus
from rules.engine.corpus import Corpus
from rules.engine.document import decode
from rules.engine.errors import Unanswerable
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question
from rules.engine.facts import Unit as AskedUnit
from rules.engine.vocabulary import (
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)
from rules.proof.checking.cells import Domain, Energy, Unit, energies
from rules.proof.checking.flights import RuleSet, statuses_of
from rules.proof.checking.made_up import name_of, with_made_up
from rules.proof.checking.records import Json, Records, Said, hundredths
from rules.proof.checking.reference import Reference

RECALLED = "recalled_not_permitted"
CONFIRM = "confirm_rated_watt_hour"


class Asked(NamedTuple):
    """A unit as both programs are asked about it."""

    model_id: str
    serial: str | None
    serial_hash: str | None
    recall_check: ListAnswer
    quantity: int
    condition: UnitCondition
    capacity_label: LabelIndication
    ccc_mark: MarkIndication
    compartment: Compartment


class Answer(NamedTuple):
    """What a program says about a unit. `verdict` is a code of an error where there is no answer."""

    verdict: str
    gaps: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    status: str = ""
    recalled: bool = False
    confirm: bool = False
    doubted: bool = False


class Ground:
    """A release with the made-up models, as both programs read it. A context: the reference ends with it."""

    def __init__(self, document: bytes) -> None:
        self.records = Records(document)
        rules = self.records.rules.values()
        extended = with_made_up(self.records, energies(self.records.edges(rules)))
        self.corpus = Corpus(decode(extended).content)
        self.reference = Reference(extended)
        self._prohibiting = {
            one.rule_id for one in rules if one.effect == "prohibit" and one.code == RECALLED
        }
        self._statuses: dict[str, dict[RecallStatus, Witness]] = {}

    def __enter__(self) -> Self:
        self.reference.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.reference.__exit__(*error)

    def rules(self, one: RuleSet) -> list[Said]:
        """Return the rules in force on the example of a set."""
        day = datetime.date.fromisoformat(one.day).toordinal()
        return [self.records.rules[rule.rule_id] for _, rule in self.corpus.in_play(Leg(*one.leg)).on(day)]

    def energies(self, rules: Sequence[Said]) -> list[Energy]:
        """Return the energies that some rules tell apart, and the models that they name."""
        named = sorted({name for one in rules for name in one.when.get("model") or ()})
        return [*energies(self.records.edges(rules)), *map(self.energy_of, named)]

    def domain(self, energy: Energy, day: str) -> Domain:
        """Return what can be the case for units of an energy: all, but for those of a model that is real."""
        if energy.model is None:
            return Domain()
        number = datetime.date.fromisoformat(day).toordinal()
        doubts = self.corpus.device(energy.model).certificates.doubts_on(number)
        return Domain(tuple(self.statuses(energy.model)), (bool(doubts),))

    def statuses(self, model_id: str) -> dict[RecallStatus, Witness]:
        """Return the statuses of the units of a real model, with a unit of each."""
        if model_id not in self._statuses:
            self._statuses[model_id] = statuses_of(self.corpus, model_id)
        return self._statuses[model_id]

    def asked(self, energy: Energy, unit: Unit) -> Asked:
        """Return a unit of a kind as it is asked about."""
        (status, answer), (mark, doubted) = unit.recall, unit.mark
        if energy.model is None:
            model, witness = name_of(energy, status, doubted=doubted), Witness()
        else:
            model, witness = energy.model, self.statuses(energy.model)[status]
        return Asked(
            model,
            witness.serial,
            witness.serial_hash,
            answer,
            unit.quantity,
            unit.condition,
            unit.label,
            mark,
            unit.compartment,
        )

    def by_engine(self, leg: Sequence[str], day: str, units: Sequence[Asked]) -> list[Answer]:
        """Return what the engine says."""
        flight, date = Leg(*leg), datetime.date.fromisoformat(day)
        return [self._by_engine(flight, date, unit) for unit in units]

    def by_reference(self, leg: Sequence[str], day: str, units: Sequence[Asked]) -> list[Answer]:
        """Return what the reference program says. Raises `ReferenceFailed`."""
        answer = self.reference.ask(ask="leg", leg=leg, day=day, units=units)
        rules = answer["rules"]
        found = []
        for verdict, *rest in answer["found"]:
            if not rest:
                found.append(Answer(verdict))
                continue
            gaps, numbers, status, recalled, confirm, doubted = rest
            applied = tuple([rules[number] for number in numbers])
            recalled = recalled or any(name in self._prohibiting for name in applied)
            found.append(Answer(verdict, tuple(gaps), applied, status, recalled, confirm, doubted))
        return found

    def energy_of(self, model_id: str) -> Energy:
        """Return the energy of a model of the catalog."""
        row = self.records.devices[model_id]
        figure = row.get("watt_hour")
        return Energy(row["watt_hour_basis"], None if figure is None else hundredths(figure), model_id)

    def _by_engine(self, leg: Leg, day: datetime.date, unit: Asked) -> Answer:
        question = Question(
            unit=AskedUnit(
                model_id=unit.model_id,
                serial=unit.serial,
                serial_hash=unit.serial_hash,
                recall_check=unit.recall_check,
                quantity=unit.quantity,
                condition=unit.condition,
                capacity_label=unit.capacity_label,
                ccc_mark=unit.ccc_mark,
            ),
            leg=leg,
            travel_date=day,
            compartment_intent=unit.compartment,
        )
        try:
            found = evaluate_leg(self.corpus, question, today=day)
        except Unanswerable as error:
            return Answer(error.code)
        listed = {statement.name for statement in found.constraints}
        rules = self.records.rules
        return Answer(
            verdict=found.verdict,
            gaps=found.gaps,
            rules=tuple([step for step in found.path if step in rules]),
            status=found.recall_status,
            recalled=RECALLED in listed,
            confirm=CONFIRM in listed,
            doubted=bool(found.doubts),
        )


def body_of(leg: Sequence[str], day: str, unit: Asked) -> Json:
    """Return a question as the body of `POST /api/verify`."""
    origin, destination, airline = leg
    body: Json = {
        "model_id": unit.model_id,
        "quantity": unit.quantity,
        "ccc_mark": unit.ccc_mark,
        "capacity_label": unit.capacity_label,
        "condition": unit.condition,
        "recall_check": unit.recall_check,
        "trip": {
            "origin": origin,
            "destination": destination,
            "airline": airline,
            "date": day,
            "compartment_intent": unit.compartment,
        },
    }
    if unit.serial is not None:
        body["serial"] = unit.serial
    if unit.serial_hash is not None:
        body["serial_hash"] = unit.serial_hash
    return body


def in_words(answer: Answer) -> str:
    """Describe an answer in a few words."""
    words = [answer.verdict, *answer.gaps, answer.status]
    words += [name for name in ("recalled", "confirm", "doubted") if getattr(answer, name)]
    return ", ".join([word for word in words if word] + list(answer.rules))
