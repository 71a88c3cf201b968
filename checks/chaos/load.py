"""Mixed load on the loopback address, by a few clients that keep all their answers."""

import http.client
import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from checks.chaos.editing import AIRLINE

CLIENTS = 4
PAUSE_SECONDS = 0.03
"""The pause between two requests of one client: the trial is about correctness, not speed."""

PATIENCE_SECONDS = 20
"""How long a client waits for an answer. Nothing documented takes as long."""

MODELS = ("anker-a1289", "anker-a1263", "anker-a1257", "ugreen-35525")
AIRLINES = (AIRLINE, "EK", "SQ", "LH", "CA", "QF", "JL", "BA")
COUNTRIES = ("NZ", "AE", "SG", "DE", "CN", "AU", "JP", "GB")
LANGUAGES = ("en", "en", "ja", "de")

READS = (
    "/api/devices?q=anker&limit=3",
    "/api/devices/anker-a1263",
    "/api/devices/anker-a1263/recalls",
    "/api/rules/ek.max-units",
    "/api/rules/nz.max-units",
    "/api/airlines?limit=5",
    "/api/sources?limit=3",
)
PAGES = (
    "/",
    "/about",
    "/ja/about",
    "/models/anker-a1289",
    "/airlines/ek",
    "/countries/jp",
    "/guides",
    "/p/anker-a1289/nz/gb",
    "/p/anker-a1289/nz/gb.json",
    "/p/anker-a1263/ca/cn",
    "/ja/p/anker-a1289/ek/gb",
    "/p/anker-a1289/sq/jp.json",
)
MACHINES = ("/aeo-manifest.json", "/sitemap.xml", "/robots.txt", "/openapi.yaml")


@dataclass(frozen=True)
class Ask:
    """A request. `kind` is `verify`, `trip` or `get`."""

    kind: str
    path: str
    body: str | None = None


@dataclass(frozen=True)
class Heard:
    """The result of a request. Times are seconds since the epoch.

    `broken` says how a connection ended without a whole answer. For a 304 `body` is the one that the client
    already has and may show again.
    """

    ask: Ask
    began: float
    ended: float
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    broken: str = ""


def questions(seed: int) -> Iterator[Ask]:
    """Yield requests without end, the same for the same seed."""
    chance = random.Random(seed)
    while True:
        yield chance.choices((_leg, _trip, _get), (5, 2, 5))[0](chance)


def everything() -> list[Ask]:
    """Return every request whose answer is recorded in a calm round."""
    return [Ask("get", path) for path in (*READS, *PAGES, *MACHINES)]


def _leg(chance: random.Random) -> Ask:
    origin, destination = chance.sample(COUNTRIES, 2)
    trip = {"origin": origin, "destination": destination, "airline": chance.choice(AIRLINES)}
    return _question("verify", "/api/verify", {"trip": trip, **_unit(chance)} | _options(chance))


def _trip(chance: random.Random) -> Ask:
    origin, stop, destination = chance.sample(COUNTRIES, 3)
    trip = {
        "origin": origin,
        "transit": [stop],
        "destination": destination,
        "airline": chance.choice(AIRLINES),
    }
    return _question("trip", "/api/trips/verify", {"trip": trip, "device": _unit(chance)} | _options(chance))


def _get(chance: random.Random) -> Ask:
    return Ask("get", chance.choice(chance.choice((READS, PAGES, PAGES, MACHINES))))


def _unit(chance: random.Random) -> dict[str, Any]:
    return {"model_id": chance.choice(MODELS), "quantity": chance.randint(1, 3)}


def _options(chance: random.Random) -> dict[str, Any]:
    return {"options": {"language": chance.choice(LANGUAGES)}}


def _question(kind: str, path: str, body: dict[str, Any]) -> Ask:
    return Ask(kind, path, json.dumps(body))


class Client:
    """A client that opens a connection for each request, and keeps answers that have an ETag."""

    def __init__(self, address: str) -> None:
        self._host = urlsplit(address).netloc
        self._kept: dict[str, tuple[str, bytes]] = {}

    def ask(self, ask: Ask) -> Heard:
        """Send a request and return its result."""
        began = time.time()
        headers = {"Connection": "close"}
        kept = self._kept.get(ask.path)
        if ask.body is not None:
            headers["Content-Type"] = "application/json"
        elif kept is not None:
            headers["If-None-Match"] = kept[0]
        try:
            with closing(http.client.HTTPConnection(self._host, timeout=PATIENCE_SECONDS)) as connection:
                connection.request("GET" if ask.body is None else "POST", ask.path, ask.body, headers)
                answer = connection.getresponse()
                body = answer.read()
                heard = {name.lower(): value for name, value in answer.getheaders()}
        except TimeoutError:
            return Heard(ask, began, time.time(), broken="timed out")
        except (OSError, http.client.HTTPException) as error:
            return Heard(ask, began, time.time(), broken=f"cut off: {type(error).__name__}")
        if answer.status == http.client.NOT_MODIFIED and kept is not None:
            body = kept[1]
        elif answer.status == http.client.OK and ask.body is None and "etag" in heard:
            self._kept[ask.path] = (heard["etag"], body)
        return Heard(ask, began, time.time(), answer.status, heard, body)


class Load:
    """Clients that ask at the same time, from `start` to `stop`."""

    def __init__(self, address: str, seed: int) -> None:
        self._address = address
        self._seeds = itertools.count(seed * 1000)
        self._ending = threading.Event()
        self._heard: list[Heard] = []
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start the clients."""
        for _ in range(CLIENTS):
            thread = threading.Thread(target=self._go_on, args=(next(self._seeds),), daemon=True)
            thread.start()
            self._threads.append(thread)

    def heard(self) -> list[Heard]:
        """Return their answers so far."""
        return list(self._heard)

    def stop(self) -> list[Heard]:
        """Stop the clients, and return all their answers."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        return self._heard

    def _go_on(self, seed: int) -> None:
        client = Client(self._address)
        for ask in questions(seed):
            if self._ending.wait(PAUSE_SECONDS):
                return
            self._heard.append(client.ask(ask))
