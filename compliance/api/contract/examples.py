"""The examples of the contract: the application's own answers to real questions.

The starter corpus answers in memory, at a fixed instant and with fixed keys, so the examples are the same on
every machine, and no database is needed. It is called when the contract is made, never while serving: so it
may use Django's own means for tests.
"""

import base64
import datetime
import json
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from django.test import Client, RequestFactory, override_settings

from aeo.coverage import asked as asked_flights
from aeo.coverage.models import AskedFlights
from aeo.guides import in_force as guides_in_force
from catalog.airports import selectors as airport_facts
from compliance.api.protocol.errors import PROBLEMS, problem_response
from compliance.api.protocol.preferences import PREFERENCE
from compliance.partners.register import KnownKey
from compliance.records.idempotency.actions import InProgress, KeyReused
from compliance.records.receipts.attaching import HEADER as RECEIPT
from compliance.starter_corpus.release import starter_airport_facts, starter_release
from compliance.trip_watch.actions import MadeWatch, QuotaReached, end_of
from compliance.trip_watch.models import TripWatch
from compliance.trip_watch.questions import Watched
from compliance.trip_watch.reading import ListedWatch, ListedWatches
from rules import corpus
from rules.policy_history import selectors as policy_history
from rules.watch import selectors as watch

NOW = datetime.datetime(2026, 11, 21, 9, 30, 15, tzinfo=datetime.UTC)
"""When the examples are asked: the day after the starter corpus was compiled."""

REQUEST_ID = "example-0001"
KEY = "example-key"
LOW_KEY = "example-key-with-a-low-limit"
SPENT_KEY = "example-key-of-a-caller-in-a-hurry"
RECEIPT_KEY = base64.urlsafe_b64encode(b"examples alone: 0123456789 ABCDE").rstrip(b"=").decode()


@dataclass(frozen=True)
class Example:
    """A question to one operation and its answer; `body` is None for a GET."""

    operation_id: str
    name: str
    summary: str
    body: Any
    answer: Any


@dataclass(frozen=True)
class Examples:
    """All questions' results: answers in the order of asking, and one problem for each code."""

    answers: tuple[Example, ...]
    problems: dict[str, Any]

    def of_operation(self, operation_id: str) -> list[Example]:
        """Return the examples of one operation."""
        return [example for example in self.answers if example.operation_id == operation_id]


@dataclass(frozen=True)
class Question:
    """A question for an example. `partner` sends a key. A question with a body is a POST.

    `kept` is an earlier question to POST /api/verify; its answer and receipt are the body. `unsigned` is one
    whose answer has no receipt; it and its answer are the body.
    """

    operation_id: str
    name: str
    summary: str
    address: str
    body: dict[str, Any] | None = None
    partner: bool = False
    kept: dict[str, Any] | None = None
    method: str = "GET"
    unsigned: dict[str, Any] | None = None


def _flight(origin: str, destination: str, airline: str, **more: str) -> dict[str, str]:
    return {"origin": origin, "destination": destination, "airline": airline, **more}


_ONE_WATCH = f"/api/watches/{uuid.UUID(int=0x5EED << 112)}"

