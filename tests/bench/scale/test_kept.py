"""A run of `make scale` that was stopped continues after the last size that ended."""

from pathlib import Path

import pytest

from bench.scale import __main__ as command
from bench.scale.kept import BUSY, Figures, Kept
from bench.scale.parts import PARTS, Part

PART = Part("log", "rows", full=(10, 20, 30), small=(1, 2))


class Stopped(Exception):
    """As by Ctrl-C."""


def test_figures_stay_until_they_are_measured_again(tmp_path: Path) -> None:
    Kept(tmp_path / "figures.json").keep("log", 30, {"find, ms": 0.2})
    Kept(tmp_path / "figures.json").keep("log", 4, {"find, ms": 0.1})
    kept = Kept(tmp_path / "figures.json")
    assert list(kept.of("log").items()) == [(4, {"find, ms": 0.1}), (30, {"find, ms": 0.2})]
    kept.forget("log")
    assert Kept(tmp_path / "figures.json").of("log") == {}


def test_a_stopped_run_measures_only_the_sizes_that_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = []

    def figures(name: str, size: int, folder: Path) -> Figures:
        if size == 20 and 20 not in measured:
            measured.append(20)
            raise Stopped
        measured.append(size)
        return {"find, ms": size / 10}

    monkeypatch.setattr(command, "_figures", figures)
    kept = Kept(tmp_path / "figures.json")
    with pytest.raises(Stopped):
        command._measure(PART, PART.full, tmp_path / "log", kept)
    assert (tmp_path / "log").is_dir()
    again = Kept(tmp_path / "figures.json")
    command._measure(PART, PART.full, tmp_path / "log", again)
    command._measure(PART, PART.full, tmp_path / "log", again)
    assert measured == [10, 20, 20, 30]
    assert {size: found["find, ms"] for size, found in again.of("log").items()} == {10: 1, 20: 2, 30: 3}
    assert all(BUSY in found for found in again.of("log").values())
    # What one size leaves for the next is not needed any more.
    assert not (tmp_path / "log").exists()


def test_each_part_has_three_sizes() -> None:
    assert {len(part.full) for part in PARTS} == {3}
    assert all(max(part.small) < max(part.full) for part in PARTS)
