"""What tests of bulk verification share: questions, files of them, and the command."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command

SERIAL = "AK07SECRET4711"
FLIGHT = {"origin": "JP", "destination": "SG", "airline": "SQ"}
QUESTIONS: list[dict[str, Any]] = [
    {"model_id": "anker-a1289", "trip": FLIGHT},
    {"model_id": "anker-a1263", "serial": SERIAL, "trip": FLIGHT},
    {
        "model_id": "anker-a1289",
        "quantity": 2,
        "trip": {"origin": "AE", "destination": "GB", "airline": "EK"},
    },
    {"model_id": "anker-a1289", "trip": FLIGHT, "options": {"language": "de"}},
    {"model_id": "nobody-knows", "trip": FLIGHT},
    {"model_id": "anker-a1289", "trip": {**FLIGHT, "airline": "QQ"}},
    {"model_id": "anker-a1289", "trip": {**FLIGHT, "transit": ["KR"]}},
    {"model_id": "anker-a1289", "trip": {**FLIGHT, "compartment_intent": "roof"}},
    {"model_id": "anker-a1289", "trip": FLIGHT, "ruleset_version": "2020-01-01"},
    {"model_id": "anker-a1289", "sn": SERIAL, "trip": FLIGHT},
]
"""Two thirds of these get verdicts, and every other one an error of another kind."""


def write_lines(path: Path, rows: Iterable[Mapping[str, Any] | bytes]) -> Path:
    """Write JSON Lines; bytes as they are."""
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def flat(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question as the cells of a flat file."""
    cells = {name: value for name, value in question.items() if name not in {"trip", "options"}}
    return {**cells, **question["trip"], **question.get("options", {})}


def write_csv(path: Path, rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> Path:
    """Write CSV with these columns."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue())
    return path


def verify(source: Path, out: Path, *options: str) -> str:
    """Run the command, and return what it said."""
    said = io.StringIO()
    call_command("verify-batch", str(source), str(out), *options, stdout=said, stderr=said)
    return said.getvalue()


def lines_of(path: Path) -> list[Any]:
    """Return the values of JSON Lines."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def cells_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of CSV."""
    return list(csv.DictReader(io.StringIO(path.read_text())))