QUESTIONS = (
    Question(
        "verify",
        "conditional",
        "A large power bank from China to Singapore",
        "/api/verify",
        {
            "model_id": "romoss-pea40",
            "ccc_mark": "present",
            "trip": _flight("CN", "SG", "SQ", compartment_intent="carry_on"),
            "options": {"language": "en"},
        },
    ),
    Question(
        "verify",
        "allowed",
        "Inside China, with its CCC mark",
        "/api/verify",
        {"model_id": "anker-a1289", "ccc_mark": "present", "trip": _flight("CN", "CN", "CA")},
    ),
    Question(
        "verify",
        "banned",
        "Two units on an airline that accepts one",
        "/api/verify",
        {"model_id": "anker-a1289", "quantity": 2, "trip": _flight("AE", "GB", "EK")},
    ),
    Question(
        "verify",
        "recalled",
        "A recalled model with a serial number that only the maker's list can clear",
        "/api/verify",
        {"model_id": "anker-a1263", "serial": "AGXXF31E12345678", "trip": _flight("US", "GB", "BA")},
    ),
    Question(
        "verify",
        "insufficient",
        "A model with unknown watt-hours",
        "/api/verify",
        {"model_id": "anker-a1680", "trip": _flight("CN", "JP", "CA")},
    ),
    Question(
        "verifyBatch",
        "mixed",
        "Two questions; one names a model that is not in the catalog",
        "/api/verify/batch",
        {
            "items": [
                {"model_id": "anker-a1289", "ccc_mark": "present", "trip": _flight("CN", "CN", "CA")},
                {"model_id": "no-such-model", "trip": _flight("CN", "CN", "CA")},
            ],
            "options": {"language": "en"},
        },
    ),
    Question(
        "verifyTrip",
        "by_stops",
        "From Japan through China, on one airline",
        "/api/trips/verify",
        {
            "device": {"model_id": "anker-a1289"},
            "trip": {**_flight("JP", "CN", "CA", compartment_intent="carry_on"), "transit": ["CN"]},
            "options": {"language": "en"},
        },
    ),
    Question(
        "verifyTrip",
        "by_flights",
        "Flight by flight; the second airline is not covered",
        "/api/trips/verify",
        {
            "device": {"model_id": "anker-a1289", "quantity": 1},
            "trip": {"legs": [_flight("AE", "GB", "EK"), _flight("GB", "IE", "ZZ")]},
        },
    ),
    Question(
        "verifyItinerary",
        "one_stays",
        "Two models and one passenger, on an airline that accepts one",
        "/api/itineraries/verify",
        {
            "items": [
                {"ref": "anker", "model_id": "anker-a1289", "ccc_mark": "present"},
                {"ref": "other", "label": {"watt_hour": 74}},
            ],
            "segments": [
                {
                    "origin": "DXB",
                    "destination": "LHR",
                    "operating_airline": "EK",
                    "marketing_airline": "QF",
                    "date": "2026-12-20",
                }
            ],
            "options": {"language": "en"},
        },
    ),
    Question(
        "verifyItinerary",
        "two_passengers",
        "Two passengers, out and back",
        "/api/itineraries/verify",
        {
            "passengers": 2,
            "items": [{"model_id": "anker-a1289", "quantity": 2, "condition": "intact"}],
            "segments": [
                {"origin": "AE", "destination": "GB", "operating_airline": "EK", "date": "2026-12-20"},
                {"origin": "GB", "destination": "AE", "operating_airline": "EK", "date": "2027-01-03"},
            ],
        },
    ),
    Question(
        "verifyItineraryBatch",
        "mixed",
        "Two itineraries; one names a model that is not in the catalog",
        "/api/itineraries/verify/batch",
        {
            "items": [
                {
                    "items": [{"ref": "anker", "model_id": "anker-a1289", "condition": "intact"}],
                    "segments": [{"origin": "DXB", "destination": "LHR", "operating_airline": "EK"}],
                },
                {
                    "items": [{"model_id": "no-such-model"}],
                    "segments": [{"origin": "DXB", "destination": "LHR", "operating_airline": "EK"}],
                },
            ],
            "options": {"language": "en"},
        },
    ),
    Question(
        "watchTrip",
        "by_flights",
        "Two flights, with texts in German",
        "/api/watches",
        {
            "device": {"model_id": "anker-a1289"},
            "trip": {
                "legs": [_flight("AE", "GB", "EK"), _flight("GB", "US", "BA")],
                "date": "2026-12-20",
            },
            "options": {"language": "de"},
        },
    ),
    Question(
        "watchTrip",
        "itinerary",
        "Two passengers, out and back",
        "/api/watches",
        {
            "passengers": 2,
            "items": [{"model_id": "anker-a1289", "quantity": 2}],
            "segments": [
                {"origin": "AE", "destination": "GB", "operating_airline": "EK", "date": "2026-12-20"},
                {"origin": "GB", "destination": "AE", "operating_airline": "EK", "date": "2027-01-03"},
            ],
        },
    ),
    Question("listWatches", "first", "The first of two", "/api/watches?limit=1", partner=True),
    Question("endWatch", "ended", "A watch that is over", _ONE_WATCH, partner=True, method="DELETE"),
    Question(
        "makeReceipt",
        "signed",
        "An answer that was given without a receipt",
        "/api/receipts",
        unsigned={"model_id": "anker-a1289", "ccc_mark": "present", "trip": _flight("CN", "CN", "CA")},
    ),
    Question(
        "checkReceipt",
        "valid",
        "An answer that is still valid",
        "/api/receipts/check",
        kept={"model_id": "anker-a1289", "ccc_mark": "present", "trip": _flight("CN", "CN", "CA")},
    ),
    Question(
        "listDevices", "search", "A name with a typing error", "/api/devices?q=anker+powercor+10k&limit=2"
    ),
    Question("getDevice", "facts", "A recalled model", "/api/devices/anker-a1263"),
    Question(
        "getDevice",
        "serial",
        "The same model with a serial number",
        "/api/devices/anker-a1263?serial=AGXXF31E12345678",
    ),
    Question("listDeviceRecalls", "recalls", "A recalled model", "/api/devices/anker-a1263/recalls"),
    Question(
        "listRecalls", "page", "The recalls of one jurisdiction", "/api/recalls?jurisdiction=CN&limit=2"
    ),
    Question(
        "checkRecalls",
        "unit",
        "A unit of a recalled model",
        "/api/recalls/check",
        {"model_id": "anker-a1263", "serial": "AGXXF31E12345678"},
    ),
    Question("listAirlines", "search", "By name", "/api/airlines?q=emirates"),
    Question("getAirline", "preview", "Without a partner key", "/api/airlines/EK"),
    Question("getAirline", "full", "With a partner key", "/api/airlines/EK", partner=True),
    Question("listPlaces", "airport", "An airport by its code", "/api/places?q=SZX"),
    Question(
        "listPlaces",
        "shared",
        "A name that two countries share",
        "/api/places?q=London&kind=city&language=fr",
    ),
    Question("listCodes", "gaps", "What can be missing, in English", "/api/codes?kind=gap&language=en"),
    Question("getCoverage", "first", "The figures, and what should be read first", "/api/coverage?limit=3"),
    Question("listPolicyChanges", "counts", "Without a partner key", "/api/policy-changes?airline=EK"),
    Question(
        "listPolicyChanges",
        "full",
        "With a partner key",
        "/api/policy-changes?airline=EK&limit=2",
        partner=True,
    ),
    Question(
        "listRules", "search", "Rules of an airline by their code", "/api/rules?airline=EK&code=max_units"
    ),
    Question("getRule", "rule", "One rule", "/api/rules/ek.max-units"),
    Question("listSources", "of_rule", "The evidence of a rule", "/api/sources?rule_id=ek.max-units"),
)
"""Every operation, and each of its kinds of answer."""

