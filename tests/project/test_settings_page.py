"""The page of settings has every environment variable that the code reads, with its default."""

import json
import os
import re
import subprocess
import sys
from typing import Any

from compliance.services import environments
from compliance.services.embedded import REPOSITORY

REQUIRED = {"DATABASE_URL": "postgresql://127.0.0.1:1/none", "SECRET_KEY": "none", "VERDICT_KEY": "none"}

INTERNAL = {"PROMETHEUS_MULTIPROC_DIR"}
"""The web server sets these for its own processes."""

ROW = re.compile(r"^\| `([A-Z][A-Z0-9_]+)` \| (.+?) \| (.+) \|$", re.MULTILINE)
READ = re.compile(r'os\.environ(?:\.get\(|\[)"([A-Z0-9_]+)"')
"""How code reads a variable where the settings do not: before Django exists, mostly."""

PAGE = (REPOSITORY / "docs" / "settings.md").read_text()
DOCUMENTED = {name: default for name, default, _ in ROW.findall(PAGE)}


def by_settings() -> dict[str, Any]:
    """Return what the settings read where only the required variables are set: names and defaults."""
    program = "import json; from compliance.environment import env; print(json.dumps(env.dump()))"
    environment = {"PATH": os.environ["PATH"]} | REQUIRED
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, env=environment, capture_output=True, check=True
    )
    read: dict[str, Any] = json.loads(answer.stdout)
    return read


def by_the_rest() -> set[str]:
    """Return the variables that other code reads."""
    files = [REPOSITORY / "manage.py"]
    for room in ("aeo", "catalog", "compliance", "recalls", "rules"):
        files += (REPOSITORY / room).rglob("*.py")
    found = {name for file in files for name in READ.findall(file.read_text())}
    return (found | {*environments.URLS.values()}) - INTERNAL


def spelled(value: Any) -> str:
    """Write a default as the environment would have it."""
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, dict):
        # A mail server, which is written as an address: by default the backend without one.
        return f"{value['EMAIL_BACKEND'].split('.')[-2]}:"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_the_page_has_every_variable_once() -> None:
    assert len(ROW.findall(PAGE)) == len(DOCUMENTED)
    assert set(DOCUMENTED) == set(by_settings()) | by_the_rest()


def test_each_default_is_what_the_settings_take() -> None:
    wrong = []
    for name, value in by_settings().items():
        if name in REQUIRED:
            continue
        said = re.match(r"`([^`]+)`(?: \([^)]+\))?$", DOCUMENTED[name])
        # A variable without a default of its own: the page says in words what follows.
        expected = None if value in (None, "", []) else spelled(value)
        if (said and said[1]) != expected:
            wrong.append((name, DOCUMENTED[name], expected))
    assert wrong == []
