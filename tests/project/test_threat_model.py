"""Every defense that the documents of security tell of has its test, and every line of a threat names one."""

import re

import pytest

from compliance.services.embedded import REPOSITORY

DOCUMENTS = ("docs/threat-model.md", "docs/asvs.md", "SECURITY.md")

TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|md|toml|yaml)|Makefile|[\w-]+\.lock)`")


def text(document: str) -> str:
    """Return a document."""
    return (REPOSITORY / document).read_text()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_named_test_and_file_is_there(document: str) -> None:
    missing = [
        f"{path}::{name}"
        for path, name in TEST.findall(text(document))
        if not (REPOSITORY / path).exists() or f"def {name}(" not in (REPOSITORY / path).read_text()
    ]
    missing += [path for path in FILE.findall(text(document)) if not (REPOSITORY / path).exists()]
    assert missing == []


def test_every_threat_names_the_test_that_proves_its_defense() -> None:
    threats = text("docs/threat-model.md").split("| Threat | Defense | Test |\n|---|---|---|\n")[1:]
    lines = [line for table in threats for line in table.partition("\n\n")[0].splitlines()]
    assert len(lines) > 50
    assert [line for line in lines if not TEST.search(line)] == []


def test_every_requirement_of_the_walk_through_has_evidence_a_reason_or_is_a_gap() -> None:
    lines = re.findall(
        r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| (\S+) \| ([^|]+) \|$", text("docs/asvs.md"), flags=re.MULTILINE
    )
    assert len(lines) > 200
    assert len({number for number, *_ in lines}) == len(lines)
    assert {status for _, _, status, _ in lines} <= {"yes", "n/a", "partly", "no"}
    assert [number for number, *_, evidence in lines if not evidence.strip()] == []