_VALID = {"model_id": "anker-a1289", "trip": _flight("JP", "SG", "SQ")}


def ask_everything() -> Examples:
    """Ask all questions, and cause every kind of error that a caller can cause."""
    with _fixed_world():
        client = Client(REMOTE_ADDR="192.0.2.1", HTTP_X_REQUEST_ID=REQUEST_ID)
        return Examples(
            tuple(_asked(client, question) for question in QUESTIONS),
            {code: _problem(code, client) for code in PROBLEMS},
        )


def _asked(client: Client, question: Question) -> Example:
    headers = {"x-service-key": KEY} if question.partner else {}
    body = question.body
    if question.kept is not None:
        body = _kept(client, question.kept)
    if question.unsigned is not None:
        answer = json.loads(_post(client, "/api/verify", question.unsigned).content)
        body = {"request": question.unsigned, "answer": answer}
    if body is None:
        response = client.generic(question.method, question.address, headers=headers)
    else:
        response = _post(client, question.address, body)
    if response.status_code != 200:
        raise ValueError(f"the example {question.name} of {question.operation_id} gets {response.content!r}")
    return Example(question.operation_id, question.name, question.summary, body, json.loads(response.content))


def _kept(client: Client, asked: Any) -> dict[str, Any]:
    """Return the parts of an answer that a client stores."""
    response = _post(client, "/api/verify", asked, headers={"prefer": PREFERENCE})
    return {"answer": json.loads(response.content), "receipt": response.headers[RECEIPT]}


