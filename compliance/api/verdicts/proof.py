"""Proves an answer from a client's stored data: its request and our answer. It needs no record.

There are two proofs. The id is a keyed digest of the question, the release, the time and the verdict, so it
proves those (`rules.engine.verdict_ids`). Then the same request is answered again, by the same release at the
same second, and every field of the stored answer is compared: that proves the rest. Only the client's copy
has a serial, so this proof is complete where the replay of a record may not be.

Called by `manage.py verdict verify`, and by POST /api/receipts.
"""

import datetime
import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from django.conf import settings

from compliance.api.protocol.bodies import json_response, parse
from compliance.api.protocol.errors import ApiError
from compliance.api.verdicts import questions
from compliance.api.verdicts.itineraries import itinerary_body
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.trips import trip_body
from compliance.api.verdicts.verify import verify_body
from rules import corpus, verdicts
from rules.corpus import CorpusUnavailable, Published
from rules.engine.errors import Unanswerable
from rules.engine.verdict_ids import itinerary_verdict_id, trip_verdict_id, verdict_id
from rules.engine.vocabulary import Verdict
from rules.models import Release


class NotToBeProved(Exception):
    """The files are not a request and its answer, or the release that they name cannot be used."""


Instant = Annotated[datetime.datetime, msgspec.Meta(tz=True)]


class _Leg(msgspec.Struct):
    """The fields of a stored answer of POST /api/verify that are checked."""

    verdict_id: str
    ruleset_version: str
    generated_at: Instant
    verdict: Verdict


class _Trip(msgspec.Struct):
    """The same of POST /api/trips/verify."""

    trip_verdict_id: str
    ruleset_version: str
    generated_at: Instant
    verdict: Verdict


class _Itinerary(msgspec.Struct):
    """The same of POST /api/itineraries/verify."""

    itinerary_verdict_id: str
    ruleset_version: str
    generated_at: Instant
    verdict: Verdict


