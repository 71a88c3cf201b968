"""Made-up models: one for each energy, recall status and certificate, so that each kind of unit can be asked.

They are added to the text of the release, so both programs read them as they read all others. The catalog
keeps their names for made-up records, so no model has one.
"""

import json
from itertools import product
from typing import Any

from rules.proof.checking.cells import STATUSES, Energy
from rules.proof.checking.records import Json, Records

RECALLED: dict[str, Json] = {
    "serial_unknown": {"scope": "sale_dates", "identifier": "serial"},
    "external_check_required": {
        "scope": "lookup_required",
        "identifier": "serial",
        "explicit_list_url": "https://example.org/list",
    },
    "affected": {"scope": "all_units", "identifier": "model"},
}
"""A recall that gives a status to a unit without a serial."""


def name_of(energy: Energy, status: str, *, doubted: bool) -> str:
    """Return the name of a made-up model."""
    figure = "none" if energy.figure is None else str(energy.figure)
    doubt = "doubted" if doubted else "sure"
    return f"sandbox-proof-{energy.basis}-{figure}-{status.replace('_', '-')}-{doubt}"


def with_made_up(records: Records, energies: list[Energy]) -> bytes:
    """Return the release with a made-up model for each energy, status and state of a certificate."""
    document = records.document
    content = dict(document["content"])
    source = next(row["id"] for row in content["sources"] if row["basis"] != "general_knowledge")
    devices, recalls = list(content["devices"]), list(content["recalls"])
    for energy, status, doubted in product(energies, STATUSES, (False, True)):
        name = name_of(energy, status, doubted=doubted)
        devices.append(_device(name, energy, source, doubted=doubted))
        if status in RECALLED:
            recalls.append(_recall(name, status, source))
    content["devices"], content["recalls"] = devices, recalls
    return json.dumps({**document, "content": content}).encode()


def _device(name: str, energy: Energy, source: str, *, doubted: bool) -> Json:
    figure = None if energy.figure is None else f"{energy.figure // 100}.{energy.figure % 100:02}"
    device: dict[str, Any] = {
        "model_id": name,
        "brand": "Made up",
        "model_name": "Made up",
        "watt_hour": figure,
        "watt_hour_basis": energy.basis,
        "sources": [source],
    }
    if doubted:
        device["certificates"] = [{"mark": "CCC", "status": "revoked", "source": source}]
    return device


def _recall(name: str, status: str, source: str) -> Json:
    return {
        "recall_id": name,
        "model_id": name,
        "authority": "Made up",
        "jurisdiction": "INTL",
        "announced_on": "2000-01-01",
        "announced_precision": "day",
        "title": "Made up",
        "hazard": "Made up",
        "remedy": "Made up",
        "affected_serials": RECALLED[status],
        "notice_url": "https://example.org/",
        "sources": [source],
    }