def _problem(code: str, client: Client) -> Any:
    provoke = _PROVOKE.get(code)
    if provoke is None:
        # No question causes these: they are failures of ours.
        asked = RequestFactory().post("/api/verify", headers={"x-request-id": REQUEST_ID})
        return json.loads(problem_response(asked, code).content)
    body = json.loads(provoke(client).content)
    if body["code"] != code:
        raise ValueError(f"the example of {code} gets {body}")
    return body


def _post(client: Client, address: str, body: Any, **more: Any) -> Any:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(address, content, **{"content_type": "application/json", **more})


def _ask_too_much(client: Client) -> Any:
    return _post(client, "/api/verify/batch", {"items": [_VALID] * 1000}, headers={"x-service-key": LOW_KEY})


def _spend(client: Client) -> Any:
    headers = {"x-service-key": SPENT_KEY}
    client.get("/api/devices", headers=headers)
    return client.get("/api/devices", headers=headers)


_MAKES = "compliance.api.verdicts.watches.make_watch"
_ENDS = "compliance.api.verdicts.own_watches.end_watch_of"
_LISTS = "compliance.api.verdicts.own_watches.watches_of"
_ANSWERS = "compliance.api.protocol.idempotency.answer_once"


def _watch(client: Client, refuses: str, refusal: Exception) -> Any:
    """Ask for a watch, which a function refuses."""
    body = {"device": {"model_id": "anker-a1289"}, "trip": _flight("JP", "SG", "SQ")}
    once = {"idempotency-key": '"example"'} if refuses == _ANSWERS else {}
    with mock.patch(refuses, side_effect=refusal):
        return _post(client, "/api/watches", body, headers={"x-service-key": KEY, **once})


_PROVOKE: dict[str, Callable[[Client], Any]] = {
    "VALIDATION_ERROR": lambda client: _post(
        client, "/api/verify", {"model_id": "anker-a1289", "quantiy": 2, "trip": _flight("jp", "SG", "SQ")}
    ),
    "MALFORMED_JSON": lambda client: _post(client, "/api/verify", b'{"model_id": '),
    "USE_TRIP_ENDPOINT": lambda client: _post(
        client, "/api/verify", {**_VALID, "trip": {**_flight("JP", "SG", "SQ"), "transit": ["KR"]}}
    ),
    "QUESTION_TOO_LARGE": lambda client: _post(
        client,
        "/api/itineraries/verify",
        {
            "items": [{"model_id": "anker-a1289", "quantity": 20}] * 3,
            "segments": [{"origin": "AE", "destination": "GB", "operating_airline": "EK"}] * 10,
        },
    ),
    "BATCH_EXCEEDS_LIMIT": _ask_too_much,
    "RULESET_VERSION_NOT_CURRENT": lambda client: _post(
        client, "/api/verify", {**_VALID, "ruleset_version": "2026-01-31"}
    ),
    "BAD_REQUEST": lambda client: client.get("/api/devices", headers={"host": "elsewhere.example"}),
    "INVALID_KEY": lambda client: client.get("/api/devices", headers={"x-service-key": "mistyped"}),
    "ORIGIN_NOT_ALLOWED": lambda client: client.get(
        "/api/devices", headers={"x-service-key": KEY, "origin": "https://elsewhere.example"}
    ),
    "WATCH_QUOTA_REACHED": lambda client: _watch(client, _MAKES, QuotaReached("example")),
    "NOT_FOUND": lambda client: client.get("/api/rules/ek.no-such-rule"),
    "MODEL_NOT_FOUND": lambda client: client.get("/api/devices/no-such-model"),
    "AIRLINE_NOT_COVERED": lambda client: _post(
        client, "/api/verify", {**_VALID, "trip": _flight("JP", "SG", "ZZ")}
    ),
    "AIRLINE_NAME_UNKNOWN": lambda client: client.get("/api/airlines/Emirats"),
    "METHOD_NOT_ALLOWED": lambda client: client.put("/api/devices"),
    "NOT_ACCEPTABLE": lambda client: client.get("/api/devices", headers={"accept": "text/html"}),
    "REQUEST_IN_PROGRESS": lambda client: _watch(client, _ANSWERS, InProgress()),
    "BODY_TOO_LARGE": lambda client: _post(client, "/api/verify", b" " * (64 * 1024 + 1)),
    "UNSUPPORTED_MEDIA_TYPE": lambda client: _post(client, "/api/verify", _VALID, content_type="text/plain"),
    "IDEMPOTENCY_KEY_REUSED": lambda client: _watch(client, _ANSWERS, KeyReused()),
    "RATE_LIMITED": _spend,
}


