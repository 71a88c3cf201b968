"""Answers one chunk of rows: its content and its result. Called by `sharing` and `tasks`."""

import datetime
from collections.abc import Mapping
from typing import Any

import msgspec
import pyarrow as pa

from catalog.chunks import actions
from compliance.channels.batch.answering import Answerer
from compliance.channels.batch.rows import Row
from rules import corpus
from rules.corpus import Published

KIND = "verify-batch"


class Task(msgspec.Struct):
    """Bodies of requests, and the numbers of their rows."""

    numbers: list[int]
    bodies: list[msgspec.Raw]


def do_one(work_id: int) -> bool:
    """Answer the rows of one chunk that no other worker has taken. Return whether there was one."""
    return actions.do_one(work_id, _do)


def given(release: Published, now: datetime.datetime, *, flat: bool) -> dict[str, Any]:
    """Return the data of a run that workers need."""
    return {"release_sha256": release.sha256, "now": now.isoformat(), "flat": flat}


def _do(given: Mapping[str, Any], packed: bytes) -> bytes:
    answerer = Answerer(
        corpus.by_digest(given["release_sha256"]),
        now=datetime.datetime.fromisoformat(given["now"]),
        flat=given["flat"],
    )
    task = msgspec.json.decode(unpack(packed), type=Task)
    answers = [
        msgspec.Raw(answerer.answer(Row(bytes(body), {}), number))
        for number, body in zip(task.numbers, task.bodies, strict=True)
    ]
    return pack(msgspec.json.encode(answers))


def pack(content: bytes) -> bytes:
    """Compress the content of a chunk, with its size before it."""
    packed: bytes = pa.compress(content, codec="zstd", asbytes=True)
    return len(content).to_bytes(8) + packed


def unpack(packed: bytes) -> bytes:
    """Return what `pack` compressed."""
    size = int.from_bytes(packed[:8])
    content: bytes = pa.decompress(packed[8:], decompressed_size=size, codec="zstd", asbytes=True)
    return content
