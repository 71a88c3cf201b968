"""Verdict ids: short handles that prove an answer.

An id is a keyed digest of the question, the release, the time and the verdict. The holder of the key can
prove that a stored answer is ours, without any log. The proof needs only the request, the digest of its
release, `generated_at` and the verdict. Called by the door (`rules/verdicts.py`) and by all code that proves
a stored answer.

These parts are digested, joined by line feeds (none of them can contain one):

    canonical JSON (RFC 8785) of the question, without serial and serial hash
    SHA-256 of the release document, 64 lower-case hex digits
    generated_at, `2026-11-20T09:00:00Z`
    verdict

The travel date of the question is the resolved one: a request without a date means the day of `generated_at`.
A `recall_check` of `not_checked` is left out, so that questions from before this field existed keep their
ids. The language of an answer is not part of it.
"""

import datetime
import functools
import hmac

import msgspec

from rules.engine.facts import Flight, ItineraryQuestion, Label, Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import (
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
    Verdict,
)

ID_CHARACTERS = 26
"""130 bits in base32: too many to guess, and a person can still read them out."""

_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = tuple(first + second for first in _BASE32 for second in _BASE32)
"""What each ten bits are in base32."""

_SHIFTS = tuple(range(5 * ID_CHARACTERS - 10, -1, -10))
"""How far each group of ten bits is from the end of an id's bits, from the first group on."""


class _AskedUnit(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True):
    """A unit without what identifies it.

    A default is not written.
    """

    model_id: str
    quantity: int
    ccc_mark: MarkIndication
    capacity_label: LabelIndication
    condition: UnitCondition
    recall_check: ListAnswer = "not_checked"


class _AskedLeg(msgspec.Struct, kw_only=True):
    """A leg's question as it is digested."""

    unit: _AskedUnit
    leg: Leg
    travel_date: datetime.date
    compartment_intent: Compartment


class _AskedTrip(msgspec.Struct, kw_only=True):
    """A trip's question as it is digested. It never equals a leg's, so no id proves the other kind."""

    unit: _AskedUnit
    legs: tuple[Leg, ...]
    travel_date: datetime.date
    compartment_intent: Compartment


class _AskedItem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An item of an itinerary as it is digested: without its ref, which the caller made up."""

    unit: _AskedUnit
    label: Label | None = None
    carried_by: int | None = None
    compartment_intent: Compartment


class _AskedItinerary(msgspec.Struct, kw_only=True):
    """An itinerary's question as it is digested. It never equals one of the other kinds."""

    passengers: int
    items: list[_AskedItem]
    flights: tuple[Flight, ...]


# For text and whole numbers, RFC 8785 only asks for sorted keys and no white space. A question has nothing
# else: the decimals of a label are written as text.
_canonical = msgspec.json.Encoder(order="sorted")


def verdict_id(
    question: Question, *, key: str, release_sha256: str, generated_at: datetime.datetime, verdict: Verdict
) -> str:
    """Return the id of a leg's verdict: `vdt_` and 26 characters of lower-case base32."""
    return "vdt_" + _proof(canonical(question), key, release_sha256, generated_at, verdict)


def trip_verdict_id(
    question: TripQuestion,
    *,
    key: str,
    release_sha256: str,
    generated_at: datetime.datetime,
    verdict: Verdict,
) -> str:
    """Return the id of a trip's verdict: `trip_` and 26 characters of lower-case base32."""
    return "trip_" + _proof(canonical(question), key, release_sha256, generated_at, verdict)


def itinerary_verdict_id(
    question: ItineraryQuestion,
    *,
    key: str,
    release_sha256: str,
    generated_at: datetime.datetime,
    verdict: Verdict,
) -> str:
    """Return the id of an itinerary's verdict: `itn_` and 26 characters of lower-case base32."""
    return "itn_" + _proof(canonical(question), key, release_sha256, generated_at, verdict)


def canonical(question: Question | TripQuestion | ItineraryQuestion) -> bytes:
    """Return a question without serial and serial hash as canonical JSON."""
    if isinstance(question, ItineraryQuestion):
        return _canonical.encode(_asked_itinerary(question))
    unit = _asked_unit(question.unit)
    asked: _AskedLeg | _AskedTrip
    if isinstance(question, Question):
        asked = _AskedLeg(
            unit=unit,
            leg=question.leg,
            travel_date=question.travel_date,
            compartment_intent=question.compartment_intent,
        )
    else:
        asked = _AskedTrip(
            unit=unit,
            legs=question.legs,
            travel_date=question.travel_date,
            compartment_intent=question.compartment_intent,
        )
    return _canonical.encode(asked)


def timestamp(instant: datetime.datetime) -> str:
    """Return an instant with a time zone as answers write it: UTC with `Z`, whole seconds."""
    return instant.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _asked_itinerary(question: ItineraryQuestion) -> _AskedItinerary:
    return _AskedItinerary(
        passengers=question.passengers,
        items=[
            _AskedItem(
                unit=_asked_unit(item.unit),
                label=item.label,
                carried_by=item.carried_by,
                compartment_intent=item.compartment_intent,
            )
            for item in question.items
        ],
        flights=question.flights,
    )


def _asked_unit(unit: Unit) -> _AskedUnit:
    return _AskedUnit(
        model_id=unit.model_id,
        quantity=unit.quantity,
        ccc_mark=unit.ccc_mark,
        capacity_label=unit.capacity_label,
        condition=unit.condition,
        recall_check=unit.recall_check,
    )


@functools.lru_cache(maxsize=4)
def _keyed(key: str) -> hmac.HMAC:
    """Return the HMAC of a key without a message: making it costs more than digesting a question."""
    return hmac.new(key.encode(), digestmod="sha256")


def _proof(
    asked: bytes, key: str, release_sha256: str, generated_at: datetime.datetime, verdict: Verdict
) -> str:
    message = b"\n".join((asked, release_sha256.encode(), timestamp(generated_at).encode(), verdict.encode()))
    keyed = _keyed(key).copy()
    keyed.update(message)
    digest = keyed.digest()
    # 17 bytes are 136 bits.
    bits = int.from_bytes(digest[:17], "big") >> 6
    return "".join([_PAIRS[bits >> shift & 1023] for shift in _SHIFTS])
