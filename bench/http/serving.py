"""The service over its web server, against views there that do nothing.

POST /api/verify, and the most common requests: a list or a page that the client already has (304), and a rare
page that was requested before. The load comes from one process on the same machine. It takes the same part of
the processor from all kinds, which moves the ratios toward one; the figures of `bench.http.in_process` do not
have this effect.
"""

import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from bench.engine import memory
from bench.http.client import PATIENCE_SECONDS
from bench.http.page import addresses
from bench.http.requests import (
    BARE_DJANGO,
    BARE_NOT_MODIFIED,
    BARE_PAGE,
    BARE_PAGE_NOT_MODIFIED,
    EMPTY_DRF,
    READ,
    VERIFY,
    VERIFY_BATCH,
    Kept,
    Message,
    answer_file,
    bodies,
    keep,
    kept,
    of_middle_length,
)
from bench.http.server import Server, running
from bench.report import Line, ratio, say, value
from compliance.services.embedded import REPOSITORY
from compliance.services.ports import LOOPBACK
from rules.engine.document import Content

ROUNDS, SECONDS = 15, 0.5
PAGES = 20
"""So many that both workers have cached all of them after a round."""

FIRST_SECONDS = 120
"""The longest time of one answer before the load begins: the workers are still starting then."""

Turns = Mapping[str, list[tuple[float, float]]]

OF_VERDICTS = {
    "verify_over_empty_drf": ("verify", EMPTY_DRF),
    "verify_over_bare_django": ("verify", BARE_DJANGO),
}
BATCH = "batch"
WITH_RECEIPT = "verify with receipt"
OF_RECEIPTS = {"verify_with_receipt_over_plain": (WITH_RECEIPT, "verify")}
OF_READS = {
    "not_modified_over_bare_django": ("not modified", BARE_NOT_MODIFIED),
    "page_warm_over_bare_django": ("page", BARE_PAGE),
    "page_not_modified_over_bare_django": ("page not modified", BARE_PAGE_NOT_MODIFIED),
}
"""The comparisons, by the name of the figure: requests to the service, and the view that does nothing."""


def measure(content: Content) -> Iterator[Line]:
    """Compare throughputs, and those of verdicts in other forms; measure the memory of the workers."""
    with answer_file() as file, running() as server:
        asked = _prepare(server.port, content, file)
        verdicts = {name: asked[name] for name in ("verify", EMPTY_DRF, BARE_DJANGO)}
        others = {
            WITH_RECEIPT: [_asking(message) for message in asked["verify"]],
            BATCH: [_together(asked["verify"])],
        }
        turns = _load(server, verdicts | others)
        yield from _ratios(OF_VERDICTS | OF_RECEIPTS, turns)
        yield _of_an_item(turns, len(asked["verify"]))
        reads = {name: messages for name, messages in asked.items() if name not in verdicts}
        yield from _ratios(OF_READS, _load(server, reads))
        workers = [memory.of_process(pid) for pid in server.workers()]
    proportional = [worker["pss"] for worker in workers]
    yield value("worker_memory_mb", [worker["rss"] for worker in workers], "MiB", pss=proportional)
    say("  verdicts with redis")
    with answer_file() as file, running(REDIS_URL=os.environ["BENCH_REDIS_URL"]) as server:
        asked = _prepare(server.port, content, file)
        turns = _load(server, {name: asked[name] for name in verdicts})
    yield from _ratios({f"{name}_with_redis": sides for name, sides in OF_VERDICTS.items()}, turns)


