"""Reads files without a process of its own for each, for tests that read hundreds of harmless ones.

The program is the same, without its limits of memory and time. Those, and the process, have their own tests.
"""

import io
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from catalog.bulk import reading_child

HIDDEN = ("numpy", "PIL")
"""What the program hides from the library that reads workbooks."""


@contextmanager
def reading_here() -> Iterator[None]:
    """Let `catalog.bulk.files` read in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("catalog.bulk.files.run", _run)
        yield


def _run(program: Path, *arguments: str, body: bytes, seconds: int) -> CompletedProcess[bytes]:
    out, said = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(program), *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, write_through=True))
        patch.setattr(sys, "stderr", io.TextIOWrapper(said, write_through=True))
        patch.setattr(resource, "setrlimit", lambda *_: None)
        for name in HIDDEN:
            patch.setitem(sys.modules, name, None)
        code = reading_child.main()
        return CompletedProcess([str(program), *arguments], code, out.getvalue(), said.getvalue())
