"""`make fuzz`: requests generated from the published contract, against the real server.

It starts a PostgreSQL and a Redis of its own, seeds and publishes, serves with two processes, and runs
schemathesis twice at the same time: without a key, and with a partner key. All checks and phases are on
(`schemathesis.toml`), with data that the contract allows and data that it forbids. It prints the number of
requests; it fails at any finding, at an error in the server's log, and at fewer requests than promised.

SEED (default 1) varies the requests, EXAMPLES (default 100) their number. Only the loopback address is used.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checks import migrated_cluster
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY

FOLDER = Path(__file__).parent
AT_LEAST = 5000
PARTNER = "fuzz"
REQUESTS_PER_MINUTE = 10_000_000


def main() -> None:
    """Run both rounds."""
    seed = int(os.environ.get("SEED") or 1)
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as name,
        throwaway.services(migrated_cluster.archive()) as addresses,
    ):
        folder = Path(name)
        environment = environment_of(addresses)
        log = folder / "server.log"
        with serving(environment, log) as url:
            key = _partner_key(environment)
            with ThreadPoolExecutor() as pool:
                rounds = [
                    pool.submit(_ask, "an anonymous caller", url, folder / "anonymous.json", seed),
                    pool.submit(
                        _ask, "a partner", url, folder / "partner.json", seed + 1, f"x-service-key: {key}"
                    ),
                ]
                results = [asked.result() for asked in rounds]
        # Gunicorn warns of each request that is not HTTP.
        errors = re.search(r"ERROR|CRITICAL|Traceback", log.read_text()) and log.read_text()
    total = sum(requests for requests, _ in results)
    print(f"make fuzz: {total} requests, seed {seed}.")
    if errors:
        sys.exit(f"The server logged errors:\n{errors}")
    if not all(clean for _, clean in results):
        sys.exit(f"There are findings above. SEED={seed} make fuzz repeats them.")
    if total < AT_LEAST:
        sys.exit(f"That is fewer than {AT_LEAST}: raise EXAMPLES.")


def _partner_key(environment: Mapping[str, str]) -> str:
    """Record a partner, and return a key for it."""
    _manage(
        environment,
        *("partner", "add", PARTNER, "--name", "Fuzz", "--email", "fuzz@partner.example"),
        *("--rate", str(REQUESTS_PER_MINUTE), "--terms", "https://partner.example/terms"),
    )
    issued = re.search(r"^btk_\S+$", _manage(environment, "partner", "issue", PARTNER), re.MULTILINE)
    assert issued is not None
    return issued[0]


def _manage(environment: Mapping[str, str], *command: str) -> str:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def _ask(who: str, url: str, report: Path, seed: int, *headers: str) -> tuple[int, bool]:
    """Run schemathesis once; return the number of requests, and whether nothing was found."""
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", FOLDER / "schemathesis.toml"),
            *("run", f"{url}/openapi.yaml", "--no-color", "--seed", str(seed)),
            *("--max-examples", os.environ.get("EXAMPLES") or "100"),
            *(f"--header={header}" for header in headers),
            *("--report", "json", "--report-json-path", report),
        ],
        cwd=REPOSITORY,
        env=os.environ | {"RULESET_VERSION": _ruleset_version(url)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(f"make fuzz: asked as {who}\n{ended.stdout}", flush=True)
    counted = json.loads(report.read_text())["test_cases"] if report.exists() else {"generated": 0}
    return counted["generated"], ended.returncode == 0


def _ruleset_version(url: str) -> str:
    """Return the current release, which a request may pin."""
    with urllib.request.urlopen(f"{url}/api/devices?limit=1") as answer:
        version: str = json.load(answer)["ruleset_version"]
    return version


if __name__ == "__main__":
    main()
