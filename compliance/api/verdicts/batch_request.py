"""From the body of a batch to its questions, as unparsed text.

A question is decoded only when it is its turn, and the text around the questions is read as strictly as any
body. So neither a large body nor a malformed one takes much memory, and only the reader of the single
question reads each question (`compliance.api.verdicts.one_of_many`).
"""

from typing import Annotated, Any, NamedTuple

import msgspec
from django.conf import settings
from msgspec import UNSET, Meta, UnsetType

from compliance.api.protocol.bodies import MAX_BODY_BYTES, decoded, object_in, too_large
from compliance.api.protocol.fields import Fields, Report
from compliance.api.verdicts.bounds import REF, REF_WANTED, Citations
from compliance.api.verdicts.questions import how_to_answer
from compliance.api.verdicts.requests import (
    AnswerOptionsRequest,
    ItineraryVerifyRequest,
    RequestPart,
    RulesetVersion,
    VerifyRequest,
    whole,
)

MAX_BATCH_BYTES = 2 * 1024 * 1024


class Bounds(NamedTuple):
    """How many questions a batch has at most, and the operation that answers each of them.

    A list with the allowed number of questions never has more than `commas`, in texts or between anything.
    With more, there are too many questions.
    """

    questions: int
    commas: int
    operation: str


OF_FLIGHTS = Bounds(1000, 100_000, "POST /api/verify")
OF_ITINERARIES = Bounds(100, 250_000, "POST /api/itineraries/verify")

_PLACEHOLDER = b"[0]"

_items = msgspec.json.Decoder(list[msgspec.Raw]).decode


class _RawItems(msgspec.Struct):
    """The first reading of a body: the questions as unparsed text, or nothing."""

    items: msgspec.Raw = msgspec.Raw()


_decode_items = msgspec.json.Decoder(_RawItems).decode


BatchRef = Annotated[
    str,
    Meta(
        pattern=whole(REF.pattern),
        description="Your name of the question. It is returned with its answer, and neither read nor stored.",
        examples=["booking-4711"],
    ),
]


class BatchQuestion(VerifyRequest, kw_only=True):
    """The body of POST /api/verify, and your name of the question."""

    ref: BatchRef | UnsetType = UNSET


class BatchItinerary(ItineraryVerifyRequest, kw_only=True):
    """The body of POST /api/itineraries/verify, and your name of the question."""

    ref: BatchRef | UnsetType = UNSET


class BatchRequest(RequestPart, kw_only=True):
    """The body of POST /api/verify/batch. A field that is not listed here is refused, never ignored."""

    items: Annotated[
        list[BatchQuestion],
        Meta(
            min_length=1,
            max_length=OF_FLIGHTS.questions,
            description=(
                "Bodies of POST /api/verify, each of at most 64 KiB. An invalid body gets a `problem` at "
                "its position; the others get their answers."
            ),
        ),
    ]
    options: AnswerOptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class ItineraryBatchRequest(RequestPart, kw_only=True):
    """The body of POST /api/itineraries/verify/batch. A field that is not listed here is refused."""

    items: Annotated[
        list[BatchItinerary],
        Meta(
            min_length=1,
            max_length=OF_ITINERARIES.questions,
            description=(
                "Bodies of POST /api/itineraries/verify, each of at most 64 KiB. An invalid body gets a "
                "`problem` at its position; the others get their answers."
            ),
        ),
    ]
    options: AnswerOptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class AskedBatch(NamedTuple):
    """The unparsed questions, the pinned ruleset, and the options of those that name none."""

    questions: list[msgspec.Raw]
    language: str
    ruleset_version: str | None
    citations: Citations


def batch_request(body: bytes, bounds: Bounds) -> AskedBatch:
    """Read the body of a batch. Raises `ApiError`."""
    wanted = f"Send a list of 1 to {bounds.questions:,} bodies of {bounds.operation}."
    items = bytes(decoded(body, _decode_items).items)
    fields = Fields(object_in(_around(body, items)), Report())
    questions: list[msgspec.Raw] = []
    if fields.items("items", bounds.questions, wanted):
        # A list of a million numbers is not even split.
        questions = [] if items.count(b",") > bounds.commas else _items(items)
        if not 1 <= len(questions) <= bounds.questions:
            fields.refuse("items", "out_of_range", wanted)
    elif "items" not in fields:
        fields.refuse("items", "required", f"This field is required. {wanted}")
    return AskedBatch(questions, *how_to_answer(fields, settings.LANGUAGE_CODE, "full"))


def taken_ref(question: dict[str, Any]) -> str | None:
    """Take the caller's name out of a question, and return it; none if there is none. Raises `ApiError`."""
    if "ref" not in question:
        return None
    fields = Fields({"ref": question.pop("ref")}, Report())
    ref = fields.optional_text("ref", REF.fullmatch, REF_WANTED)
    fields.report.check()
    return ref


def _around(body: bytes, items: bytes) -> bytes:
    """Return a body with a list of one in place of its items. If two fields have that name, both stay."""
    # An earlier match could only be part of a string, and no value that is read contains such a list.
    rest = body.replace(items, _PLACEHOLDER, 1) if items.startswith(b"[") else body
    if len(rest) > MAX_BODY_BYTES:
        raise too_large(MAX_BODY_BYTES)
    return rest
