"""Answers: a leg with everything that is listed with it, and a trip."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from battery_travel_reference.deciding import Decision, NotCovered, decide
from battery_travel_reference.evidence import Citation, Evidence, citations, soon, stalest
from battery_travel_reference.listing import Entry, Listed, by_severity, distinct, listed
from battery_travel_reference.questions import Leg, Question
from battery_travel_reference.records import Release, Rule
from battery_travel_reference.speaking import rules_in_play
from battery_travel_reference.vocabulary import strictest

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LegAnswer:
    """The answer for one leg.

    Attributes:
        verdict: The strictest of what was found.
        gaps: What is missing, which makes it insufficient.
        path: The steps of the decision; the API calls it `verdict_path`.
        constraints: In the order of the answer. The first `bans` of them ban.
        warnings: Code and severity of each, in the order of the answer.
        next_change: The first day after today that a rule in play or a certificate starts, or is over.
        rule_change: The day that `rule_change_upcoming` names.
        certificate_change: The day that `certificate_change_upcoming` names.
        freshness: That of the applied rule with the stalest evidence.
        staler_on: The first of the next 30 days on which it is worse.
        read_on: The day that `evidence_stale` names.

    """

    verdict: str
    gaps: list[str]
    path: list[str]
    recall_status: str
    recall_check_method: str
    constraints: list[Entry]
    bans: int
    warnings: list[tuple[str, str]]
    citations: list[Citation]
    next_change: date | None
    rule_change: date | None
    certificate_change: date | None
    freshness: str
    staler_on: date | None
    read_on: date | None

    def plain(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return {
            "verdict": self.verdict,
            "gaps": self.gaps,
            "verdict_path": self.path,
            "recall_status": self.recall_status,
            "recall_check_method": self.recall_check_method,
            "constraints": [entry.code for entry in self.constraints],
            "warnings": [{"code": code, "severity": severity} for code, severity in self.warnings],
            "citations": plain_citations(self.citations),
        }


@dataclass(frozen=True, slots=True)
class Segment:
    """One leg of a trip: its answer, or why it has none, which counts as insufficient."""

    leg: Leg
    answer: LegAnswer | None
    error: NotCovered | None

    @property
    def verdict(self) -> str:
        """The verdict of the leg."""
        return "insufficient" if self.answer is None else self.answer.verdict


@dataclass(frozen=True, slots=True)
class TripAnswer:
    """The answer for a trip: the strictest of its legs."""

    verdict: str
    segments: list[Segment]
    citations: list[Citation]
    next_change: date | None
    freshness: str
    staler_on: date | None

    def plain(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return {
            "verdict": self.verdict,
            "segments": [
                {"origin": one.leg.origin, "destination": one.leg.destination, "airline": one.leg.airline}
                | ({"error": one.error.code} if one.error else {})
                | (one.answer.plain() if one.answer else {"verdict": one.verdict})
                for one in self.segments
            ],
            "citations": plain_citations(self.citations),
        }


def answer(release: Release, question: Question, today: date) -> LegAnswer | TripAnswer:
    """Answer a question as of a day. Raises `NotCovered`."""
    if question.is_trip:
        return answer_trip(release, question, today)
    return answer_leg(release, question, question.legs[0], today)


def answer_leg(
    release: Release, question: Question, leg: Leg, today: date, *, connecting: bool = False
) -> LegAnswer:
    """Answer one leg; `connecting` is every leg of a trip but the first. Raises `NotCovered`."""
    in_play = rules_in_play(release, leg)
    decision = decide(release, question, leg, in_play, question.day)
    found = listed(release, decision)
    rule_change = _rule_change(release, decision, found)
    certificate_change = _certificate_change(release, decision, found)
    evidence = Evidence(release, decision.found.applied)
    freshness = evidence.freshness(today)
    also = {
        "transit_rescreening": connecting,
        "evidence_stale": freshness != "fresh",
        "rule_change_upcoming": rule_change is not None,
        "certificate_change_upcoming": certificate_change is not None,
    }
    warnings = [*found.warnings, *(Entry(name, name) for name, given in also.items() if given)]
    return LegAnswer(
        verdict=decision.verdict,
        gaps=decision.found.gaps,
        path=_path(decision),
        recall_status=decision.recall_status,
        recall_check_method=decision.recall_check_method,
        constraints=found.constraints,
        bans=found.bans,
        warnings=by_severity(warnings, frozenset({"evidence_stale"} if freshness == "very_stale" else ())),
        citations=citations(release, decision),
        next_change=_next_change(
            [*_spans(in_play), *((one.first_day, one.last_day) for one in decision.device.certificates)],
            today,
        ),
        rule_change=rule_change,
        certificate_change=certificate_change,
        freshness=freshness,
        staler_on=evidence.staler_on(today),
        read_on=None if freshness == "fresh" else evidence.read_on(today),
    )


def answer_trip(release: Release, question: Question, today: date) -> TripAnswer:
    """Answer each leg by itself, then take the strictest. Raises `NotCovered`, but not of an airline."""
    segments = []
    changes: list[date | None] = []
    for number, leg in enumerate(question.legs):
        try:
            found = answer_leg(release, question, leg, today, connecting=number > 0)
        except NotCovered as error:
            if error.code != "AIRLINE_NOT_COVERED":
                raise
            segments.append(Segment(leg, None, error))
            # Only its own rules can end the error of an airline.
            own = release.rules_of.get(leg.airline, [])
            changes.append(_next_change(_spans(own), today))
        else:
            segments.append(Segment(leg, found, None))
            changes.append(found.next_change)
    answers = [segment.answer for segment in segments if segment.answer is not None]
    return TripAnswer(
        verdict=strictest(segment.verdict for segment in segments),
        segments=segments,
        citations=distinct(citation for one in answers for citation in one.citations),
        next_change=min((day for day in changes if day is not None), default=None),
        freshness=stalest(one.freshness for one in answers),
        staler_on=min((one.staler_on for one in answers if one.staler_on is not None), default=None),
    )


def plain_citations(found: Iterable[Citation]) -> list[dict[str, str]]:
    """Return citations as the API writes them."""
    names = ("kind", "authority", "jurisdiction", "url", "pulled_at")
    return [dict(zip(names, map(str, citation), strict=True)) for citation in found]


def _path(decision: Decision) -> list[str]:
    """Return the steps of a decision (docs, "Path")."""
    statuses = {one.status for one in decision.doubts}
    return [
        "device.resolved",
        f"recall.{decision.recall_status}",
        # The graver status, if a certificate puts the mark in doubt.
        *[f"certificate.{status}" for status in ("revoked", "suspended") if status in statuses][:1],
        *(rule.rule_id for rule in decision.found.applied),
        f"verdict.{decision.verdict}",
    ]


def _rule_change(release: Release, decision: Decision, shown: Listed) -> date | None:
    """Return the first of the 30 days after travel on which a rule starts and the answer is another."""
    starts = {rule.first_day for rule in decision.in_play if rule.first_day is not None}
    for day in soon(starts, decision.day):
        try:
            # Certificates count as on the travel date.
            then = decide(release, decision.question, decision.leg, decision.in_play, day, decision.day)
        except NotCovered:
            return day
        if _reads_otherwise(release, then, decision, shown):
            return day
    return None


def _certificate_change(release: Release, decision: Decision, shown: Listed) -> date | None:
    """Return the first of the 30 days after travel whose certificates would give another answer."""
    starts = {
        one.first_day
        for one in decision.device.certificates
        if one.first_day is not None and one.status != "valid"
    }
    for day in soon(starts, decision.day):
        then = decide(release, decision.question, decision.leg, decision.in_play, decision.day, day)
        if _reads_otherwise(release, then, decision, shown):
            return day
    return None


def _reads_otherwise(release: Release, then: Decision, now: Decision, shown: Listed) -> bool:
    """Return whether a traveler would read another answer; another order alone is none."""
    if then.verdict != now.verdict:
        return True
    other = listed(release, then)
    return set(other.constraints) != set(shown.constraints) or set(other.warnings) != set(shown.warnings)


def _spans(rules: Iterable[Rule]) -> list[tuple[date | None, date | None]]:
    return [(rule.first_day, rule.last_day) for rule in rules]


def _next_change(spans: Iterable[tuple[date | None, date | None]], today: date) -> date | None:
    """Return the first day after today on which one of some spans starts or is over."""
    days = []
    for first, last in spans:
        if first is not None:
            days.append(first)
        # The last day of the calendar has none after it.
        if last is not None and last < date.max:
            days.append(last + ONE_DAY)
    return min((day for day in days if day > today), default=None)
