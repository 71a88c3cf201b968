"""The history of the figures: a line for each measured commit, in the last section of docs/performance.md.

Each is the best of its rounds. A slope shows only in lines that were measured alike, so a line says how busy
the machine was.
"""

import datetime
import os
import subprocess
from collections.abc import Iterable

from bench.report import Line
from compliance.services.embedded import REPOSITORY

PAGE = REPOSITORY / "docs/performance.md"

FIGURES = (
    "engine_leg_us",
    "engine_over_zen",
    "verify_over_empty_drf",
    "verify_over_empty_drf_with_redis",
    "batch_item_over_empty_drf",
    "not_modified_over_bare_django",
    "cold_page_over_empty_page",
)
"""The figures that are remembered, in the order of the columns."""


def remember(lines: Iterable[Line]) -> None:
    """Append the figures of a run; one that was not measured is a dash."""
    found = {
        line["name"]: line["ratio"] if "ratio" in line else line["min"]
        for line in lines
        if line["name"] in FIGURES
    }
    cells = [
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        _commit(),
        f"{os.getloadavg()[2]:.1f}",
        *(str(found.get(name, "-")) for name in FIGURES),
    ]
    with PAGE.open("a") as page:
        page.write(f"| {' | '.join(cells)} |\n")


def _commit() -> str:
    """Return the short name of the measured commit; with a mark if files were changed since."""
    asked = ["git", "describe", "--always", "--dirty=+", "--exclude=*", "--abbrev=9"]
    return subprocess.run(asked, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
