"""From the body of a request to a question for the door.

There is one function for each endpoint that gives a verdict. Both read strictly (`fields`), report all errors
at once, and know nothing of verdicts. The contract's types (`requests`) read a body of POST /api/verify in
one step (`_plainly`). A body that they refuse is read field by field (`_carefully`), to find all errors in
it.

Decisions beyond the domain page:

- On the verify endpoint a non-empty `trip.transit` is answered with USE_TRIP_ENDPOINT whatever else is wrong
  with the request.
- An empty `trip.transit` says that there are no stops, on both endpoints. An empty `trip.legs` counts as
  absent next to the stops, which describe the whole journey.
- Legs must chain: each one starts in the country in which the one before ended. A gap is more often a mistake
  than a journey over land, and a trip with such a gap can be asked as two.
"""

import datetime
import itertools
from collections.abc import Container
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import msgspec
from django.conf import settings
from msgspec import UNSET

from compliance.api.protocol.corrections import offers_correction
from compliance.api.protocol.errors import PROBLEMS, ApiError, FieldError
from compliance.api.protocol.fields import VISIBLE_TEXT, Fields, Report, country
from compliance.api.verdicts.bounds import (
    LANGUAGES,
    MAX_LEGS,
    MAX_SERIAL_CHARACTERS,
    MAX_TRANSIT_STOPS,
    MAX_VERSION_CHARACTERS,
    SERIAL_HASH,
    Citations,
)
from compliance.api.verdicts.requests import VerifyRequest
from rules.engine.document import MODEL_ID
from rules.engine.facts import BY_LABEL, ItineraryQuestion, Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import (
    MAX_DAYS_AHEAD,
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)

AnyQuestion = TypeVar("AnyQuestion", Question, TripQuestion, ItineraryQuestion)

COMPARTMENTS: tuple[Compartment, ...] = get_args(Compartment)
MARKS: tuple[MarkIndication, ...] = get_args(MarkIndication)
LABELS: tuple[LabelIndication, ...] = get_args(LabelIndication)
CONDITIONS: tuple[UnitCondition, ...] = get_args(UnitCondition)
CITATIONS: tuple[Citations, ...] = get_args(Citations)
LIST_ANSWERS: tuple[ListAnswer, ...] = get_args(ListAnswer)

_UNIT = Unit.__struct_fields__
_LEG_WANTED = "A leg is an object with `origin`, `destination` and `airline`."
AHEAD = datetime.timedelta(days=MAX_DAYS_AHEAD)
"""How far ahead a flight may be."""
_OF_STOPS = ("origin", "transit", "destination", "airline")
"""The fields of a journey by its stops."""
_ELSEWHERE = "Send trips of several flights to POST /api/trips/verify."


class Asked(msgspec.Struct, Generic[AnyQuestion], frozen=True):
    """A caller's question, its language, the pinned ruleset, if there is one, and how much evidence."""

    question: AnyQuestion
    language: str
    ruleset_version: str | None
    citations: Citations = "full"


@offers_correction
def verify_request(
    body: dict[str, Any],
    *,
    today: datetime.date,
    countries: Container[str],
    language: str = settings.LANGUAGE_CODE,
    citations: Citations = "full",
) -> Asked[Question]:
    """Read the body of POST /api/verify. Raises `ApiError`.

    `language` and `citations` are for a body that names none.
    """
    return _plainly(body, today, countries, language, citations) or _carefully(
        body, today, countries, language, citations
    )


