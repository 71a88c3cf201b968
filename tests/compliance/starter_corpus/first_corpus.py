"""The first starter corpus, of 20 November 2026, rebuilt from the present one and what differs.

`first_corpus.json` has, for each file, the ids that the first corpus did not have, the rows that only it had,
and the old values of the rows that changed. Its digests hold the rebuilt files to what was published then.
Where the present corpus changes, write the differences again from a folder with the first one's files:

    python -m tests.compliance.starter_corpus.first_corpus DIR
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from compliance.services.embedded import REPOSITORY

STARTER_CORPUS = REPOSITORY / "compliance" / "starter_corpus"

KEYS = {
    "jurisdictions.json": "code",
    "sources.json": "id",
    "airline_policies.json": "airline",
    "devices.json": "model_id",
    "rules.json": "rule_id",
    "recalls.json": "recall_id",
    "accepted_findings.json": "key",
}
"""The files that the first corpus had, and the field that identifies a row."""

SMALL_FORM = Path(__file__).with_name("first_corpus.json")

Row = dict[str, Any]


def write_first_corpus(folder: Path) -> None:
    """Write the files of the first corpus; a kind that it did not have is an empty file."""
    small = json.loads(SMALL_FORM.read_text())
    for file in STARTER_CORPUS.glob("*.json"):
        rows = list(_rebuilt(_rows(file), small[file.name]).values()) if file.name in KEYS else []
        (folder / file.name).write_text(json.dumps(rows))


def digest(rows: list[Row], key: str) -> str:
    """Return what tells the rows of a file from others, in whatever order they are."""
    text = json.dumps(sorted(rows, key=lambda row: str(row[key])), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def digests() -> dict[str, str]:
    """Return the digest of each file as it was published."""
    return {name: small["sha256"] for name, small in json.loads(SMALL_FORM.read_text()).items()}


def _rows(file: Path) -> dict[str, Row]:
    return {row[KEYS[file.name]]: row for row in json.loads(file.read_text())} if file.name in KEYS else {}


def _rebuilt(present: dict[str, Row], small: Row) -> dict[str, Row]:
    rows = {name: row for name, row in present.items() if name not in small["not_there_yet"]}
    for name, old in small["was"].items():
        row = rows[name] | old["fields"]
        rows[name] = {field: value for field, value in row.items() if field not in old["without"]}
    return rows | small["only_then"]


def _difference(first: dict[str, Row], present: dict[str, Row], key: str) -> Row:
    both = first.keys() & present.keys()
    return {
        "sha256": digest(list(first.values()), key),
        "not_there_yet": sorted(present.keys() - first.keys()),
        "only_then": {name: first[name] for name in sorted(first.keys() - present.keys())},
        "was": {
            name: {
                "fields": {
                    field: value
                    for field, value in first[name].items()
                    if field not in present[name] or present[name][field] != value
                },
                "without": sorted(present[name].keys() - first[name].keys()),
            }
            for name in sorted(both)
            if first[name] != present[name]
        },
    }


if __name__ == "__main__":
    SMALL_FORM.write_text(
        json.dumps(
            {
                name: _difference(_rows(Path(sys.argv[1]) / name), _rows(STARTER_CORPUS / name), key)
                for name, key in KEYS.items()
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )
