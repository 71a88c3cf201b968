"""The home page offers the tools of `/mcp` to the agent of a browser, where the browser has one (WebMCP)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.browser.chromium import note_problems
from tests.support.agent_client import CALLS

PLACES = ("document", "navigator")
"""Where browsers have it: now, and at first."""

FEATURE = """
window.offered = [];
window.complete = new Promise((resolve) => {
  const registerTool = async (tool) => offered.push(tool) === COUNT && resolve();
  for (const [name, place] of Object.entries({document, navigator})) {
    Object.defineProperty(place, "modelContext", {value: name === "PLACE" ? {registerTool} : undefined});
  }
});
""".replace("COUNT", str(len(CALLS)))

OFFERED = "complete"
"""It waits."""
LISTED = "offered.map((tool) => JSON.parse(JSON.stringify(tool)))"
CALL = "([name, input]) => offered.find((tool) => tool.name === name).execute(input)"
FAILURE = "([name, input]) => offered.find((tool) => tool.name === name).execute(input).catch(String)"


@pytest.fixture
def context(service: str, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own, so the limit of the others is not its."""
    visitor = {"X-Forwarded-For": "203.0.113.66"}
    with browser.new_context(base_url=service, extra_http_headers=visitor) as context:
        yield context


def visit(context: BrowserContext, place: str, path: str = "/") -> tuple[Page, list[Request]]:
    """Open a page in a browser that has the feature at a place, or nowhere."""
    page, asked = context.new_page(), list[Request]()
    page.add_init_script(FEATURE.replace("PLACE", place))
    page.on("request", lambda request: asked.append(request) if request.method == "POST" else None)
    page.goto(path)
    return page, asked


@pytest.mark.parametrize("place", PLACES)
def test_the_tools_are_those_of_the_server(context: BrowserContext, place: str) -> None:
    page, _ = visit(context, place)
    page.evaluate(OFFERED)
    offered = {tool["name"]: tool for tool in page.evaluate(LISTED)}
    listed = page.request.post("/mcp", data=_message("tools/list", {}), headers=HEADERS).json()
    for tool in listed["result"]["tools"]:
        own = offered.pop(tool["name"])
        assert own["annotations"] == {"readOnlyHint": True}
        assert own["description"].startswith(tool["description"])
        assert {name: own[name] for name in ("inputSchema", "outputSchema", "title")} == {
            name: tool[name] for name in ("inputSchema", "outputSchema", "title")
        }
        if tool["name"].startswith("verify"):
            assert "Never answer `recall_check` for the person" in own["description"]
    assert offered == {}


def test_a_tool_answers_as_the_server_does_and_asks_nothing_else(context: BrowserContext) -> None:
    context.add_cookies([{"name": "sessionid", "value": "secret", "url": "http://127.0.0.1"}])
    page, asked = visit(context, "document", "/de/")
    problems = note_problems(page)
    page.evaluate(OFFERED)
    for tool, arguments in CALLS.items():
        answer = page.evaluate(CALL, [tool, arguments])
        same = page.request.post("/mcp", data=_message("tools/call", _call(tool, arguments)), headers=HEADERS)
        assert _without_times(answer) == _without_times(same.json()["result"]["structuredContent"]), tool
    misspelt = page.evaluate(CALL, ["verify_power_bank", {"quantiti": 2}])
    assert misspelt["clear_to_pack"] is False
    assert "quantiti" in {error["field"] for error in misspelt["gap"]["errors"]}
    assert {request.url for request in asked} == {f"{page.url.removesuffix('/de/')}/mcp"}
    assert not any("cookie" in request.all_headers() for request in asked)
    assert problems == []


def test_a_call_without_an_answer_is_an_error(context: BrowserContext) -> None:
    page, _ = visit(context, "document")
    page.evaluate(OFFERED)
    page.route("**/mcp", lambda route: route.abort())
    assert "TypeError" in page.evaluate(FAILURE, ["verify_power_bank", CALLS["verify_power_bank"]])
    page.unroute("**/mcp")
    page.route("**/mcp", lambda route: route.fulfill(status=502, body="<html>Bad gateway</html>"))
    assert "SyntaxError" in page.evaluate(FAILURE, ["verify_power_bank", CALLS["verify_power_bank"]])
    page.unroute("**/mcp")
    problem = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "Too many requests."}}
    page.route("**/mcp", lambda route: route.fulfill(status=429, json=problem))
    assert "Too many requests." in page.evaluate(FAILURE, ["check_recall", CALLS["check_recall"]])


def test_a_browser_without_the_feature_asks_nothing(context: BrowserContext) -> None:
    page, asked = visit(context, "nowhere")
    page.wait_for_load_state("networkidle")
    assert asked == []
    assert page.evaluate("offered") == []


HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": "2025-11-25",
}


def _message(method: str, params: dict[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def _without_times(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what is another at every question: its id and its times."""
    answer = result["answer"]
    passing = {
        name for name in answer if name.endswith(("verdict_id", "_at")) or name in {"segments", "watch"}
    }
    return {**result, "answer": {name: answer[name] for name in answer if name not in passing}}