def _plainly(
    body: dict[str, Any],
    today: datetime.date,
    countries: Container[str],
    language: str,
    citations: Citations,
) -> Asked[Question] | None:
    """Return the result of `_carefully` for a body without errors; none for any other.

    The contract's types read it. Rules that they cannot express are checked here: which countries, days and
    languages exist, that a serial and its hash exclude each other, and that `$` accepts no line break at the
    end.
    """
    try:
        sent = msgspec.convert(body, VerifyRequest)
    except msgspec.ValidationError:
        return None
    trip, options = sent.trip, sent.options
    if options is not UNSET:
        language = language if options.language is UNSET else options.language
        citations = citations if options.citations is UNSET else options.citations
    day = today if trip.date is UNSET else trip.date
    if (
        trip.origin not in countries
        or trip.destination not in countries
        or not today <= day <= today + AHEAD
        or language not in LANGUAGES
        or (sent.serial is not UNSET and sent.serial_hash is not UNSET)
        or "\n" in f"{sent.model_id}{trip.airline}{sent.serial}{sent.serial_hash}"
    ):
        return None
    question = Question(
        unit=Unit(**{name: value for name in _UNIT if (value := getattr(sent, name)) is not UNSET}),
        leg=Leg(trip.origin, trip.destination, trip.airline),
        travel_date=day,
        compartment_intent="carry_on" if trip.compartment_intent is UNSET else trip.compartment_intent,
    )
    version = None if sent.ruleset_version is UNSET else sent.ruleset_version
    return Asked(question, language, version, citations)


def _carefully(
    body: dict[str, Any],
    today: datetime.date,
    countries: Container[str],
    language: str,
    citations: Citations,
) -> Asked[Question]:
    """Read the body of POST /api/verify field by field. Raises `ApiError`, which names all errors."""
    _refuse_transit(body)
    fields = Fields(body, Report())
    trip = fields.object("trip")
    question = Question(
        unit=unit_of(fields),
        leg=_leg(trip, countries),
        travel_date=_travel_date(trip, today),
        compartment_intent=trip.choice("compartment_intent", COMPARTMENTS, "carry_on"),
    )
    trip.drop_empty("transit", "legs")
    trip.expect_none_of(["transit"], "wrong_type", f"Leave it out. {_ELSEWHERE}")
    trip.expect_none_of(["legs"], "unknown_field", f"This field is not known here. {_ELSEWHERE}")
    trip.refuse_others()
    return asked_by(question, fields, language, citations)


@offers_correction
def trip_request(
    body: dict[str, Any], *, today: datetime.date, countries: Container[str]
) -> Asked[TripQuestion]:
    """Read the body of POST /api/trips/verify. Raises `ApiError`."""
    fields = Fields(body, Report())
    device, trip = fields.object("device"), fields.object("trip")
    trip.drop_empty("transit")
    if any(name in trip for name in _OF_STOPS):
        trip.drop_empty("legs")
    question = TripQuestion(
        unit=unit_of(device),
        legs=_own_legs(trip, countries) if "legs" in trip else _legs_by_stops(trip, countries),
        travel_date=_travel_date(trip, today),
        compartment_intent=trip.choice("compartment_intent", COMPARTMENTS, "carry_on"),
    )
    device.refuse_others()
    trip.refuse_others()
    return asked_by(question, fields, settings.LANGUAGE_CODE, None)


class How(NamedTuple):
    """How to answer: the language, the pinned ruleset, if there is one, and how much evidence."""

    language: str
    ruleset_version: str | None
    citations: Citations


def how_to_answer(fields: Fields, language: str, citations: Citations | None) -> How:
    """Read the end of every request; language and citations are for one that names none.

    Without `citations` the answer lists no evidence, and the option is not known. It accepts the request only
    without any error so far. Raises `ApiError`.
    """
    options = fields.optional_object("options")
    language = options.language("language", LANGUAGES, language)
    if citations is not None:
        citations = options.choice("citations", CITATIONS, citations)
    options.refuse_others()
    ruleset_version = fields.optional_text(
        "ruleset_version",
        lambda text: 0 < len(text) <= MAX_VERSION_CHARACTERS,
        "Send the ruleset version of an earlier answer, such as `2026-11-20`, or leave it out.",
    )
    fields.refuse_others()
    fields.report.check()
    return How(language, ruleset_version, citations or "full")


def asked_by(
    question: AnyQuestion, fields: Fields, language: str, citations: Citations | None
) -> Asked[AnyQuestion]:
    """Return a question with how to answer it. Raises `ApiError`."""
    return Asked(question, *how_to_answer(fields, language, citations))


def _refuse_transit(body: dict[str, Any]) -> None:
    trip = body.get("trip")
    if isinstance(trip, dict) and isinstance(transit := trip.get("transit"), list) and transit:
        why = PROBLEMS["USE_TRIP_ENDPOINT"].detail
        raise ApiError("USE_TRIP_ENDPOINT", why, [FieldError("trip.transit", "use_trip_endpoint", why)])


