"""A run of `make scale` that was stopped continues after the last size that ended."""

from pathlib import Path

import pytest

from bench.scale import __main__ as command
from bench.scale.kept import BUSY, Figures, Kept
from bench.scale.parts import PARTS, Part

PART = Part("log", "rows", full=(10, 20, 30), small=(1, 2))


class Stopped(Exception):
    """As by Ctrl-C."""


def test_figures_stay_and_a_size_may_be_measured_again(tmp_path: Path) -> None:
    Kept(tmp_path / "figures.json").keep("log", 30, {"find, ms": 0.2})
    Kept(tmp_path / "figures.json").keep("log", 4, {"find, ms": 0.1})
    Kept(tmp_path / "figures.json").keep("log", 30, {"find, ms": 0.3})
    kept = Kept(tmp_path / "figures.json").of("log")
    assert list(kept.items()) == [(4, [{"find, ms": 0.1}]), (30, [{"find, ms": 0.2}, {"find, ms": 0.3}])]


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
        command._measure(PART, PART.full, 1, tmp_path / "log", kept)
    assert (tmp_path / "log").is_dir()
    again = Kept(tmp_path / "figures.json")
    command._measure(PART, PART.full, 1, tmp_path / "log", again)
    command._measure(PART, PART.full, 1, tmp_path / "log", again)
    assert measured == [10, 20, 20, 30]
    command._measure(PART, PART.full, 2, tmp_path / "log", again)
    assert measured == [10, 20, 20, 30, 10, 20, 30]
    found = again.of("log")
    assert {size: [one["find, ms"] for one in each] for size, each in found.items()} == {
        10: [1, 1],
        20: [2, 2],
        30: [3, 3],
    }
    assert all(BUSY in one for each in found.values() for one in each)
    # What one size leaves for the next is not needed any more.
    assert not (tmp_path / "log").exists()


def test_each_part_has_three_sizes() -> None:
    assert {len(part.full) for part in PARTS} == {3}
    assert all(max(part.small) < max(part.full) for part in PARTS)
