"""A client that a generator makes from /openapi.yaml calls every operation and reads typed answers."""

import datetime
import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
import time_machine
import yaml
from django.core import signals
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections
from django.test import Client as DjangoClient

from rules.corpus import Published
from tests.support.starter import NOW, RULESET_VERSION

PACKAGE = "battery_travel_client"
BETWEEN_REQUESTS = signals.request_started, signals.request_finished


class Generated:
    """The generated package, and its client of the application in this process."""

    def __init__(self, application: Callable[..., Any], headers: dict[str, str] | None = None) -> None:
        self.models: ModuleType = importlib.import_module(f"{PACKAGE}.models")
        self._client = importlib.import_module(PACKAGE).Client(
            base_url="http://testserver",
            headers=headers or {},
            httpx_args={"transport": httpx.WSGITransport(application)},
            raise_on_unexpected_status=True,
        )

    def call(self, address: str, *path: str, status: int = 200, **parameters: Any) -> Any:
        """Call an operation by its place in the package; return the typed answer."""
        operation = importlib.import_module(f"{PACKAGE}.api.{address}")
        answer = operation.sync_detailed(*path, client=self._client, **parameters)
        assert answer.status_code == status
        return answer.parsed


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The package, generated from what /openapi.yaml serves."""
    folder = tmp_path_factory.mktemp("generated")
    contract, config = folder / "openapi.yaml", folder / "config.yaml"
    contract.write_bytes(DjangoClient().get("/openapi.yaml").content)
    config.write_text("post_hooks: []")
    made = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"),
            *("--path", contract, "--config", config, "--meta", "none", "--output-path", folder / PACKAGE),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


class Application(WSGIHandler):
    """Leaves the connections to the database as they are, as Django's own client of tests does."""

    def __call__(self, *arguments: Any) -> Any:
        for signal in BETWEEN_REQUESTS:
            # That client connects them again after each request.
            signal.disconnect(close_old_connections)
        return super().__call__(*arguments)


@pytest.fixture
def generated(package: Path, starter_release: Published) -> Iterator[Generated]:
    with time_machine.travel(NOW, tick=False):
        yield Generated(Application())
    for signal in BETWEEN_REQUESTS:
        signal.connect(close_old_connections)


def test_a_flight_is_judged(generated: Generated) -> None:
    models = generated.models
    answer = generated.call(
        "verdicts.verify",
        body=models.VerifyRequest(
            model_id="anker-a1289",
            quantity=2,
            trip=models.FlightRequest(
                origin=models.CountryCode.AE,
                destination=models.CountryCode.GB,
                airline="EK",
                compartment_intent=models.Compartment.CARRY_ON,
                date=datetime.date(2026, 12, 24),
            ),
        ),
    )
    assert answer.verdict is models.Verdict.BANNED
    assert answer.generated_at == NOW.replace(microsecond=0)
    assert answer.expires_at == answer.generated_at + datetime.timedelta(days=1)
    assert answer.device_resolved.watt_hour == 86.4
    assert answer.device_resolved.recall_status is models.RecallStatus.NOT_AFFECTED
    assert "max_units_1" in [constraint.code for constraint in answer.constraints]
    assert {citation.kind for citation in answer.citations} <= set(models.SourceKind)
    assert all(isinstance(citation.pulled_at, datetime.date) for citation in answer.citations)
    assert answer.verdict_path[-1] == "verdict.banned"


def test_a_recall_is_read_down_to_the_serial(generated: Generated) -> None:
    models = generated.models
    answer = generated.call(
        "verdicts.verify",
        body=models.VerifyRequest(
            model_id="anker-a1263",
            serial="AGXXF31E12345678",
            trip=models.FlightRequest(
                origin=models.CountryCode.US, destination=models.CountryCode.GB, airline="BA"
            ),
        ),
    )
    evaluations = [recall.serial_evaluation for recall in answer.device_resolved.recalls]
    assert {evaluation.provided_serial for evaluation in evaluations} == {"AGXXF31E12345678"}
    assert {evaluation.match_status for evaluation in evaluations} == {models.MatchStatus.UNKNOWN}
    assert models.MatchMethod.EXTERNAL_LIST_REQUIRED in {each.match_method for each in evaluations}