def _prepare(port: int, content: Content, file: Path) -> dict[str, list[Message]]:
    """Ask everything once, give the compared views the same answers, and return the requests by kind."""
    verdicts = [Message("POST", VERIFY, body.decode()) for body in bodies(content)]
    pages = [Message("GET", address) for address in islice(addresses(content, at_home=0.5), PAGES)]
    read = Message("GET", READ)
    conditional = [_holding(message, _ask(port, message)) for message in (read, *pages)]
    answers = {
        EMPTY_DRF: of_middle_length([_ask(port, message) for message in verdicts]),
        BARE_NOT_MODIFIED: _ask(port, conditional[0]),
        BARE_PAGE: of_middle_length([_ask(port, message) for message in pages]),
        BARE_PAGE_NOT_MODIFIED: _ask(port, conditional[1]),
    }
    answers[BARE_DJANGO] = answers[EMPTY_DRF]
    keep(file, answers)
    return {
        "verify": verdicts,
        EMPTY_DRF: [message._replace(path=EMPTY_DRF) for message in verdicts],
        BARE_DJANGO: [message._replace(path=BARE_DJANGO) for message in verdicts],
        "not modified": conditional[:1],
        BARE_NOT_MODIFIED: [conditional[0]._replace(path=BARE_NOT_MODIFIED)],
        "page": pages,
        BARE_PAGE: [Message("GET", BARE_PAGE)],
        "page not modified": conditional[1:],
        BARE_PAGE_NOT_MODIFIED: [conditional[1]._replace(path=BARE_PAGE_NOT_MODIFIED)],
    }


def _holding(message: Message, answer: Kept) -> Message:
    """Return a request of a client that already has the answer."""
    return message._replace(headers={"If-None-Match": answer.headers["ETag"]})


def _asking(message: Message) -> Message:
    """Return a request that also asks for a receipt."""
    return message._replace(headers={"Prefer": "receipt"})


def _together(messages: list[Message]) -> Message:
    """Return the batch of some questions."""
    items = ",".join(message.body for message in messages)
    return Message("POST", VERIFY_BATCH, f'{{"items":[{items}]}}')


def _of_an_item(turns: Turns, items: int) -> Line:
    """Compare an item of a batch with a whole request to the empty view."""
    batch, empty = turns[BATCH], turns[EMPTY_DRF]
    return ratio(
        "batch_item_over_empty_drf",
        [clock / items for clock, _ in batch],
        [clock for clock, _ in empty],
        items=items,
        by_processor=round(min(spent for _, spent in batch) / items / min(spent for _, spent in empty), 3),
    )


def _ratios(figures: Mapping[str, tuple[str, str]], turns: Turns) -> Iterator[Line]:
    for name, (ours, compared) in figures.items():
        (clock, spent), (compared_clock, compared_spent) = (
            zip(*turns[side], strict=True) for side in (ours, compared)
        )
        # The ratio of throughputs is the inverse ratio of times.
        yield ratio(
            name,
            compared_clock,
            clock,
            per_second=round(1 / min(clock)),
            compared_per_second=round(1 / min(compared_clock)),
            by_processor=round(min(compared_spent) / min(spent), 3),
            processor_us=round(min(spent) * 1e6),
            compared_processor_us=round(min(compared_spent) * 1e6),
        )


def _ask(port: int, message: Message) -> Kept:
    """Return the answer to one request, sent alone. Raises RuntimeError for an error."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=FIRST_SECONDS)
    with contextlib.closing(connection):
        headers = {"Content-Type": "application/json"} if message.body else {}
        connection.request(
            message.method, message.path, message.body.encode() or None, {**headers, **message.headers}
        )
        response = connection.getresponse()
        answer = response.read()
    if response.status not in {200, 304}:
        raise RuntimeError(f"{message.path} was answered with {response.status}: {answer[:1000]!r}")
    return kept(response.status, dict(response.getheaders()), answer)


def _load(server: Server, asked: Mapping[str, list[Message]]) -> Turns:
    """Return the cost of a request of each kind in each round: clock and processor time of the workers."""
    host = f"{LOOPBACK}:{server.port}"
    plan = {
        "port": server.port,
        "workers": server.workers(),
        "kinds": [
            {
                "name": name,
                "requests": [message.spelled(host) for message in messages],
                "status": 304 if "If-None-Match" in messages[0].headers else 200,
            }
            for name, messages in asked.items()
        ],
        "rounds": ROUNDS,
        "seconds": SECONDS,
    }
    answer = subprocess.run(
        [sys.executable, "-m", "bench.http.client"],
        cwd=REPOSITORY,
        input=json.dumps(plan),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=3 * (ROUNDS + 1) * len(asked) * SECONDS + PATIENCE_SECONDS,
    ).stdout
    turns: Turns = json.loads(answer)
    return turns
