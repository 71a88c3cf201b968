"""docs/adding-a-rule-code.md, carried out on a copy of the project as it is written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from compliance.services.embedded import REPOSITORY

PAGE = (REPOSITORY / "docs" / "adding-a-rule-code.md").read_text()
FOLDERS = (
    "aeo",
    "catalog",
    "checks",
    "clients",
    "compliance",
    "docs",
    "locale",
    "recalls",
    "rules",
    "templates",
    "tests",
)
TESTS = ("tests/rules/wording/test_wording.py", "tests/clients/test_reference.py")
FILES = ("CHANGELOG.md", "manage.py", "pyproject.toml", "requirements.txt")

TRY = """
import json, pathlib, sys, django, msgspec
django.setup()
from compliance.starter_corpus.release import published, starter_content
from rules.cases.reading import load_cases
from rules.cases.running import judge
from rules.engine.document import problems
from rules.engine.facts import Rule
rule = msgspec.convert(json.loads(pathlib.Path("rule.json").read_text()), Rule, strict=False)
content = starter_content()
rules = sorted((*content.rules, rule), key=lambda one: one.rule_id)
content = msgspec.structs.replace(content, rules=tuple(rules))
assert not problems(content), problems(content)
published(content)
for judged in judge(content, load_cases(pathlib.Path("new_cases"))):
    assert not judged.failures, judged.failures
print("the case holds")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project, without what is not read here."""
    for folder in FOLDERS:
        shutil.copytree(REPOSITORY / folder, tmp_path / folder, ignore=shutil.ignore_patterns("pictures"))
    for name in FILES:
        shutil.copy(REPOSITORY / name, tmp_path / name)
    return tmp_path


def test_the_page_adds_a_code_from_the_registry_to_a_case(copy: Path) -> None:
    insertions = re.findall(r"```diff (\S+)\n(.*?)```", PAGE, re.S)
    assert len(insertions) == 4
    for path, lines in insertions:
        _insert(copy, path, lines)
    _manage(copy, "translations", "--write")
    translations = re.findall(r"^\| `(locale/\S+)` \| (.+?) \|$", PAGE, re.M)
    assert len(translations) == 7
    for path, text in translations:
        _translate(copy / path, "statement.not_in_seat_pocket", text)
    _manage(copy, "translations", "--check")
    _manage(copy, "makemigrations", "rules")
    _manage(copy, "contract", "--write")
    (copy / "rule.json").write_text(_block("json"))
    (copy / "new_cases").mkdir()
    (copy / "new_cases" / "added.yaml").write_text(_block("yaml"))
    assert "the case holds" in _run(copy, "-c", TRY)
    _manage(copy, "migrate", "--verbosity", "0", DATABASE_URL=_database())
    # They need no server, and here there is one.
    alone = ("-p", "no:tests.support.services_plugin", "-p", "no:cacheprovider")
    names = "not_in_seat_pocket or knows_the_codes_of_the_engine"
    said = _run(copy, "-m", "pytest", "-v", *alone, *TESTS, "-k", names)
    assert {path for path in TESTS if path in said} == {*TESTS}


def _database() -> str:
    """Make a database that has the tables as they were before, and return its address."""
    address = os.environ["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("CREATE DATABASE before_the_code")
    return urlsplit(address)._replace(path="/before_the_code").geturl()


def _insert(copy: Path, path: str, lines: str) -> None:
    """Put the lines with a plus between the lines around them."""
    marked = lines.splitlines()
    before = "\n".join(line[1:] for line in marked if not line.startswith("+"))
    after = "\n".join(line[1:] for line in marked)
    text = (copy / path).read_text()
    assert text.count(before) == 1, f"{path} does not hold these lines once: {before}"
    (copy / path).write_text(text.replace(before, after))


def _translate(file: Path, key: str, text: str) -> None:
    found = re.compile(rf'(#\. verdicts: {re.escape(key)}\nmsgid .*\nmsgstr )""')
    written, count = found.subn(lambda match: f'{match[1]}"{text}"', file.read_text())
    assert count == 1, f"{file.name} has no empty entry for {key}"
    file.write_text(written)


def _block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)
    assert len(found) == 1
    return str(found[0])


def _manage(copy: Path, *arguments: str, **variables: str) -> str:
    return _run(copy, "manage.py", *arguments, **variables)


def _run(copy: Path, *arguments: str, **variables: str) -> str:
    """Run Python in the copy; what it prints is the message where it fails."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(copy),
        **variables,
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
