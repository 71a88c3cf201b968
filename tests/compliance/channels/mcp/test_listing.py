"""How the server is found: the registry's entry, the server card, and the catalog of the site."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.channels.mcp.listing import CARD_TYPE
from tests.support.agent_client import say

REGISTRY, CARD, CATALOG = "/mcp/server.json", "/mcp/server-card", "/.well-known/ai-catalog.json"

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def site(settings: Settings) -> str:
    settings.SITE_URL = "https://batteries.example.com"
    return settings.SITE_URL


def test_the_entry_of_the_registry_keeps_its_rules(client: Client, site: str) -> None:
    """Those of the schema of 2025-12-11, which the entry names."""
    entry = client.get(REGISTRY).json()
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    assert entry["name"] == "com.example.batteries/battery-travel-compliance"
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 1 <= len(entry["description"]) <= 100
    assert 1 <= len(entry["title"]) <= 100
    # The registry refuses ranges, and sorts only whole versions.
    assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", entry["version"])
    (remote,) = entry["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", f"{site}/mcp")
    (key,) = remote["headers"]
    assert (key["isRequired"], key["isSecret"]) == (False, True)
    known = {"$schema", "name", "title", "description", "version", "websiteUrl", "remotes"}
    assert set(entry) == known


def test_the_card_says_what_the_server_says_of_itself(client: Client, site: str) -> None:
    card = client.get(CARD)
    assert card["Content-Type"] == "application/mcp-server-card+json"
    described = card.json()
    assert described["$schema"].endswith("/schemas/v1/server-card.schema.json")
    info: dict[str, Any] = say(client, "initialize", HELLO).json()["result"]["serverInfo"]
    assert described["name"].endswith(f"/{info['name']}")
    assert {name: described[name] for name in ("title", "version")} == {
        name: info[name] for name in ("title", "version")
    }


def test_a_client_that_knows_only_the_site_finds_the_card(client: Client, site: str) -> None:
    catalog = client.get(CATALOG)
    assert catalog["Content-Type"] == "application/ai-catalog+json"
    (entry,) = catalog.json()["entries"]
    assert entry["type"] == CARD_TYPE
    assert entry["identifier"] == "urn:air:batteries.example.com:mcp:battery-travel-compliance"
    assert client.get(entry["url"].removeprefix(site)).json() == client.get(CARD).json()


@pytest.mark.parametrize("address", [REGISTRY, CARD, CATALOG])
def test_pages_of_any_site_may_read_them_and_caches_keep_them(client: Client, address: str) -> None:
    first = client.get(address, headers={"origin": "https://hosts.example"})
    assert first["Access-Control-Allow-Origin"] == "*"
    assert {"public", "max-age=3600"} <= set(first["Cache-Control"].split(", "))
    assert client.get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert client.post(address).status_code == 405
