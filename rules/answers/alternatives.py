"""The nearest changes of a question that would give a milder verdict.

A traveler can carry fewer units, carry them in the cabin, fly on another day, and look at the unit: whether
it bears the mark, is intact, and shows its rating. Each such change is judged through the door, by the
release of the answer, like a real question: a suggestion promises exactly the verdict that asking it gives.
Airlines and routes are not changed, and no outcome of a recall check is assumed. An open recall is listed
separately, with what to read off the unit and where to look it up.

Single changes come first; pairs are tried only if no single change helps. `MOST_EVALUATIONS` bounds the work.
Called by answer pages; worded by `rules.wording.alternatives`.
"""

import datetime
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import Literal

import msgspec
from msgspec.structs import replace

from recalls.serials import RecallStatus
from rules.answers.guidance import Guidance, TripGuidance, guidance_from, trip_guidance_from
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.outcomes import LegVerdict, RecallFinding
from rules.engine.vocabulary import MAX_DAYS_AHEAD, STRICTNESS, ListAnswer, Verdict
from rules.verdicts import Answer, TripAnswer, judge_from, judge_trip_from

ChangeKind = Literal["compartment", "quantity", "ccc_mark", "condition", "capacity_label", "date"]

LIST_RESULTS: tuple[ListAnswer, ...] = ("not_affected", "affected")
"""What the check of a recall can find."""

MOST_DATES = 16
"""How many other days are tried: those nearest to the travel date on which rules or certificates differ."""

MOST_EVALUATIONS = 240
"""The largest number of questions that one search judges."""

_SHOWN: dict[ChangeKind, str] = {"ccc_mark": "present", "condition": "intact", "capacity_label": "legible"}
"""What a look at the unit can find out, and the result that would help."""


class Change(msgspec.Struct, frozen=True):
    """One change of the question: a compartment, a fact of the unit (text), a quantity or a date.

    `certificate` says that on this date only a certificate has another status, and the rules are the same.
    """

    kind: ChangeKind
    value: str | int | datetime.date
    certificate: bool = False


class Alternative(msgspec.Struct, frozen=True):
    """Changes that help together, the question with them, and the verdict that it gets."""

    changes: tuple[Change, ...]
    question: Question | TripQuestion
    verdict: Verdict


class RecallCheck(msgspec.Struct, frozen=True):
    """What would be asked to settle an open recall: what to read off the unit, and where to look it up.

    Its result is one of `LIST_RESULTS`; it does not say which one.
    """

    identifiers: tuple[str, ...]
    lookup_urls: tuple[str, ...]
    notice_urls: tuple[str, ...]


class Alternatives(msgspec.Struct, frozen=True):
    """What would help, the fewest changes first, then the mildest verdict; empty if nothing helps.

    `recall_check` is set if a recall of the model is open and was not checked. `evaluations` counts the
    judged questions.
    """

    helping: tuple[Alternative, ...] = ()
    recall_check: RecallCheck | None = None
    evaluations: int = 0


def alternatives(answer: Answer | TripAnswer) -> Alternatives:
    """Return the nearest changes that give a milder verdict than an answer; none for one that is allowed."""
    if answer.outcome.verdict == "allowed":
        return Alternatives()
    search = _Search(answer)
    found = list(search.singles()) or list(search.pairs())
    return Alternatives(
        helping=tuple(sorted(found, key=lambda one: STRICTNESS[one.verdict])),
        recall_check=_recall_check(answer),
        evaluations=search.evaluations,
    )


def verdict_with(answer: Answer | TripAnswer | Guidance | TripGuidance, changes: Iterable[Change]) -> Verdict:
    """Return the verdict or guidance that the same question gets with some changes, milder or not."""
    question, now = _changed(answer.question, changes), answer.generated_at
    match answer, question:
        case Guidance(), Question():
            return guidance_from(answer.release, answer.rating, question, now=now).outcome.verdict
        case TripGuidance(), TripQuestion():
            return trip_guidance_from(answer.release, answer.rating, question, now=now).outcome.verdict
        case _, Question():
            return judge_from(answer.release, question, today=now.date())[0]
        case _, TripQuestion():
            return judge_trip_from(answer.release, question, today=now.date())


