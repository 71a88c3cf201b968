"""What tests that start other processes share."""

import subprocess
import time
from collections.abc import Callable

# Starts `python ARGUMENTS` with more VARIABLES: the `start` fixture.
Start = Callable[..., "subprocess.Popen[str]"]


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Return once the condition holds; fail if it does not within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not true after {seconds} seconds"
        time.sleep(0.05)