def test_a_trip_is_judged_by_stops_and_by_flights(generated: Generated) -> None:
    models = generated.models
    country = models.CountryCode
    by_stops = generated.call(
        "verdicts.verify_trip",
        body=models.TripRequest(
            device=models.DeviceRequest(model_id="anker-a1289"),
            trip=models.StopsRequest(
                origin=country.JP, transit=[country.CN], destination=country.CN, airline="CA"
            ),
        ),
    )
    assert [segment.verdict.verdict for segment in by_stops.segments] == ["allowed", "conditional"]
    assert by_stops.verdict is models.Verdict.CONDITIONAL
    mainland = by_stops.segments[1]
    [mark] = [each for each in mainland.constraints if each.code == "ccc_mark_required"]
    assert mark.rule_ids
    assert mainland.suggested_next_step is not None
    by_flights = generated.call(
        "verdicts.verify_trip",
        body=models.TripRequest(
            device=models.DeviceRequest(model_id="anker-a1289"),
            trip=models.LegsRequest(
                legs=[models.LegRequest(origin=country.GB, destination=country.IE, airline="ZZ")]
            ),
        ),
    )
    assert by_flights.verdict is models.Verdict.INSUFFICIENT
    assert by_flights.segments[0].error.code == "AIRLINE_NOT_COVERED"


def test_an_itinerary_is_judged(generated: Generated) -> None:
    models = generated.models
    answer = generated.call(
        "verdicts.verify_itinerary",
        body=models.ItineraryVerifyRequest(
            items=[
                models.ModelItemRequest(model_id="anker-a1289", ref="anker"),
                models.LabelItemRequest(label=models.LabelRequest(watt_hour=74.0), ref="old"),
            ],
            segments=[models.SegmentRequest(origin="DXB", destination="LHR", operating_airline="EK")],
        ),
    )
    assert answer.verdict is models.Verdict.BANNED
    assert [one.ref for one in answer.packing.stays] == ["old"]
    assert answer.segments[0].origin_airport == "DXB"


def test_a_batch_is_judged(generated: Generated) -> None:
    models = generated.models
    flight = models.FlightRequest(
        origin=models.CountryCode.US, destination=models.CountryCode.GB, airline="BA"
    )
    asked = [models.VerifyRequest(model_id=name, trip=flight) for name in ("anker-a1263", "no-such-model")]
    answer = generated.call("verdicts.verify_batch", body=models.BatchRequest(items=asked))
    known, unknown = answer.items
    assert known.answer.verdict is models.Verdict.CONDITIONAL
    assert known.answer.suggested_next_step.code == "check_recall_list"
    assert unknown.problem.code is models.ProblemCode.MODEL_NOT_FOUND
    assert (answer.counts.conditional, answer.counts.errors) == (1, 1)


def test_a_batch_of_itineraries_is_judged(generated: Generated) -> None:
    models = generated.models
    flight = models.SegmentRequest(origin="DXB", destination="LHR", operating_airline="EK")
    asked = [
        models.ItineraryVerifyRequest(items=[models.ModelItemRequest(model_id=name)], segments=[flight])
        for name in ("anker-a1289", "no-such-model")
    ]
    answer = generated.call("verdicts.verify_itinerary_batch", body=models.ItineraryBatchRequest(items=asked))
    known, unknown = answer.items
    assert known.answer.packing.passengers[0].items[0].ref == "item_1"
    assert unknown.problem.code is models.ProblemCode.MODEL_NOT_FOUND
    assert answer.counts.errors == 1


