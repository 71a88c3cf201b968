"""The official SDK's client over both transports, in both eras of the protocol.

The client holds each result against the schema that its tool promises, and fails where one does not keep it.
The servers run in processes of their own, as they do for agents.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client as Agent
from mcp.client.stdio import StdioServerParameters

from compliance.services import embedded
from tests.support.agent_client import CALLS, converse
from tests.support.processes import Start
from tests.support.web_server import serve_starter

Connect = Callable[[Any], Agent]

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""How the client comes to a revision of the protocol: by a handshake, or by asking what there is."""


@pytest.fixture(scope="module")
def http(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connect]:
    """Connect to a real web server."""
    folder = tmp_path_factory.mktemp("server")
    server = serve_starter(start_once, folder, VERDICT_SPOOL_DIR=str(folder / "spool"))
    yield lambda mode: Agent(f"http://127.0.0.1:{server.port}/mcp", mode=mode)
    server.stop()


@pytest.fixture
def stdio(bare_environment: dict[str, str], tmp_path: Path) -> Connect:
    """Start a process, and speak to it."""
    variables = {
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "DATABASE_URL": "postgresql://127.0.0.1:1/none",
        "SECRET_KEY": "only-for-tests",
        "VERDICT_KEY": "only-for-tests",
        "CORPUS_POLL_SECONDS": "0",
        "VERDICT_SHIP_SECONDS": "0",
        "VERDICT_SPOOL_DIR": str(tmp_path / "spool"),
    }
    process = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tests.compliance.channels.mcp.starter_agent"],
        env=bare_environment | variables,
        cwd=embedded.REPOSITORY,
    )
    return lambda mode: Agent(process, mode=mode)


@pytest.fixture(params=["http", "stdio"])
def connect(request: pytest.FixtureRequest) -> Connect:
    """Connect by either transport."""
    found: Connect = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_and_calls_every_tool(connect: Connect, mode: str) -> None:
    async def conversation(agent: Agent) -> dict[str, Any]:
        assert agent.protocol_version == MODES[mode]
        listed = (await agent.list_tools()).tools
        assert {tool.name for tool in listed} == set(CALLS)
        for tool in listed:
            assert tool.description
            assert tool.output_schema
            assert tool.annotations
            assert tool.annotations.read_only_hint
        return {name: await agent.call_tool(name, arguments) for name, arguments in CALLS.items()}

    for name, result in converse(lambda: connect(mode), conversation).items():
        assert not result.is_error, name
        assert result.structured_content["answer"], name


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_and_reads_guides_in_every_language(connect: Connect, mode: str) -> None:
    async def conversation(agent: Agent) -> tuple[list[str], str, str]:
        listed = [one.uri for one in (await agent.list_resources()).resources]
        guide = next(uri for uri in listed if uri.endswith("/guides/power-banks-on-emirates"))
        template = (await agent.list_resource_templates()).resource_templates[0].uri_template
        japanese = template.replace("{language}", "ja").replace("{slug}", "power-banks-on-emirates")
        english, translated = [(await agent.read_resource(uri)).contents[0] for uri in (guide, japanese)]
        return listed, getattr(english, "text", ""), getattr(translated, "text", "")

    listed, english, japanese = converse(lambda: connect(mode), conversation)
    assert sum("/guides/" in uri for uri in listed) >= 10
    assert any(uri.endswith("/aeo-manifest.json") for uri in listed)
    assert english.startswith("# What are the power bank rules on Emirates?")
    assert re.search(r"[ぁ-ん]", japanese)


def test_from_a_question_in_words_to_the_cited_answer(connect: Connect) -> None:
    """“Can I take my Anker 20k on Emirates?”: an agent that only follows what it is told, and asks people."""

    def person(asks: str) -> str:
        answers = {"which model": "A1268, it says on the label", "which countries": "from Dubai to London"}
        return next(said for about, said in answers.items() if about in asks)

    async def conversation(agent: Agent) -> dict[str, Any]:
        instructions = agent.instructions
        assert instructions
        assert "search_models" in instructions
        found = (await agent.call_tool("search_models", {"q": "Anker 20k"})).structured_content
        # Several models match: an agent that follows the step asks.
        assert found["gap"]["reason_code"] == "SEVERAL_MODELS"
        assert found["gap"]["suggested_next_step"]["code"] == "ask_which_model"
        number = person("which model").partition(",")[0]
        exact = (await agent.call_tool("search_models", {"q": f"Anker {number}"})).structured_content
        assert exact["gap"] is None
        (model,) = exact["answer"]["devices"]
        policy = (await agent.call_tool("get_airline_policy", {"airline": "Emirates"})).structured_content
        # It does not know the route, and is told what is missing.
        asked = {"model_id": model["model_id"], "airline": policy["answer"]["airline"]}
        early = await agent.call_tool("verify_power_bank", asked)
        assert early.is_error
        missing = {one["field"] for one in early.structured_content["gap"]["errors"]}
        assert missing == {"origin", "destination"}
        assert person("which countries") == "from Dubai to London"
        result = await agent.call_tool("verify_power_bank", {**asked, "origin": "AE", "destination": "GB"})
        assert not result.is_error
        outcome: dict[str, Any] = result.structured_content
        evidence = await agent.call_tool("get_sources", {"rule_id": "ek.max-units"})
        return {**outcome, "evidence": evidence.structured_content["answer"]["sources"]}

    outcome = converse(lambda: connect("auto"), conversation)
    answer = outcome["answer"]
    assert answer["device_resolved"]["model_id"] == "anker-a1268"
    assert outcome["clear_to_pack"] == (answer["verdict"] == "allowed")
    assert answer["verdict"] == "allowed"
    assert {"max_units_1", "no_onboard_use"} <= {one["code"] for one in answer["constraints"]}
    assert "ek.max-units" in answer["verdict_path"]
    kinds = {one["kind"] for one in answer["citations"]}
    assert "regulator" in kinds
    assert all(one["url"].startswith("https://") and one["pulled_at"] for one in answer["citations"])
    cited = {one["url"] for one in answer["citations"]}
    assert cited & {one["url"] for one in outcome["evidence"]}
