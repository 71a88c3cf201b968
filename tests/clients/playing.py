"""Plays a vector to the Python clients: their HTTP, their clocks and their pauses are the vector's."""

import datetime
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from battery_travel import (
    Answer,
    AsyncClient,
    Client,
    Flight,
    Item,
    ItineraryAnswer,
    ItineraryQuestion,
    Label,
    Leg,
    ListedCode,
    Lookup,
    Model,
    Passenger,
    Patience,
    Question,
    Recall,
    TripQuestion,
    legs_through,
)
from battery_travel.instants import Instant

BASE = "https://service.example"


class Stage:
    """A service, a clock and a way to wait, all of one vector."""

    def __init__(self, vector: Mapping[str, Any]) -> None:
        self.vector = vector
        self.pauses: list[float] = []
        self.requests: list[httpx.Request] = []
        self._start = datetime.datetime.fromisoformat(vector["starts_at"])
        self._wall = self._monotonic = 0.0

    def clock(self) -> Instant:
        """Return the moment on the stage."""
        # A clock that only goes forward begins anywhere.
        return Instant(self._start + datetime.timedelta(seconds=self._wall), 5_000.0 + self._monotonic)

    def passes(self, seconds: float, wall_seconds: float | None = None) -> None:
        """Let time pass; by the wall clock, another time."""
        self._monotonic += seconds
        self._wall += seconds if wall_seconds is None else wall_seconds

    def sleep(self, seconds: float) -> None:
        """Let a client wait."""
        self.pauses.append(seconds)
        self.passes(seconds)

    async def async_sleep(self, seconds: float) -> None:
        """Let a client wait."""
        self.sleep(seconds)

    def handle(self, request: httpx.Request) -> httpx.Response:
        """Answer the next request as the vector says; the last answer is given for ever."""
        replies = self.vector["replies"]
        reply = replies[min(len(self.requests), len(replies) - 1)]
        self.requests.append(request)
        timeout = request.extensions["timeout"]["read"]
        if reply.get("failure") == "timeout":
            self.passes(min(reply["takes_seconds"], timeout))
            raise httpx.ReadTimeout("no answer", request=request)
        self.passes(reply["takes_seconds"])
        if reply.get("failure") == "unreachable":
            raise httpx.ConnectError("no connection", request=request)
        content = json.dumps(reply["json"]) if "json" in reply else reply["text"]
        return httpx.Response(reply["status"], headers=reply["headers"], content=content.encode())

    def settings(self) -> dict[str, Any]:
        """Return how the client of the vector is set up."""
        wanted = self.vector["client"]
        patience = {name: value for name, value in wanted.items() if name != "sandbox"}
        return {
            "sandbox": wanted["sandbox"],
            "patience": Patience(**patience),
            "clock": self.clock,
            "transport": httpx.MockTransport(self.handle),
        }

    def ask(self, **settings: Any) -> Any:
        """Ask by the client that waits."""
        with Client(BASE, sleep=self.sleep, **self.settings(), **settings) as client:
            return asked(client, self.vector)

    async def ask_async(self) -> Any:
        """Ask by the client that lets others go on."""
        async with AsyncClient(BASE, sleep=self.async_sleep, **self.settings()) as client:
            return await asked(client, self.vector)

    def reads(self, answer: Any) -> list[dict[str, Any]]:
        """Return what an answer says at the moments at which the vector asks it."""
        came = (self._wall, self._monotonic)
        said = []
        for read in self.vector["reads"]:
            self._wall, self._monotonic = came
            self.passes(read["after_seconds"], read.get("wall_seconds"))
            said.append(_said(answer, read))
        return said


def asked(client: Any, vector: Mapping[str, Any]) -> Any:
    """Ask what a vector asks; return what the client returns."""
    operation, request = vector["operation"], vector["request"]
    if operation == "search":
        return client.search(request["q"], limit=request["limit"])
    if operation == "codes":
        return client.codes()
    if operation in {"recalls", "check_recalls"}:
        return client.recalls(**request)
    if operation in OF_BATCHES:
        one = OF_BATCHES[operation]
        questions = [question_of({"operation": one, "request": item}) for item in request["items"]]
        return getattr(client, operation)(questions)
    return getattr(client, operation)(question_of(vector))


