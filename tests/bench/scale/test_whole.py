"""The whole command at sizes that take seconds: a database of its own, its part, its tables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.scale.kept import BUSY, Kept
from compliance.services.embedded import REPOSITORY

SMALL = [2_000, 6_000]


@pytest.mark.parametrize("part", ["log", "log_by_day"])
def test_the_log_is_filled_used_and_removed_and_its_figures_stay(part: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "bench.scale", "--small", "--only", part],
        cwd=REPOSITORY,
        env=os.environ | {"DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = Kept(tmp_path / "scale-small" / "figures.json").of(part)
    assert list(found) == SMALL
    values = [value for (one,) in found.values() for name, value in one.items() if name != BUSY]
    assert all(value > 0 for value in values)
    assert "| find by id, median ms |" in done.stdout
    assert [path.name for path in (tmp_path / "scale-small").iterdir()] == ["figures.json"]
