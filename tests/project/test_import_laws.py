"""Each import law of pyproject.toml finds a violation: one is planted for each in a copy of the rooms."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from compliance.services.embedded import REPOSITORY
from tests.support.import_graph import ROOMS

PLANTED = {
    "compliance > aeo > rules > recalls > catalog: a room imports only rooms below it": (
        "catalog/energy.py",
        "import recalls.serials",
    ),
    "The slices of catalog, in order": ("catalog/sources/actions.py", "import catalog.airlines.actions"),
    "The pure modules know no framework, no database and no settings": (
        "rules/engine/facts.py",
        "import django.conf",
    ),
    "Models know no actions, no screens, no jobs and no HTTP": (
        "rules/releases/models.py",
        "import catalog.sources.actions",
    ),
    "The public pages use the doors of rules, never its tables": (
        "aeo/articles/article.py",
        "import rules.releases.models",
    ),
    "The slices of aeo go one way": ("aeo/pages/parts.py", "import aeo.itineraries.card"),
    "Reading a question: words, then names, then sentences": (
        "aeo/asking/names/folding.py",
        "import aeo.asking.free_text.facts",
    ),
    "The slices of recalls go one way": ("recalls/serials.py", "import recalls.records"),
    "The slices of rules go one way": ("rules/corpus.py", "import rules.wording.summaries"),
    "Every verdict goes through the door, rules.verdicts": (
        "aeo/articles/flights.py",
        "import rules.engine.evaluate",
    ),
    "The embedded services run before Django exists": ("compliance/services/ports.py", "import django"),
    "The slices of compliance, in order": (
        "compliance/limits/addresses.py",
        "import compliance.channels.embed.frames",
    ),
    "The API, in order": ("compliance/api/protocol/paging.py", "import compliance.api.reads.rules"),
    "The channels know nothing of each other": (
        "compliance/channels/embed/frames.py",
        "import compliance.channels.sandbox.release",
    ),
}
"""For each law a file, and an import that it forbids there."""


def _laws() -> set[str]:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    return {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}


def _broken(folder: Path) -> set[str]:
    """Return the laws that do not hold in a folder."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"COLUMNS": "300"},
    )
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(.+) BROKEN\b", done.stdout, re.M))


def test_a_planted_import_breaks_each_law(tmp_path: Path) -> None:
    assert set(PLANTED) == _laws()
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", "static", "*.json", "*.tsv")
        shutil.copytree(REPOSITORY / room, tmp_path / room, ignore=ignored)
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    for path, line in PLANTED.values():
        with (tmp_path / path).open("a") as file:
            file.write(f"\n{line}\n")
    assert _broken(tmp_path) == _laws()