def test_lists_and_records_are_read(generated: Generated) -> None:
    models = generated.models
    found = generated.call("devices.list_devices", q="anker powercore 10k", limit=1)
    assert (len(found.devices), found.total > 1) == (1, True)
    following = generated.call(
        "devices.list_devices", q="anker powercore 10k", limit=1, cursor=found.next_cursor
    )
    assert following.devices[0].model_id != found.devices[0].model_id
    device = generated.call("devices.get_device", "anker-a1263")
    assert device.watt_hour_basis in models.WattHourBasis
    recalls = generated.call("recalls.list_device_recalls", device.model_id)
    assert recalls.recalls[0].model_id == "anker-a1263"
    listed = generated.call("recalls.list_recalls", jurisdiction="US", limit=3)
    assert [recall.jurisdiction for recall in listed.recalls] == ["US"] * 3
    checked = generated.call(
        "recalls.check_recalls",
        body=models.RecallCheckRequest(model_id="anker-a1263", serial="AGXXF31E12345678"),
    )
    assert checked.recall_status == models.RecallStatus.EXTERNAL_CHECK_REQUIRED
    airlines = generated.call("airlines.list_airlines", confidence=models.Confidence.CONFIRMED)
    assert {airline.confidence for airline in airlines.airlines} == {models.Confidence.CONFIRMED}
    airline = generated.call("airlines.get_airline", "EK")
    assert airline.depth is models.AirlineBodyDepth.PREVIEW
    places = generated.call("verdicts.list_places", q="Heathrow")
    assert [place.airport for place in places.places] == ["LHR"]
    codes = generated.call(
        "verdicts.list_codes", kind=models.CodeKind.WARNING, language=models.ListCodesLanguage.KO
    )
    assert {code.code for code in codes.codes} == set(models.WarningCode)
    coverage = generated.call("airlines.get_coverage", limit=2)
    assert len(coverage.read_next) == 2
    changes = generated.call("airlines.list_policy_changes", since=datetime.date(2025, 1, 1))
    assert changes.depth is models.PolicyChangesBodyDepth.COUNTS
    assert sum(changes.counts.by_airline.additional_properties.values()) == changes.total_changes
    rules = generated.call("rules_and_evidence.list_rules", airline="EK", effect=models.Effect.REQUIRE)
    assert {rule.effect for rule in rules.rules} == {models.Effect.REQUIRE}
    rule = generated.call("rules_and_evidence.get_rule", "ek.max-units")
    assert (rule.code, rule.params.max_units) == ("max_units", 1)
    sources = generated.call("rules_and_evidence.list_sources", rule_id="ek.max-units")
    assert sources.sources[0].kind in models.SourceKind
    versions = {
        answer.ruleset_version
        for answer in (found, device, recalls, listed, airlines, airline, changes, rules, rule, sources)
    }
    assert versions == {RULESET_VERSION}


def test_a_stored_answer_is_checked(generated: Generated) -> None:
    models = generated.models
    asked = {"model_id": "anker-a1289", "trip": {"origin": "AE", "destination": "GB", "airline": "EK"}}
    answered = DjangoClient(headers={"prefer": "receipt"}).post(
        "/api/verify", asked, content_type="application/json"
    )
    stored = models.ReceiptCheckRequest(
        answer=models.ReceiptCheckRequestAnswer.from_dict(answered.json()),
        receipt=answered.headers["X-Service-Receipt"],
    )
    assert generated.call("verdicts.check_receipt", body=stored).standing == "valid"
    stored.answer["verdict"] = "banned"
    assert generated.call("verdicts.check_receipt", body=stored).standing == "not_ours"


def test_an_answer_is_signed_later(generated: Generated) -> None:
    models = generated.models
    asked = {"model_id": "anker-a1289", "trip": {"origin": "AE", "destination": "GB", "airline": "EK"}}
    answered = DjangoClient().post("/api/verify", asked, content_type="application/json")
    stored = models.ReceiptRequest(
        request=models.ReceiptRequestRequestType0.from_dict(asked),
        answer=models.ReceiptRequestAnswerType0.from_dict(answered.json()),
    )
    signed = generated.call("verdicts.make_receipt", body=stored)
    assert (signed.state, signed.record) == ("signed", None)
    check = models.ReceiptCheckRequest(
        answer=models.ReceiptCheckRequestAnswer.from_dict(answered.json()), receipt=signed.receipt
    )
    assert generated.call("verdicts.check_receipt", body=check).standing == "valid"


@pytest.mark.django_db
def test_a_trip_is_watched(generated: Generated) -> None:
    models = generated.models
    country = models.CountryCode
    watch = generated.call(
        "verdicts.watch_trip",
        body=models.WatchRequest(
            device=models.WatchedDeviceRequest(model_id="anker-a1289", quantity=2),
            trip=models.LegsRequest(
                legs=[models.LegRequest(origin=country.AE, destination=country.GB, airline="EK")],
                date=datetime.date(2026, 12, 24),
            ),
        ),
    )
    assert watch.page_url.startswith("http")
    assert watch.watch_id not in watch.page_url