def unit_of(fields: Fields) -> Unit:
    """Read a unit of an exact model."""
    model_id = fields.text(
        "model_id",
        MODEL_ID.fullmatch,
        "Send a catalog model id: 2 to 80 lower-case letters, digits and hyphens, such as `anker-a1263`.",
    )
    serial = fields.optional_text(
        "serial",
        _is_serial,
        f"Send 1 to {MAX_SERIAL_CHARACTERS} visible characters as printed on the unit, or leave it out.",
    )
    serial_hash = fields.optional_text(
        "serial_hash",
        SERIAL_HASH.fullmatch,
        "Send the SHA-256 of the serial (trimmed, upper case) as 64 lower-case hex digits, or leave it out.",
    )
    if "serial" in fields and "serial_hash" in fields:
        fields.refuse("serial_hash", "conflict", "Send either `serial` or `serial_hash`, never both.")
    return msgspec.structs.replace(
        unit_by_label(fields), model_id=model_id, serial=serial, serial_hash=serial_hash
    )


def unit_by_label(fields: Fields) -> Unit:
    """Read a unit whose model is not known."""
    return Unit(
        model_id=BY_LABEL,
        quantity=fields.whole_number("quantity", 1, MAX_QUANTITY, 1),
        ccc_mark=fields.choice("ccc_mark", MARKS, "unknown"),
        capacity_label=fields.choice("capacity_label", LABELS, "unknown"),
        condition=fields.choice("condition", CONDITIONS, "unknown"),
        recall_check=fields.choice("recall_check", LIST_ANSWERS, "not_checked"),
    )


def _is_serial(text: str) -> bool:
    return len(text) <= MAX_SERIAL_CHARACTERS and VISIBLE_TEXT.fullmatch(text) is not None


def _travel_date(trip: Fields, today: datetime.date) -> datetime.date:
    return trip.date("date", today, today + AHEAD, today)


def _leg(fields: Fields, countries: Container[str]) -> Leg:
    origin = fields.country("origin", countries)
    destination = fields.country("destination", countries)
    return Leg(origin, destination, fields.airline("airline"))


def _legs_by_stops(trip: Fields, countries: Container[str]) -> tuple[Leg, ...]:
    """Expand origin, stops and destination into one leg for each flight, all of them on one airline."""
    trip.expect_none_of(["legs"], "conflict", "Leave it out if you send `origin`.")
    whole = _leg(trip, countries)
    stops = trip.items(
        "transit",
        MAX_TRANSIT_STOPS,
        f"Send a list of at most {MAX_TRANSIT_STOPS} country codes. A direct flight has none.",
    )
    points = [
        whole.origin,
        *[country(stop, countries, trip.report, f"trip.transit[{at}]") for at, stop in enumerate(stops)],
        whole.destination,
    ]
    return tuple(Leg(start, end, whole.airline) for start, end in itertools.pairwise(points))


def _own_legs(trip: Fields, countries: Container[str]) -> tuple[Leg, ...]:
    """Read an itinerary that names its flights one by one."""
    why = "Leave it out if you send `legs`: the legs already give it."
    trip.expect_none_of(_OF_STOPS, "conflict", why)
    legs: list[Leg] = []
    for at, item in enumerate(
        trip.items("legs", MAX_LEGS, f"Send a list of 1 to {MAX_LEGS} legs. {_LEG_WANTED}")
    ):
        path = f"trip.legs[{at}]"
        if not isinstance(item, dict):
            trip.report.add(path, "wrong_type", _LEG_WANTED)
            continue
        fields = Fields(item, trip.report, f"{path}.")
        leg = _leg(fields, countries)
        fields.refuse_others()
        before = legs[-1].destination if legs else ""
        if before and leg.origin and leg.origin != before:
            fields.refuse(
                "origin",
                "broken_chain",
                f"The leg before ends in `{before}`, so this leg must start there. If there is a gap, ask "
                "about two trips.",
            )
        legs.append(leg)
    return tuple(legs)
