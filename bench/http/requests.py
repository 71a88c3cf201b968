"""The requests of the HTTP comparisons, and the answers of the compared views.

Each kind of request to the service has a counterpart in plain Django or Django REST framework. It returns the
same bytes and headers and does nothing else.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.questions import real_questions
from rules.engine.document import Content
from rules.engine.facts import Question

VERIFY = "/api/verify"
VERIFY_BATCH = "/api/verify/batch"
READ = "/api/devices"

EMPTY_DRF, BARE_DJANGO = "/api/bench/empty-drf", "/api/bench/bare-django"
BARE_NOT_MODIFIED = "/api/bench/not-modified"
BARE_PAGE, BARE_PAGE_NOT_MODIFIED = "/bench/page", "/bench/page-not-modified"
# Counterparts of the API are under /api/, so they pass through the same middleware.

COMPARED = {"verify_over_empty_drf": EMPTY_DRF, "verify_over_bare_django": BARE_DJANGO}
"""The counterparts of the verify endpoint, by the name of the figure."""

PATHS = (VERIFY, *COMPARED.values())
BODIES = 200

_OF_THE_SERVER = {"connection", "content-length", "date", "server", "transfer-encoding", "x-request-id"}
_OF_THE_MIDDLEWARE = {
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "permissions-policy",
    "referrer-policy",
    "x-content-type-options",
}
_OF_NO_VIEW = _OF_THE_SERVER | _OF_THE_MIDDLEWARE
"""Headers that no view sets: the same code adds them to all answers."""


class Kept(msgspec.Struct, frozen=True):
    """An answer of the service that a compared view gives as well."""

    status: int
    headers: dict[str, str]
    body: str


class Message(NamedTuple):
    """A request that is not sent yet."""

    method: str
    path: str
    body: str = ""
    headers: Mapping[str, str] = {}

    def spelled(self, host: str) -> str:
        """Return the whole HTTP message to a host."""
        sent = {"Host": host, **self.headers}
        if self.method == "POST":
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(self.body.encode()))}
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        return f"{self.method} {self.path} HTTP/1.1\r\n{head}\r\n{self.body}"


def bodies(content: Content, number: int = BODIES) -> list[bytes]:
    """Return the bodies that all addresses get. The travel date is today, by the server's clock."""
    return [
        msgspec.json.encode(_body(question)) for question in islice(real_questions(content, seed=5), number)
    ]


@contextlib.contextmanager
def answer_file() -> Iterator[Path]:
    """Yield the file that the compared views read, also those of a server that is started now."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.json"
        os.environ["BENCH_ANSWERS"] = str(file)
        yield file


def keep(file: Path, answers: Mapping[str, Kept]) -> None:
    """Set the answer of each compared view, by its address."""
    file.write_bytes(msgspec.json.encode(answers))


def kept(status: int, headers: Mapping[str, str], body: bytes) -> Kept:
    """Return an answer of the service in the form of a compared view."""
    own = {name: value for name, value in headers.items() if name.lower() not in _OF_NO_VIEW}
    return Kept(status, own, body.decode())


def of_middle_length(answers: list[Kept]) -> Kept:
    """Return the answer of median length."""
    return sorted(answers, key=lambda answer: len(answer.body))[len(answers) // 2]


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
