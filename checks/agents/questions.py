"""Two hundred questions with known answers, made from the cases and the starter corpus.

No answer comes from the tools or the engine: verdicts are those of the reference program, which finds them
without the engine; models and airlines are those of the corpus; what is not known was written down by hand.
"""

import datetime
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from battery_travel_reference import (
    LegAnswer,
    NotCovered,
    Release,
    TripAnswer,
    answer,
    question_of,
    release_of,
)
from checks.agents.endpoint import Json
from compliance.starter_corpus.release import RULESET_VERSION, starter_content
from rules.cases.given import Given, GivenUnit
from rules.cases.reading import load_cases
from rules.engine.document import Content, ReleaseDocument
from rules.engine.vocabulary import STRICTNESS
from rules.releases.ledger import canonical_text

One = TypeVar("One")

FLIGHTS, TRIPS, PAIRS, RECALLS, MODELS, AIRLINES = 98, 12, 20, 20, 25, 15

FURTHEST = datetime.timedelta(days=366)

UNITS = tuple(
    name for name in GivenUnit.__struct_fields__ if name not in {"watt_hour", "basis", "compartment"}
)


class Known(NamedTuple):
    """A question: the call of a tool, and facts that its result must have, by their names in `facts_of`."""

    tool: str
    arguments: Json
    expected: Json


ROUTE = {"origin": "AE", "destination": "GB", "airline": "EK"}
UNKNOWN = (
    Known("search_models", {"q": "Acme 5000"}, {"reason": "MODEL_NOT_FOUND"}),
    Known("search_models", {"q": "Anker 20k"}, {"reason": "SEVERAL_MODELS"}),
    Known("get_model", {"model_id": "acme-5000"}, {"reason": "MODEL_NOT_FOUND"}),
    Known("get_airline_policy", {"airline": "Nowhere Air"}, {"reason": "AIRLINE_NAME_UNKNOWN"}),
    Known("get_airline_policy", {"airline": "china"}, {"reason": "SEVERAL_AIRLINES"}),
    Known(
        "verify_power_bank",
        {"model_id": "acme-5000", **ROUTE},
        {"reason": "MODEL_NOT_FOUND", "clear": False, "verdict": None},
    ),
    Known(
        "verify_power_bank",
        {"model_id": "anker-a1289", **ROUTE, "airline": "EK 001"},
        {"reason": "operating_airline_unconfirmed", "clear": False, "verdict": None},
    ),
    Known(
        "verify_power_bank",
        {"model_id": "anker-a1289", **ROUTE, "transit": ["DE"]},
        {"reason": "USE_TRIP_ENDPOINT", "clear": False, "verdict": None},
    ),
    Known(
        "verify_power_bank",
        {"model_id": "anker-a1289", "origin": "AE", "airline": "EK"},
        {"reason": "VALIDATION_ERROR", "clear": False, "verdict": None},
    ),
    Known(
        "verify_itinerary",
        {
            "items": [{"label": {"capacity_mah": 20000}}],
            "segments": [{"origin": "AE", "destination": "GB", "operating_airline": "EK"}],
        },
        {"reason": "watt_hour_unknown", "clear": False, "verdict": "insufficient"},
    ),
)


def questions(today: datetime.date) -> list[Known]:
    """Return the questions, asked on a day (UTC): on the same day always the same."""
    content = starter_content()
    reference = release_of(_document(content))
    given = [case.given for case in load_cases() if _can_be_asked(case.given, reference)]
    single = [one for one in given if len(one.flights()) == 1]
    asking = _Asking(reference, {one.airline: one.name for one in content.airlines}, today)
    return [
        *(asking.flight(one, named=place % 2 == 1) for place, one in enumerate(_spread(single, FLIGHTS))),
        *(asking.trip(one) for one in [one for one in given if len(one.flights()) > 1][:TRIPS]),
        *itertools.islice(asking.pairs(single), PAIRS),
        *_spread([*asking.recalls(single)], RECALLS),
        *_models(content),
        *(
            asking.airline(one.airline, named=place % 2 == 1)
            for place, one in enumerate(_spread(content.airlines, AIRLINES))
        ),
        *UNKNOWN,
    ]


