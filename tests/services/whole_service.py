"""The whole service as `make run` starts it, on a free port."""

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from compliance.services.embedded import REPOSITORY


@contextlib.contextmanager
def serving(environment: Mapping[str, str], log: Path) -> Iterator[str]:
    """Migrate, seed, publish and serve; give the address. Errors go to the log. It ends with this process."""
    with (
        log.open("w") as errors,
        subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "compliance.services.run"],
            cwd=REPOSITORY,
            env={**environment, "PORT": "0"},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if said := re.match(r"Serving on (http://\S+)", line):
                    yield said[1]
                    break
            else:
                raise RuntimeError(f"The server did not start: {log.read_text()}")
        finally:
            process.terminate()