OF_BATCHES = {"verify_batch": "verify", "verify_itinerary_batch": "verify_itinerary"}
"""The operation of each question of a batch."""


def _said(answer: Any, read: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an answer says, in the form of what it should say."""
    if isinstance(answer, list):
        codes = [_code(one) for one in answer]
        assert [one.clear_to_pack() for one in answer] == [code is None for code in codes]
        return {**read, "answers": codes}
    if isinstance(answer, Lookup):
        found = None if answer.found is None else [_id(one) for one in answer.found]
        assert (found is None) == (answer.why_not() is not None)
        looked = {**read, "found": found, "why_not": _code(answer)}
        if "match_status" in read:
            looked["match_status"] = [recall.match_status for recall in answer.found or ()]
        return looked
    now = {**read, "clear_to_pack": answer.clear_to_pack(), "why_not": _code(answer)}
    if "field" in read:
        refusal = answer.why_not()
        now["field"] = None if refusal is None else refusal.field
    if isinstance(answer, ItineraryAnswer) and "passengers" in read:
        now["passengers"] = [_code(passenger) for passenger in answer.passengers]
        assert [one.clear_to_pack() for one in answer.passengers] == [
            code is None for code in now["passengers"]
        ]
    return now


def _id(found: Model | Recall | ListedCode) -> str:
    if isinstance(found, ListedCode):
        return found.code
    return found.model_id if isinstance(found, Model) else found.recall_id


def _code(one: Answer | Passenger | Lookup[Any]) -> str | None:
    why_not = one.why_not()
    return None if why_not is None else why_not.code


class SentFlight(Question):
    """A question that is sent as the vector says, also where no question can say it."""

    __slots__ = ("sent",)
    sent: dict[str, Any]

    def body(self) -> dict[str, Any]:
        return self.sent


class SentTrip(TripQuestion):
    """The same of a whole trip."""

    __slots__ = ("sent",)
    sent: dict[str, Any]

    def body(self) -> dict[str, Any]:
        return self.sent


class SentItinerary(ItineraryQuestion):
    """The same of an itinerary."""

    __slots__ = ("sent",)
    sent: dict[str, Any]

    def body(self) -> dict[str, Any]:
        return self.sent


UNIT = (
    "model_id",
    "quantity",
    "ccc_mark",
    "capacity_label",
    "condition",
    "recall_check",
    "serial",
    "serial_hash",
)


def question_of(vector: Mapping[str, Any]) -> Question | TripQuestion | ItineraryQuestion:
    """Return the question that a vector asks."""
    request = vector["request"]
    made: SentFlight | SentTrip | SentItinerary
    if vector["operation"] == "verify_itinerary":
        made = SentItinerary(
            passengers=request.get("passengers", 1),
            items=[item_of(item) for item in request["items"]],
            flights=[flight_of(flight) for flight in request["segments"]],
        )
        object.__setattr__(made, "sent", request)
        return made
    trip = request["trip"]
    more = {"compartment_intent": trip["compartment_intent"]} if "compartment_intent" in trip else {}
    if vector["operation"] == "verify":
        made = SentFlight(
            **known(request),
            **more,
            origin=trip["origin"],
            destination=trip["destination"],
            airline=trip["airline"],
        )
    else:
        made = SentTrip(**known(request["device"]), **more, legs=legs_of(trip))
    object.__setattr__(made, "sent", request)
    return made


def known(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a question can say of a unit."""
    return {name: unit[name] for name in UNIT if name in unit}


def item_of(item: Mapping[str, Any]) -> Item:
    """Return an item of an itinerary."""
    label = Label(**item["label"]) if "label" in item else None
    named = {name: item[name] for name in ("ref", "carried_by", "compartment_intent") if name in item}
    return Item(**known(item), **named, label=label)


def flight_of(flight: Mapping[str, Any]) -> Flight:
    """Return a flight of an itinerary."""
    day = {"date": datetime.date.fromisoformat(flight["date"])} if "date" in flight else {}
    return Flight(**{**flight, **day})


def legs_of(trip: Mapping[str, Any]) -> tuple[Leg, ...]:
    """Return the flights of a trip."""
    if "legs" in trip:
        return tuple(Leg(**leg) for leg in trip["legs"])
    return legs_through([trip["origin"], *trip.get("transit", []), trip["destination"]], trip["airline"])


Ask = Callable[[Stage], Any]
