"""How much memory processes take."""

from collections.abc import Iterable
from pathlib import Path


def megabytes(pids: Iterable[int]) -> float:
    """Return the memory of processes in MiB; shared memory is counted once (PSS)."""
    return sum(_kilobytes(pid) for pid in pids) / 1024


def _kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        # It ended meanwhile.
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
