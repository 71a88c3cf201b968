"""From the reply to a batch to one reply for each of its questions.

A batch is read as strictly as an answer. If it is not a batch of exactly these questions, none of them has an
answer.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from battery_travel.judging import OK, media_type
from battery_travel.reading import Fields, Malformed, parsed
from battery_travel.replies import Reply

T = TypeVar("T")

FLIGHTS: Final = 50
"""How many flights are asked about at once: less than the requests in a minute that need no key."""

ITINERARIES: Final = 10
"""How many itineraries are asked about at once. Their answers are long."""


NO_ANSWER: Final = b"null"


def parts(questions: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the questions, so many at a time."""
    for first in range(0, len(questions), size):
        yield questions[first : first + size]


def replies_in(reply: Reply, count: int) -> list[Reply]:
    """Return the reply to each of some questions that were asked as one batch."""
    if reply.failure is not None or reply.status != OK or media_type(reply) != "application/json":
        return [reply] * count
    try:
        items = _items(reply.content, count)
    except Malformed:
        return [replace(reply, content=NO_ANSWER)] * count
    # The receipt is for the whole batch.
    headers = {name: value for name, value in reply.headers.items() if name != "x-service-receipt"}
    return [
        replace(reply, status=status, headers=headers, content=json.dumps(body).encode())
        for status, body in items
    ]


def batch_signed(content: bytes) -> bytes:
    """Return what the receipt of a batch signs. The service sends batches as canonical JSON."""
    return f'{{"batch_sha256":"{hashlib.sha256(content).hexdigest()}"}}'.encode()


def _items(content: bytes, count: int) -> list[tuple[int, Any]]:
    """Return the status and the body of each item. Raises `Malformed`."""
    fields = Fields(parsed(content))
    items = fields.items("items", lambda item: (item.whole_number("index"), item.whole_number("status")))
    if [index for index, _ in items] != [*range(count)]:
        raise Malformed("`items` are not those of the questions.", "items")
    # Once more as plain numbers, so that they can be written again.
    plain = cast("list[dict[str, Any]]", json.loads(content)["items"])
    return [
        (status, item.get("answer" if status == OK else "problem"))
        for (_, status), item in zip(items, plain, strict=True)
    ]