class _Search:
    """Judges changed questions by the release of one answer, each once."""

    def __init__(self, answer: Answer | TripAnswer) -> None:
        self._release, self._asked = answer.release, answer.question
        self._today = answer.generated_at.date()
        self._current = STRICTNESS[answer.outcome.verdict]
        self._judged: dict[Question | TripQuestion, Verdict | None] = {}

    @property
    def evaluations(self) -> int:
        return len(self._judged)

    def singles(self) -> Iterator[Alternative]:
        options = {"compartment": self._compartments(), "quantity": self._fewer(), **self._others()}
        for changes in options.values():
            yield from self._improving((change,) for change in changes)

    def pairs(self) -> Iterator[Alternative]:
        options = {"compartment": self._compartments(), **self._others()}
        for changes in options.values():
            yield from self._improving(
                (change, units) for change in changes for units in self._most_units(change)
            )
        for one, other in combinations(options.values(), 2):
            yield from self._improving(product(one, other))

    def _improving(self, options: Iterable[tuple[Change, ...]]) -> Iterator[Alternative]:
        """Return the options, the preferred ones first, that are milder than the answer and all before."""
        mildest = self._current
        for changes in options:
            question = _changed(self._asked, changes)
            verdict = self._judge(question)
            if verdict is not None and STRICTNESS[verdict] < mildest:
                mildest = STRICTNESS[verdict]
                yield Alternative(changes, question, verdict)

    def _judge(self, question: Question | TripQuestion) -> Verdict | None:
        """Return the verdict of a question; None if it cannot be judged on its date."""
        if question not in self._judged:
            try:
                if isinstance(question, Question):
                    verdict: Verdict | None = judge_from(self._release, question, today=self._today)[0]
                else:
                    verdict = judge_trip_from(self._release, question, today=self._today)
            except AirlineNotCovered:
                verdict = None
            self._judged[question] = verdict
        return self._judged[question]

    def _compartments(self) -> list[Change]:
        """The hold is never suggested."""
        intent = self._asked.compartment_intent
        return [Change("compartment", cabin) for cabin in ("carry_on", "on_person") if cabin != intent]

    def _fewer(self) -> list[Change]:
        return [Change("quantity", units) for units in range(self._asked.unit.quantity - 1, 0, -1)]

    def _most_units(self, change: Change) -> Iterator[Change]:
        """Return the largest smaller quantity that helps together with a change, if any does.

        More units never make a verdict milder, so the ones that help are the first ones.
        """

        def fails(units: int) -> bool:
            verdict = self._judge(_changed(self._asked, (change, Change("quantity", units))))
            return verdict is None or STRICTNESS[verdict] >= self._current

        most = bisect_left(range(1, self._asked.unit.quantity), True, key=fails)
        if most:
            yield Change("quantity", most)

    def _others(self) -> dict[ChangeKind, list[Change]]:
        shown: dict[ChangeKind, list[Change]] = {
            kind: [Change(kind, hoped)]
            for kind, hoped in _SHOWN.items()
            if getattr(self._asked.unit, kind) == "unknown"
        }
        return {**shown, "date": list(self._days())}

    def _days(self) -> Iterator[Change]:
        """Return the nearest day of each period with other rules in play, nearest first.

        A period with another status of a certificate of the model counts too.
        """
        asked, first = self._asked.travel_date.toordinal(), self._today.toordinal()
        of_rules = set(chain.from_iterable(map(self._changes, _legs(self._asked))))
        of_model = self._release.corpus.device(self._asked.unit.model_id).certificates.changes
        nearest = {day if day > asked else day - 1: day not in of_rules for day in {*of_rules, *of_model}}
        days = sorted(
            (day for day in nearest if first <= day <= first + MAX_DAYS_AHEAD and day != asked),
            key=lambda day: (abs(day - asked), day),
        )
        for day in days[:MOST_DATES]:
            yield Change("date", datetime.date.fromordinal(day), certificate=nearest[day])

    def _changes(self, leg: Leg) -> Iterator[int]:
        """Return the days on which a rule in play for a leg starts or no longer holds."""
        try:
            in_play = self._release.corpus.in_play(leg)
        except AirlineNotCovered:
            return
        for group in in_play.groups:
            yield from group.changes


def _legs(question: Question | TripQuestion) -> tuple[Leg, ...]:
    return (question.leg,) if isinstance(question, Question) else question.legs


def _changed(question: Question | TripQuestion, changes: Iterable[Change]) -> Question | TripQuestion:
    for change in changes:
        match change.kind:
            case "compartment":
                question = replace(question, compartment_intent=change.value)
            case "date":
                question = replace(question, travel_date=change.value)
            case fact:
                question = replace(question, unit=replace(question.unit, **{fact: change.value}))
    return question


def _recall_check(answer: Answer | TripAnswer) -> RecallCheck | None:
    outcome = _any_leg(answer)
    if outcome is None:
        return None
    return recall_check(answer.question.unit, outcome.recall_status, outcome.recalls)


def recall_check(unit: Unit, status: RecallStatus, findings: Iterable[RecallFinding]) -> RecallCheck | None:
    """Return what would settle the recalls of a unit; None if none is open, or the list was asked already."""
    if unit.recall_check != "not_checked" or status not in {"serial_unknown", "external_check_required"}:
        return None
    open_recalls = [finding.recall for finding in findings if finding.evaluation.match_status == "unknown"]
    affected = [recall.affected_serials for recall in open_recalls]
    return RecallCheck(
        identifiers=tuple(dict.fromkeys(serials.identifier for serials in affected)),
        lookup_urls=tuple(
            dict.fromkeys(serials.explicit_list_url for serials in affected if serials.explicit_list_url)
        ),
        notice_urls=tuple(dict.fromkeys(recall.notice_url for recall in open_recalls)),
    )


def _any_leg(answer: Answer | TripAnswer) -> LegVerdict | None:
    """Return the outcome of any leg: what recalls mean for a unit is the same on each."""
    if isinstance(answer, Answer):
        return answer.outcome
    return next((segment.answer for segment in answer.outcome.segments if segment.answer is not None), None)