def facts_of(result: Json) -> Json:
    """Return what the result of any tool says, by the names that questions use."""
    found = result["answer"] or {}
    return {
        "clear": result.get("clear_to_pack"),
        "reason": (result["gap"] or {}).get("reason_code"),
        "verdict": found.get("verdict"),
        "path": found.get("verdict_path"),
        "constraints": [one["code"] for one in found.get("constraints", ())],
        "warnings": [(one["code"], one["severity"]) for one in found.get("warnings", ())],
        "recall_status": found.get("recall_status") or found.get("device_resolved", {}).get("recall_status"),
        "segments": [_of_segment(one["verdict"]) for one in found.get("segments", ())],
        "items": [one["verdict"] for one in found.get("items", ())],
        "model": next((one["model_id"] for one in found.get("devices", ())), None),
        "airline": found.get("airline"),
        "rule_count": found.get("rule_count"),
    }


def _of_segment(verdict: Any) -> Any:
    """Return the verdict of a flight: alone in an itinerary, with its id in a trip."""
    return verdict["verdict"] if isinstance(verdict, dict) else verdict


def wrong(known: Known, result: Json) -> Json:
    """Return each expected fact that a result does not have, with what it says instead."""
    facts = facts_of(result)
    return {name: facts[name] for name, value in known.expected.items() if facts[name] != value}


class _Asking:
    """Makes questions from cases, and asks the reference program for their answers."""

    def __init__(self, release: Release, names: dict[str, str], today: datetime.date) -> None:
        self._release, self._names, self._today = release, names, today

    def flight(self, given: Given, *, named: bool) -> Known:
        """Return the question of a case about one flight. `named`: the airline by its name."""
        when = {"date": str(self._day(given)), "compartment_intent": given.compartment}
        arguments = {**_unit(given), **self._leg(given, named=named), **when}
        return Known("verify_power_bank", arguments, _facts(self._answer(given)))

    def trip(self, given: Given) -> Known:
        """Return the question of a case about several flights, each with its airline."""
        return Known("verify_trip", {**_unit(given), **self._trip(given)}, _facts(self._answer(given)))

    def pairs(self, given: Sequence[Given]) -> Iterator[Known]:
        """Yield itineraries of two people who carry one kind of power bank each, as two cases say.

        Each bag has one item, so the answer is that of each question alone, and the strictest for both.
        """
        for one, other in itertools.pairwise(_spread(given, 4 * PAIRS)):
            other = msgspec.structs.replace(
                other, route=one.route, airline=one.airline, legs=one.legs, on=one.on
            )
            both = [self._answer(one), self._answer(other)]
            if all(isinstance(found, LegAnswer) for found in both):
                verdicts = [found.verdict for found in both if isinstance(found, LegAnswer)]
                yield self._itinerary((one, other), verdicts)

    def recalls(self, given: Sequence[Given]) -> Iterator[Known]:
        """Yield what the recalls of a model say about a unit, by its serial or the hash of one."""
        asked: dict[tuple[str, ...], Given] = {}
        for one in given:
            for name in ("serial", "serial_hash"):
                if value := getattr(one, name):
                    asked[str(one.model_id), name, value] = one
        for (model_id, name, value), one in asked.items():
            found = self._answer(msgspec.structs.replace(one, recall_check="not_checked"))
            if isinstance(found, LegAnswer):
                yield Known(
                    "check_recall",
                    {"model_id": model_id, name: value},
                    {"recall_status": found.recall_status},
                )

    def airline(self, code: str, *, named: bool) -> Known:
        """Return the question whether an airline is covered, and by how many rules."""
        rules = [one for one in self._release.rules_of.get(code, ()) if one.in_force(self._today)]
        reason = None if rules else "AIRLINE_NOT_COVERED"
        return Known(
            "get_airline_policy",
            {"airline": self._names[code] if named else code},
            {"airline": code, "rule_count": len(rules), "reason": reason},
        )

    def _answer(self, given: Given) -> LegAnswer | TripAnswer | NotCovered:
        """Return what the reference program finds."""
        trip = self._trip(given)
        legs = trip.pop("legs")
        body: Json = (
            {**_unit(given), "trip": {**trip, **legs[0]}}
            if len(legs) == 1
            else {"device": _unit(given), "trip": {**trip, "legs": legs}}
        )
        try:
            return answer(self._release, question_of(body, self._today), self._today)
        except NotCovered as error:
            return error

    def _trip(self, given: Given) -> Json:
        legs = [
            {"origin": leg.origin, "destination": leg.destination, "airline": leg.airline}
            for leg in given.flights()
        ]
        return {"legs": legs, "date": str(self._day(given)), "compartment_intent": given.compartment}

    def _leg(self, given: Given, *, named: bool) -> Json:
        (leg,) = given.flights()
        airline = self._names.get(leg.airline, leg.airline) if named else leg.airline
        return {"origin": leg.origin, "destination": leg.destination, "airline": airline}

    def _itinerary(self, both: tuple[Given, Given], verdicts: list[str]) -> Known:
        (leg,) = both[0].flights()
        flight = {"origin": leg.origin, "destination": leg.destination, "operating_airline": leg.airline}
        items = [
            {**_unit(one), "carried_by": person, "compartment_intent": one.compartment}
            for person, one in enumerate(both, start=1)
        ]
        whole = max(verdicts, key=lambda verdict: STRICTNESS[verdict])  # type: ignore[index]
        return Known(
            "verify_itinerary",
            {"passengers": 2, "items": items, "segments": [{**flight, "date": str(self._day(both[0]))}]},
            {"verdict": whole, "items": verdicts, "segments": [whole], "clear": whole == "allowed"},
        )

    def _day(self, given: Given) -> datetime.date:
        """Return the day of a case, or today if it can no longer be asked."""
        return given.on if self._today <= given.on <= self._today + FURTHEST else self._today


