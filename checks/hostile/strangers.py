"""What public requests begin with: documents of the contract, names of the corpus, sentences of travelers."""

import json
import random
from collections.abc import Sequence
from typing import Any

import yaml

from checks.fuzz import moves
from checks.public_pages import PAGES
from checks.sentences.grammar import make
from compliance.services.embedded import REPOSITORY

CONTRACT = REPOSITORY / "docs" / "contract" / "openapi.yaml"
CORPUS = REPOSITORY / "compliance" / "starter_corpus"

SERIAL = "HOSTILE5ERIAL0777"
"""A serial that no log may contain."""

_LEG = {"model_id": "anker-a1289", "origin": "AE", "destination": "GB", "airline": "EK"}
TOOLS: dict[str, dict[str, Any]] = {
    "search_models": {"q": "Anker 20k"},
    "get_model": {"model_id": "anker-a1263"},
    "verify_power_bank": {**_LEG, "serial": SERIAL},
    "verify_trip": {**_LEG, "transit": ["KR"]},
    "verify_itinerary": {
        "items": [{"model_id": "anker-a1289", "serial": SERIAL}, {"label": {"watt_hour": 74}}],
        "segments": [{"origin": "DXB", "destination": "GB", "operating_airline": "EK"}],
    },
    "check_recall": {"model_id": "anker-a1263", "serial": SERIAL},
    "get_airline_policy": {"airline": "Emirates"},
    "search_rules": {"airline": "EK", "q": "overhead bin"},
    "get_sources": {"model_id": "anker-a1263"},
    "list_policy_changes": {"airline": "EK"},
}


def documents() -> dict[str, Sequence[Any]]:
    """Return the documents of the contract's examples and the messages of agents, by address."""
    contract = yaml.load(CONTRACT.read_text(), Loader=yaml.CSafeLoader)
    found: dict[str, Sequence[Any]] = {}
    for path, item in contract["paths"].items():
        for content in item.get("post", {}).get("requestBody", {}).get("content", {}).values():
            given = [_with_serial(example["value"]) for example in content.get("examples", {}).values()]
            found[path] = found[f"/sandbox{path}"] = given
    calls = [("tools/call", {"name": name, "arguments": given}) for name, given in TOOLS.items()]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    others = [("initialize", hello), ("tools/list", {}), ("resources/list", {}), ("ping", {})]
    found["/mcp"] = [
        {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        for method, params in [*calls, *others]
    ]
    return found


def words() -> dict[str, Sequence[str]]:
    """Return values that parameters of addresses and queries take, by their names."""
    brands = sorted({row["brand"].lower() for row in json.loads((CORPUS / "devices.json").read_text())})
    models, airlines, countries = moves.MODELS[:60], moves.AIRLINES[:40], moves.COUNTRIES[:40]
    small = [code.lower() for code in airlines]
    trip = {
        "model": models,
        "from": countries,
        "to": countries,
        "via": countries,
        "airline": [*airlines, *small],
    }
    return {
        **trip,
        "model_id": models,
        "brand": [brand for brand in brands if brand.isalnum()],
        "country": [*countries, *(code.lower() for code in countries)],
        "code": airlines,
        "rule_id": moves.RULES[:40],
        "jurisdiction": moves.PLACES[:20],
        "slug": [page.path.rpartition("/")[2] for page in PAGES if page.path.startswith("/guides/")],
        "name": [*models[:20], *small[:20], "devices", "recalls", "rules", "airline-policies"],
        "file_format": ["csv", "jsonl"],
        "key": ["demo"],
        "version": ["latest"],
        "number": ["1", "2"],
        "serial": [SERIAL],
        "text": ["anker", "emi", "tok", "東京"],
        "q": ["anker", "power bank"],
        "language": ["ja", "de", "xx"],
        "page": ["1", "2", "99"],
        **{
            name: ()
            for name in ("count", "limit", "cursor", "before", "since", "date", "more", "theme", "round")
        },
        **{
            name: () for name in ("wh", "mah", "v", "bag", "recent", "status", "kind", "basis", "in_force_on")
        },
        **{name: () for name in ("effect", "confidence", "legs", "stop", "hl")},
    }


def sentence(draw: random.Random) -> str:
    """Return the question of a traveler, mostly with something else in it."""
    text = make(draw).text
    if draw.random() < 0.3:
        return text
    at = draw.randrange(len(text) + 1)
    noise = draw.choice(
        ("\0", "²", "🔋" * 20, "9" * 5000, "\udc80", "\u202e", "2026-02-30", "1e999Wh", "a" * 5000, "%")
    )
    return text[:at] + noise + text[at:]


def _with_serial(document: Any) -> Any:
    """Put the serial that no log may contain in place of each other one."""
    if isinstance(document, dict):
        return {
            name: SERIAL if name == "serial" and isinstance(found, str) else _with_serial(found)
            for name, found in document.items()
        }
    if isinstance(document, list):
        return [_with_serial(found) for found in document]
    return document
