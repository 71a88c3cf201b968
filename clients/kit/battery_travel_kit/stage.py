"""Plays the service on this machine: one reply at a time, with today's times.

Any question other than the scene's gets *allowed*. The real service may give that answer too if a program
leaves something out (the quantity, a serial number, the hold).
"""

import contextlib
import datetime
import email.utils
import http.server
import itertools
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

from battery_travel_kit import itineraries
from battery_travel_kit.facts import facts
from battery_travel_kit.scenes import Act, Json

HOST: Final = "127.0.0.1"
PATH: Final = "/sandbox"
OPERATIONS: Final = tuple(f"{PATH}/api/{name}" for name in ("verify", "trips/verify", "itineraries/verify"))

LONGEST_SILENCE_SECONDS: Final = 30.0

_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class Stage:
    """A service that gives the set answers. Use it as a context manager; `base_url` is its address."""

    def __init__(self, port: int, flight: Act, trip: Act, itinerary: Act) -> None:
        """Take a port (0: any free port) and the acts in which everything is right."""
        self._flight = flight
        self._trip = trip
        self._itinerary = itinerary
        self._act = flight
        self.asked = 0
        """The number of requests since the act began."""
        self._server = http.server.ThreadingHTTPServer((HOST, port), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.base_url = f"http://{HOST}:{self._server.server_port}{PATH}"

    def begin(self, act: Act) -> None:
        """Play an act from now on."""
        self._act, self.asked = act, 0

    def reply(self, question: Any) -> Json:
        """Return the answer to a question, with present times."""
        self.asked += 1
        act = self._act
        if _meaning(question) != _meaning(act.request):
            act = self._all_is_well(question)
        return _moved(act.reply, datetime.datetime.now(datetime.UTC).replace(microsecond=0) - act.starts_at)

    def _all_is_well(self, question: Any) -> Act:
        """Return the act in which everything is right for another question than that of the scene."""
        if "items" in question:
            return replace(self._itinerary, reply=itineraries.about(self._itinerary.reply, question))
        well = self._trip if "device" in question else self._flight
        return replace(well, reply=_about(well.reply, question))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(stage: Stage) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        """Answers for the stage."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.close_connection = True
            content = self.rfile.read(int(self.headers.get("content-length", 0)))
            try:
                question = json.loads(content)
            except ValueError:
                question = None
            if self.path not in OPERATIONS or not isinstance(question, dict):
                self.send_error(404)
                return
            # The program stopped waiting and closed the connection.
            with contextlib.suppress(OSError):
                self._play(stage.reply(question))

        def _play(self, reply: Json) -> None:
            failure = reply.get("failure")
            if failure == "timeout":
                self._wait_for_the_end()
                return
            time.sleep(reply["takes_seconds"] if reply["takes_seconds"] > 1 else 0)
            if "status" in reply:
                body = json.dumps(reply["json"]) if "json" in reply else reply["text"]
                content = body.encode()
                self.send_response_only(reply["status"])
                for name, value in {**reply["headers"], "x-sandbox": "true"}.items():
                    self.send_header(name, value)
                # A truncated body ends before its announced length.
                self.send_header("content-length", str(len(content) * (2 if failure else 1)))
                self.end_headers()
                self.wfile.write(content)
            if failure == "unreachable":
                self._hang_up()

        def _wait_for_the_end(self) -> None:
            self.connection.settimeout(LONGEST_SILENCE_SECONDS)
            self.connection.recv(1)

        def _hang_up(self) -> None:
            """Break the connection, without a proper end."""
            self.wfile.flush()
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing: the report has all results."""

    return Handler


def _meaning(question: Json) -> Json:
    """Return the meaning of a question, whatever its form. Other fields are left out."""
    if "items" in question:
        return itineraries.meaning(question)
    trip = question.get("trip")
    unit = question.get("device", question)
    if not isinstance(trip, dict) or not isinstance(unit, dict):
        return {}
    return {
        "model_id": unit.get("model_id"),
        "compartment": trip.get("compartment_intent", "carry_on"),
        "legs": _legs(trip),
        **facts(unit),
    }


def _legs(trip: Json) -> list[Any]:
    if isinstance(legs := trip.get("legs"), list):
        return [(leg.get("origin"), leg.get("destination"), leg.get("airline")) for leg in legs]
    stops = trip.get("transit") or []
    points = [trip.get("origin"), *stops, trip.get("destination")]
    return [(start, end, trip.get("airline")) for start, end in itertools.pairwise(points)]


def _about(reply: Json, question: Json) -> Json:
    """Return the reply in which everything is right, changed to another question."""
    body = {**reply["json"]}
    asked = _meaning(question)
    body["device_resolved"] = {**body["device_resolved"], "model_id": asked.get("model_id", "unknown")}
    if "segments" in body:
        body["segments"] = [
            {
                **body["segments"][0],
                "index": index,
                "origin": origin,
                "destination": destination,
                "airline": airline,
            }
            for index, (origin, destination, airline) in enumerate(asked.get("legs", []), 1)
        ]
    return {**reply, "json": body}


def _moved(reply: Json, by: datetime.timedelta) -> Json:
    """Return a reply with all its times shifted."""
    moved: dict[str, Any] = dict(reply)
    if "headers" in reply:
        moved["headers"] = {
            name: _moved_date(value, by) if name in {"date", "retry-after"} else value
            for name, value in reply["headers"].items()
        }
    for name in ("json", "text"):
        if name in reply:
            moved[name] = _with_instants_moved(reply[name], by)
    return moved


def _with_instants_moved(value: Any, by: datetime.timedelta) -> Any:
    if isinstance(value, str):
        return _INSTANT.sub(lambda found: _moved_instant(found[0], by), value)
    if isinstance(value, list):
        return [_with_instants_moved(part, by) for part in value]
    if isinstance(value, Mapping):
        return {name: _with_instants_moved(part, by) for name, part in value.items()}
    return value


def _moved_instant(text: str, by: datetime.timedelta) -> str:
    return (datetime.datetime.fromisoformat(text) + by).strftime("%Y-%m-%dT%H:%M:%SZ")


def _moved_date(text: str, by: datetime.timedelta) -> str:
    try:
        instant = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return text
    return email.utils.format_datetime(instant + by, usegmt=True)