def _facts(expected: LegAnswer | TripAnswer | NotCovered) -> Json:
    """Return what a result must say if the reference program answers this."""
    if isinstance(expected, NotCovered):
        return {"reason": expected.code, "verdict": None, "clear": False}
    if isinstance(expected, TripAnswer):
        segments = [one.verdict for one in expected.segments]
        return {"verdict": expected.verdict, "segments": segments, "clear": expected.verdict == "allowed"}
    plain = expected.plain()
    return {
        "verdict": expected.verdict,
        "clear": expected.verdict == "allowed",
        "path": expected.path,
        "constraints": plain["constraints"],
        "warnings": expected.warnings,
        "recall_status": expected.recall_status,
    }


def _models(content: Content) -> list[Known]:
    """Return searches by brand and model number that mean one model of the corpus."""
    numbered = {(one.brand, one.model_number): one.model_id for one in content.devices if one.model_number}
    return [
        Known("search_models", {"q": f"{brand} {number}", "limit": 3}, {"model": model_id})
        for (brand, number), model_id in _spread(list(numbered.items()), MODELS)
    ]


def _can_be_asked(given: Given, release: Release) -> bool:
    """Return whether the API takes the question of a case: a model of its own, known countries."""
    if given.model_id is None or given.items is not None:
        return False
    return all({leg.origin, leg.destination} <= release.countries for leg in given.flights()) and not (
        given.quantity > 1 and (given.serial or given.serial_hash)
    )


def _unit(given: Given) -> Json:
    """Return what a case says of its unit, without what it leaves open."""
    silent = GivenUnit()
    return {name: value for name in UNITS if (value := getattr(given, name)) != getattr(silent, name)}


def _spread(listed: Sequence[One], count: int) -> list[One]:
    """Return so many of a list, at equal distances."""
    return [listed[place * len(listed) // count] for place in range(min(count, len(listed)))]


def _document(content: Content) -> bytes:
    document = ReleaseDocument(ruleset_version=RULESET_VERSION, predecessor=None, content=content)
    return canonical_text(document).encode()
