"""The test world as a folder of files, for tests of what loads and compares such folders."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tests.support import world
from tests.support.factories import a_disagreement

Row = dict[str, Any]

FILES = {
    "jurisdictions.json": world.JURISDICTIONS,
    "sources.json": world.SOURCES,
    "airline_policies.json": world.AIRLINES,
    "airports.json": [],
    "devices.json": world.DEVICES,
    "rules.json": world.RULES,
    "recalls.json": world.RECALLS,
    "disagreements.json": [a_disagreement()],
    "accepted_findings.json": [],
}


def write_world(folder: Path) -> Path:
    """Write the test world, moved to countries that exist."""
    folder.mkdir(exist_ok=True)
    for name, records in FILES.items():
        text = msgspec.json.encode(records).decode()
        for fictional, real in {"XA": "FR", "XB": "DE", "XC": "BR", "XR": "EU"}.items():
            text = text.replace(f'"{fictional}"', f'"{real}"')
        (folder / name).write_text(text)
    return folder


def change_rows(folder: Path, name: str, change: Callable[[list[Row]], object]) -> None:
    """Change the rows of one file."""
    rows = json.loads((folder / name).read_text())
    change(rows)
    (folder / name).write_text(json.dumps(rows))
