"""The record of a verdict, and its format: a line of JSON.

Nothing here identifies a unit or a person: no serial, no hash of one, no key, no address, nothing that a
person typed. Called by `recording`, which writes lines, and by all readers of lines.
"""

import datetime
import itertools
import os
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from compliance.records.verdict_log.models import Channel, Kind, SerialGiven
from recalls.serials import RecallStatus
from rules.engine.facts import ItineraryQuestion, Question, TripQuestion, Unit
from rules.engine.verdict_ids import canonical
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, TripAnswer

VerdictName = Annotated[str, msgspec.Meta(pattern=r"^(vdt|trip|itn)_[a-z2-7]{26}$")]


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One verdict that was given. Its fields are the columns of `VerdictRecord`.

    `question` is canonical JSON, as the verdict's id digests it. `segment_ids` are the verdict ids of a
    trip's flights. `recall_status` is empty if no flight of a trip was covered. `partner` is the public id of
    the key that was sent, or empty.
    """

    entry_id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}$")]
    verdict_id: VerdictName
    segment_ids: tuple[VerdictName, ...] = ()
    kind: Kind
    channel: Channel
    question: msgspec.Raw
    serial_given: SerialGiven
    recall_status: RecallStatus | Literal[""]
    release_sha256: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
    ruleset_version: Annotated[str, msgspec.Meta(max_length=20)]
    verdict: Verdict
    language: Annotated[str, msgspec.Meta(max_length=10)]
    generated: datetime.datetime
    expires: datetime.datetime
    partner: Annotated[str, msgspec.Meta(max_length=12)] = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode


def line(answer: AnyAnswer, channel: Channel, language: str, partner: str) -> bytes:
    """Return the line that records a verdict.

    It begins with a line feed, so that an incomplete line before it does not spoil it.
    """
    kind: Kind
    segment_ids: tuple[str, ...]
    recall_status: RecallStatus | Literal[""]
    if isinstance(answer, Answer):
        kind, segment_ids = "leg", ()
        verdict_id, recall_status = answer.verdict_id, answer.outcome.recall_status
    elif isinstance(answer, ItineraryAnswer):
        kind, segment_ids = "itinerary", ()
        verdict_id, recall_status = answer.itinerary_verdict_id, recall_status_of_itinerary(answer)
    else:
        kind, segment_ids = "trip", answer.segment_ids
        verdict_id, recall_status = answer.trip_verdict_id, recall_status_of_trip(answer)
    return b"\n" + _encode(
        Entry(
            entry_id=_ids.next(),
            verdict_id=verdict_id,
            segment_ids=segment_ids,
            kind=kind,
            channel=channel,
            question=msgspec.Raw(canonical(answer.question)),
            serial_given=_serial_given(_units(answer.question)),
            recall_status=recall_status,
            release_sha256=answer.release.sha256,
            ruleset_version=answer.release.ruleset_version,
            verdict=answer.outcome.verdict,
            language=language,
            generated=answer.generated_at,
            expires=answer.expires_at,
            partner=partner,
        )
    )


def read(data: bytes) -> tuple[list[Entry], int]:
    """Return the entries of some lines, and how many lines are incomplete and cannot be read."""
    found, unreadable = [], 0
    for written in data.split(b"\n"):
        if not written:
            continue
        try:
            found.append(_decode(written))
        except msgspec.DecodeError:
            unreadable += 1
    return found, unreadable


def rows(entries: Iterable[Entry]) -> str:
    """Return entries as one JSON list, for the database."""
    return _encode(list(entries)).decode()


class _Ids:
    """Unique ids: 64 random bits for each process, and a count."""

    def __init__(self) -> None:
        self._process = os.urandom(8).hex()
        self._count = itertools.count()

    def next(self) -> str:
        """Return the next id: 32 hex digits."""
        return f"{self._process}{next(self._count):016x}"


_ids = _Ids()


def _units(question: Question | TripQuestion | ItineraryQuestion) -> list[Unit]:
    if isinstance(question, ItineraryQuestion):
        return [item.unit for item in question.items]
    return [question.unit]


def _serial_given(units: list[Unit]) -> SerialGiven:
    if any(unit.serial is not None for unit in units):
        return "serial"
    return "none" if all(unit.serial_hash is None for unit in units) else "hash"


def recall_status_of_trip(answer: TripAnswer) -> RecallStatus | Literal[""]:
    """Return the recall status of the unit of a trip: the same in each segment that is covered."""
    for segment in answer.outcome.segments:
        if segment.answer is not None:
            return segment.answer.recall_status
    return ""


def recall_status_of_itinerary(answer: ItineraryAnswer) -> RecallStatus:
    """Return the gravest recall status of the items of an itinerary."""
    gravest: tuple[RecallStatus, ...] = (
        "affected",
        "external_check_required",
        "serial_unknown",
        "not_affected",
    )
    return min((item.impact.status for item in answer.outcome.items), key=gravest.index)


def _reset_in_child() -> None:
    global _ids
    _ids = _Ids()


os.register_at_fork(after_in_child=_reset_in_child)
