"""The figures of all parts in one JSON file, which is written after each size: a stopped run loses one."""

import json
import os
from pathlib import Path
from typing import Any

Figures = dict[str, float]
"""What was measured at one size, by a name that ends with its unit."""

BUSY = "machine busy before, processes"
"""The name of the figure that says how many processes wanted to run in the minute before the measurement."""


class Kept:
    """The figures of all measurements. Those of one size may be several, of several runs."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._all: dict[str, dict[str, list[Figures]]] = json.loads(file.read_text()) if file.exists() else {}

    def of(self, part: str) -> dict[int, list[Figures]]:
        """Return the measurements of a part by size, the smallest first."""
        return {
            size: found for size, found in sorted((int(at), it) for at, it in self._all.get(part, {}).items())
        }

    def keep(self, part: str, size: int, figures: Figures) -> None:
        """Keep one more measurement of a part at one size."""
        self._all.setdefault(part, {}).setdefault(str(size), []).append(figures)
        self._write()

    def _write(self) -> None:
        draft = self._file.with_suffix(".new")
        draft.write_text(_encoded(self._all))
        draft.rename(self._file)


def busy() -> Figures:
    """Return how busy the machine is with other work."""
    return {BUSY: round(os.getloadavg()[0], 1)}


def _encoded(figures: Any) -> str:
    return json.dumps(figures, indent=1) + "\n"
