"""The tests of a folder lie under its name, and programs that measure or break things need no tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.services.embedded import REPOSITORY
from tests.support.import_graph import ROOMS

TESTS = REPOSITORY / "tests"
DATA = {"certificates", "pages"}
"""Folders of files that tests read."""


def _imports(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder with the absolute names that they import."""
    for path in sorted((REPOSITORY / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from ((path.name, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield path.name, node.module


def _folders(room: str) -> Iterator[Path]:
    for path in sorted((TESTS / room).rglob("*")):
        if path.is_dir() and path.name not in {"__pycache__", *DATA}:
            yield path.relative_to(TESTS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_tests_has_the_name_of_what_it_tests(room: str) -> None:
    missing = [
        str(path)
        for path in _folders(room)
        if not (REPOSITORY / path).is_dir() and not (REPOSITORY / path).with_suffix(".py").exists()
    ]
    assert missing == []


@pytest.mark.parametrize("folder", ["bench", "checks"])
def test_programs_import_no_tests(folder: str) -> None:
    found = list(_imports(folder))
    assert found
    assert [pair for pair in found if pair[1].split(".")[0] == "tests"] == []


def test_what_tests_share_needs_no_test() -> None:
    inner = [pair for pair in _imports("tests/support") if pair[1].split(".")[0] == "tests"]
    assert inner
    assert [pair for pair in inner if not pair[1].startswith("tests.support")] == []
