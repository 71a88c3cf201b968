"""Runs a program of ours in a process of its own, for content that may be hostile.

Such a program limits its own memory and processor time before it reads a byte, and imports nothing of the
service. The limit of elapsed time is here.
"""

import subprocess
import sys
from pathlib import Path


class TookTooLong(Exception):
    """The program did not end in time. It was killed."""


def run(program: Path, *arguments: str, body: bytes, seconds: int) -> subprocess.CompletedProcess[bytes]:
    """Run a Python file on some bytes, with no environment, and return what it wrote and its exit code.

    Raises `TookTooLong`.
    """
    try:
        return subprocess.run(
            [sys.executable, "-I", "-X", "utf8", str(program), *arguments],
            input=body,
            capture_output=True,
            env={},
            cwd="/",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TookTooLong from None
