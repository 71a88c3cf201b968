"""The page of integrations says what `make integrations` runs: each row, and each program."""

import json
import re

from checks.integrations.__main__ import TOOLS
from checks.integrations.lines import PAGE, lines
from compliance.services.embedded import REPOSITORY

ROWS = [row for row in PAGE.read_text().splitlines() if row.startswith("|")]


def test_each_row_of_the_page_is_run() -> None:
    headings = [row for row in ROWS if row.startswith(("| Tool |", "|---"))]
    assert len(lines()) == len(ROWS) - len(headings) >= 23


def test_some_rows_can_be_picked_by_a_part_of_their_name() -> None:
    assert [one.tool for one in lines("ORVAL")] == ["orval"]
    assert lines("no such tool") == []


def test_each_program_is_in_a_row_and_each_row_names_programs_that_exist() -> None:
    named = {name for one in lines() for name in re.findall(r"[\w.-]+\.(?:py|mjs|ts)\b", one.command)}
    ours = {path.name for path in TOOLS.iterdir()} - {"package.json", "question.json"}
    assert {"fetched-types.ts", "contract_models.py"} <= named, "These are made by tools."
    assert ours == named - {"fetched-types.ts", "contract_models.py"}


def test_the_versions_of_the_tools_are_pinned() -> None:
    pinned = json.loads((REPOSITORY / "checks" / "integrations" / "package.json").read_text())["dependencies"]
    assert all(re.fullmatch(r"[\d.]+", version) for version in pinned.values())