@contextmanager
def _fixed_world() -> Iterator[None]:
    """Exclude from the examples everything that differs between two machines or two days."""
    known = {
        KEY: _known_key("example", 1_000_000),
        LOW_KEY: _known_key("example-with-a-low-limit", 600),
        SPENT_KEY: _known_key("example-in-a-hurry", 1),
    }
    with ExitStack() as stack:
        # Each provoked error would be logged.
        logging.disable()
        stack.callback(logging.disable, logging.NOTSET)
        stack.enter_context(corpus.answering_from(starter_release()))
        policy_history.starts_with(starter_release())
        watch.pin_nothing_watched()
        airport_facts.pin(starter_airport_facts())
        asked_flights.pin(_counted())
        guides_in_force.pin_files()
        stack.enter_context(mock.patch("django.utils.timezone.now", return_value=NOW))
        # These verdicts are not recorded: no one received them.
        stack.enter_context(mock.patch("compliance.records.verdict_log.recording.record"))
        stack.enter_context(mock.patch("compliance.records.verdict_log.recording.Together"))
        # No trip is watched either.
        stack.enter_context(mock.patch(_MAKES, _made_watch))
        stack.enter_context(mock.patch(_LISTS, _listed_watches))
        stack.enter_context(mock.patch(_ENDS, return_value=True))
        stack.enter_context(
            mock.patch("compliance.api.protocol.callers.partner_for", lambda key, now: known.get(key))
        )
        stack.enter_context(
            override_settings(
                ALLOWED_HOSTS=["testserver"],
                ANONYMOUS_RATE="1000000/m",
                DEBUG=False,
                PARTNER_WATCHES=10_000,
                RECEIPT_KEYS=(RECEIPT_KEY,),
                RECEIPT_RETIRED_KEYS=(),
                SITE_URL="https://battery.example",
                VERDICT_KEY="example",
                VERDICT_VALIDITY_HOURS=24,
                WATCH_RATE="1000000/d",
            )
        )
        yield


def _made_watch(*, question: Watched, **asked: Any) -> MadeWatch:
    row = TripWatch(watch_id=uuid.UUID(int=0x5EED << 112), ends=end_of(question))
    return MadeWatch(row, "example" * 4 + "234a")


def _listed_watches(*_: Any, **asked: Any) -> ListedWatches:
    today = NOW.date()
    rows = [
        TripWatch(
            watch_id=uuid.UUID(int=number << 112),
            made=NOW,
            ends=NOW + datetime.timedelta(days=30),
            release_sha256=corpus.current().sha256,
            judged_on=today,
        )
        for number in (0x5EED, 0x5EEE)
    ]
    travels = today + datetime.timedelta(days=28)
    version = corpus.current().ruleset_version
    listed = [ListedWatch(row, ["anker-a1289"], travels, "conditional", NOW, version) for row in rows]
    return ListedWatches(listed, len(listed))


def _counted() -> AskedFlights:
    airlines = {"EK": 12_000, "SQ": 1_500, "NH": 240, "ZZ": 3}
    return AskedFlights(
        day=NOW.date(), days=30, finished=NOW, flights=20_000, airlines=airlines, places={"INTL": 20_000}
    )


def _known_key(name: str, rate_per_minute: int) -> KnownKey:
    return KnownKey(
        partner=name,
        public_id=name,
        rate_per_minute=rate_per_minute,
        allowed_origins=frozenset(),
        terms_url="https://partner.example/terms",
        valid_until=None,
    )
