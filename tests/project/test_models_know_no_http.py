"""Models import nothing of HTTP.

import-linter sees outside packages as a whole, so it cannot name `django.http`.
"""

import ast
from pathlib import Path

from compliance.services.embedded import REPOSITORY

APPS = ("aeo", "catalog", "compliance", "recalls", "rules")
FORBIDDEN = ("django.http", "django.shortcuts", "django.urls", "django.views", "rest_framework")


def model_files() -> list[Path]:
    """Return all modules of all models, and what tables are made of."""
    files = [path for app in APPS for path in (REPOSITORY / app).rglob("models.py")]
    return files + list((REPOSITORY / "catalog" / "tables").glob("*.py"))


def imported(path: Path) -> set[str]:
    """Return the full names of what a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_models_import_nothing_of_http() -> None:
    assert model_files()
    offenders = {
        (path.relative_to(REPOSITORY).as_posix(), name)
        for path in model_files()
        for name in imported(path)
        if f"{name}.".startswith(tuple(f"{package}." for package in FORBIDDEN))
    }
    assert offenders == set()