@pytest.mark.django_db
def test_a_partner_lists_and_ends_its_watches(generated: Generated) -> None:
    """Without a key, which this client has not, both are refused."""
    for operation, asked in (
        ("verdicts.list_watches", ()),
        ("verdicts.end_watch", ("00005eed-0000-0000-0000-000000000000",)),
    ):
        assert generated.call(operation, *asked, status=401).code == "INVALID_KEY"


@pytest.mark.django_db
def test_an_itinerary_is_watched(generated: Generated) -> None:
    models = generated.models
    watch = generated.call(
        "verdicts.watch_trip",
        body=models.ItineraryWatchRequest(
            passengers=2,
            items=[models.WatchedModelItemRequest(model_id="anker-a1289", quantity=2)],
            segments=[
                models.SegmentRequest(
                    origin="AE", destination="GB", operating_airline="EK", date=datetime.date(2026, 12, 24)
                )
            ],
        ),
    )
    assert watch.ends_at == datetime.datetime(2026, 12, 26, tzinfo=datetime.UTC)


def test_documents_are_read(generated: Generated, documents_made: None) -> None:
    for name in (
        "documents.get_manifest",
        "documents.get_manifest_schema",
        "documents.get_manifest_preview",
        "documents.get_datasets",
    ):
        assert len(generated.call(name).additional_properties) > 2, name
    changes = generated.call("documents.list_dataset_changes").additional_properties
    assert [release["ruleset_version"] for release in changes["releases"]] == [RULESET_VERSION]
    names, formats = generated.models.GetDatasetFileName, generated.models.GetDatasetFileFormat
    file = generated.call("documents.get_dataset_file", RULESET_VERSION, names.DEVICES, formats.CSV)
    assert "model_id" in file.splitlines()[0]
    generated.call("documents.get_newest_dataset_file", names.DEVICES, formats.CSV, status=302)
    for feed, *about in (
        ("documents.get_rulesets_feed",),
        ("documents.get_airline_feed", "ek"),
        ("documents.get_brand_recalls_feed", "anker"),
        ("documents.get_model_recalls_feed", "anker-a1263"),
    ):
        # Its content is not typed: it is XML.
        assert generated.call(feed, *about) is None
    assert generated.call("documents.get_effective_dates").startswith("BEGIN:VCALENDAR")
    assert generated.call("documents.get_llms_txt").startswith("# ")
    assert generated.call("documents.get_receipt_keys").additional_properties.keys() == {"keys"}
    unknown = generated.call("documents.get_airline_feed", "zz", status=404)
    assert unknown.code is generated.models.ProblemCode.NOT_FOUND


def test_errors_are_read(generated: Generated) -> None:
    models = generated.models
    unknown = generated.call("devices.get_device", "no-such-model", status=404)
    assert unknown.code is models.ProblemCode.MODEL_NOT_FOUND
    invalid = generated.call("devices.list_devices", limit=0, status=400)
    assert invalid.code is models.ProblemCode.VALIDATION_ERROR
    assert [error.field for error in invalid.errors] == ["limit"]
    uncovered = generated.call(
        "verdicts.verify",
        status=404,
        body=models.VerifyRequest(
            model_id="anker-a1289",
            trip=models.FlightRequest(
                origin=models.CountryCode.JP, destination=models.CountryCode.SG, airline="ZZ"
            ),
        ),
    )
    assert uncovered.code is models.ProblemCode.AIRLINE_NOT_COVERED


@pytest.mark.django_db
def test_a_wrong_key_is_refused(package: Path, starter_release: Published) -> None:
    models = Generated(WSGIHandler()).models
    refused = Generated(WSGIHandler(), {"x-service-key": "mistyped"}).call("devices.list_devices", status=401)
    assert refused.code is models.ProblemCode.INVALID_KEY


def test_every_operation_is_called_here(package: Path) -> None:
    operations = {
        f"{path.parent.name}.{path.stem}" for path in package.glob("api/*/*.py") if path.stem != "__init__"
    }
    contract = yaml.load((package.parent / "openapi.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    assert len(operations) == sum(len(methods) for methods in contract["paths"].values())
    here = Path(__file__).read_text()
    assert {name for name in operations if f'"{name}"' not in here} == set()