@dataclass(frozen=True)
class Proof:
    """The result of the proof.

    `is_ours`: we answered this question, by this release, then, with this verdict.

    `differs` are the fields of the stored answer that the release does not give again: they were changed, or
    another version of the program words them differently.
    """

    verdict_id: str
    ruleset_version: str
    is_ours: bool
    differs: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Say whether everything in the stored answer is proved."""
        return self.is_ours and not self.differs


def prove(request: bytes, answer: bytes) -> Proof:
    """Prove a stored answer. Both are JSON as they were sent.

    Raises `NotToBeProved`, and `django.db.Error`.
    """
    try:
        body, stored = parse(request), parse(answer)
    except ApiError as error:
        raise NotToBeProved(f"This request has no such answer: {error.code}.") from None
    if not isinstance(body, dict) or not isinstance(stored, dict):
        raise NotToBeProved("The request and the answer are JSON objects.")
    return prove_parsed(body, stored)


def prove_parsed(body: dict[str, Any], stored: dict[str, Any]) -> Proof:
    """Prove a stored answer by what was parsed from both. Raises as `prove` does."""
    try:
        if "itinerary_verdict_id" in stored:
            return _prove_itinerary(body, stored)
        return _prove_trip(body, stored) if "trip_verdict_id" in stored else _prove_leg(body, stored)
    except ApiError as error:
        raise NotToBeProved(f"This request has no such answer: {error.code}.") from None
    except Unanswerable as error:
        raise NotToBeProved(f"The release does not contain what the request names: {error.code}.") from None
    except msgspec.ValidationError:
        raise NotToBeProved("The answer is not one of an operation that gives verdicts.") from None
    except OverflowError:
        raise NotToBeProved("No answer was given at such a time.") from None
    except CorpusUnavailable as error:
        raise NotToBeProved(str(error)) from None


def _prove_leg(body: dict[str, Any], stored: dict[str, Any]) -> Proof:
    given = msgspec.convert(stored, _Leg)
    release, day = _release(given.ruleset_version), given.generated_at.date()
    asked = questions.verify_request(body, today=day, countries=release.corpus.countries)
    expected = verdict_id(
        asked.question,
        key=settings.VERDICT_KEY,
        release_sha256=release.sha256,
        generated_at=given.generated_at,
        verdict=given.verdict,
    )

    def again() -> msgspec.Struct:
        answer = verdicts.answer_from(release, asked.question, now=given.generated_at)
        return verify_body(answer, asked.language, asked.citations)

    return _proof(given.verdict_id, expected, release, stored, again)


def _prove_trip(body: dict[str, Any], stored: dict[str, Any]) -> Proof:
    given = msgspec.convert(stored, _Trip)
    release, day = _release(given.ruleset_version), given.generated_at.date()
    asked = questions.trip_request(body, today=day, countries=release.corpus.countries)
    expected = trip_verdict_id(
        asked.question,
        key=settings.VERDICT_KEY,
        release_sha256=release.sha256,
        generated_at=given.generated_at,
        verdict=given.verdict,
    )

    def again() -> msgspec.Struct:
        answer = verdicts.trip_answer_from(release, asked.question, now=given.generated_at)
        return trip_body(answer, asked.language)

    return _proof(given.trip_verdict_id, expected, release, stored, again)


def _prove_itinerary(body: dict[str, Any], stored: dict[str, Any]) -> Proof:
    given = msgspec.convert(stored, _Itinerary)
    release, day = _release(given.ruleset_version), given.generated_at.date()
    asked = itinerary_request(body, today=day, countries=release.corpus.countries)
    expected = itinerary_verdict_id(
        asked.question,
        key=settings.VERDICT_KEY,
        release_sha256=release.sha256,
        generated_at=given.generated_at,
        verdict=given.verdict,
    )

    def again() -> msgspec.Struct:
        answer = verdicts.itinerary_answer_from(release, asked.question, now=given.generated_at)
        leg_ids = [verdicts.flight_leg_ids(answer, flight) for flight in answer.outcome.flights]
        return itinerary_body(answer, leg_ids, asked.language, asked.citations)

    return _proof(given.itinerary_verdict_id, expected, release, stored, again)


def _release(ruleset_version: str) -> Published:
    # An answer of today is proved without the database.
    published = corpus.current()
    if published.ruleset_version == ruleset_version:
        return published
    sha256 = Release.objects.filter(ruleset_version=ruleset_version).values_list("sha256", flat=True).first()
    if sha256 is None:
        raise NotToBeProved(f"The ledger has no release {ruleset_version}.")
    return corpus.by_digest(sha256)


def _proof(
    name: str,
    expected: str,
    release: Published,
    stored: dict[str, Any],
    again: Callable[[], msgspec.Struct],
) -> Proof:
    """Return the result. Only what is ours is answered again, so what others make up costs little."""
    if not hmac.compare_digest(expected.encode(), name.encode()):
        return Proof(name, release.ruleset_version, is_ours=False, differs=())
    given_again = parse(json_response(again()).content)
    return Proof(
        name, release.ruleset_version, is_ours=True, differs=tuple(_differences(stored, given_again))
    )


def _differences(stored: Any, again: Any, name: str = "") -> Iterator[str]:
    """Return the names of the fields that differ, the innermost ones."""
    if isinstance(stored, dict) and isinstance(again, dict):
        for field in sorted(stored.keys() | again.keys()):
            inner = f"{name}.{field}".lstrip(".")
            if field in stored and field in again:
                yield from _differences(stored[field], again[field], inner)
            else:
                yield inner
    elif isinstance(stored, list) and isinstance(again, list) and len(stored) == len(again):
        for index, (one, other) in enumerate(zip(stored, again, strict=True)):
            yield from _differences(one, other, f"{name}[{index}]")
    # To Python, `true` is 1.
    elif stored != again or isinstance(stored, bool) != isinstance(again, bool):
        yield name
