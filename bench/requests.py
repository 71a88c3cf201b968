"""The requests of the HTTP comparisons, and the answer that the compared views give."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from bench.questions import real_questions
from rules.engine.document import Content
from rules.engine.facts import Question

VERIFY = "/api/verify"
COMPARED = {
    "verify_over_empty_drf": "/api/bench/empty-drf",
    "verify_over_bare_django": "/api/bench/bare-django",
}
"""What the verify endpoint is compared with, by the name of the figure."""

PATHS = (VERIFY, *COMPARED.values())
BODIES = 200


def bodies(content: Content) -> list[bytes]:
    """Return the bodies that all addresses are sent. They travel today, by the server's own clock."""
    return [
        msgspec.json.encode(_body(question)) for question in islice(real_questions(content, seed=5), BODIES)
    ]


@contextlib.contextmanager
def answer_file() -> Iterator[Path]:
    """Yield the file in which the compared views look, those of a server started now among them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answer.json"
        os.environ["BENCH_ANSWER"] = str(file)
        yield file


def of_middle_length(answers: list[bytes]) -> bytes:
    """Return one of the answers: half of the others are shorter."""
    return sorted(answers, key=len)[len(answers) // 2]


def _body(question: Question) -> dict[str, object]:
    unit, leg = question.unit, question.leg
    return {
        "model_id": unit.model_id,
        "quantity": unit.quantity,
        "ccc_mark": unit.ccc_mark,
        "capacity_label": unit.capacity_label,
        "condition": unit.condition,
        **({} if unit.serial is None else {"serial": unit.serial}),
        "trip": {
            "origin": leg.origin,
            "destination": leg.destination,
            "airline": leg.airline,
            "compartment_intent": question.compartment_intent,
        },
        "options": {"language": "en"},
    }
