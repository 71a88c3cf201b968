"""What readers of `make bench` rely on: the shape of its lines, and a fair comparison behind each."""

import json
from pathlib import Path

import pytest

from bench import history, report
from bench.rounds import FEWEST, in_turns


def test_a_figure_is_the_median_of_its_rounds_and_shows_their_spread() -> None:
    assert report.value("corpus_load_s", [0.3, 0.1, 0.26], "s", digits=2, rules=7) == {
        "name": "corpus_load_s",
        "value": 0.26,
        "unit": "s",
        "min": 0.1,
        "median": 0.26,
        "max": 0.3,
        "rounds": 3,
        "rules": 7,
    }


def test_a_ratio_compares_the_best_turns_and_shows_the_spread_of_the_rounds() -> None:
    assert report.ratio("a_over_b", [2.0, 20.0, 9.0], [4.0, 10.0, 1.0], leg_us=5) == {
        "name": "a_over_b",
        "ratio": 2.0,
        "unit": "times",
        "min": 0.5,
        "median": 2.0,
        "max": 9.0,
        "rounds": 3,
        "leg_us": 5,
    }


def test_rounds_that_do_not_belong_together_are_not_divided() -> None:
    with pytest.raises(ValueError, match="shorter"):
        report.ratio("a_over_b", [1.0, 2.0], [1.0])


def test_each_line_is_one_json_object_and_progress_stays_out_of_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report.say("Measuring: leg")
    report.show(report.value("engine_leg_us", [30.04], "us"))
    output = capsys.readouterr()
    assert json.loads(output.out) == report.value("engine_leg_us", [30.04], "us")
    assert output.out.count("\n") == 1
    assert output.err == "Measuring: leg\n"


def test_all_sides_have_one_turn_in_each_round_and_no_one_is_always_first() -> None:
    turns: list[str] = []

    def work(name: str):
        return lambda: lambda: turns.append(name)

    seconds = in_turns({name: work(name) for name in "abc"}, rounds=3)

    # The first round is not counted: it warms up.
    assert {name: len(durations) for name, durations in seconds.items()} == {"a": 3, "b": 3, "c": 3}
    assert "".join(turns) == "abc" + "bca" + "cab" + "abc"


def test_drawing_the_questions_of_a_turn_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def take(seconds: float) -> None:
        nonlocal now
        now += seconds

    def prepare():
        take(100)
        return lambda: take(2)

    monkeypatch.setattr("bench.rounds.time.perf_counter", lambda: now)
    assert in_turns({"a": prepare}, rounds=2) == {"a": [2, 2]}


def test_slow_sides_get_fewer_rounds_but_never_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def timed() -> None:
        nonlocal now
        now += 1

    monkeypatch.setattr("bench.rounds.time.perf_counter", lambda: now)
    assert len(in_turns({"a": lambda: timed}, rounds=60, enough_seconds=30)["a"]) == 30
    assert len(in_turns({"a": lambda: timed}, rounds=60, enough_seconds=5)["a"]) == FEWEST
    assert len(in_turns({"a": lambda: timed}, rounds=20, enough_seconds=30)["a"]) == 20


def test_a_run_is_remembered_as_a_row_of_the_last_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text(history.PAGE.read_text())
    columns = next(line for line in page.read_text().splitlines() if line.startswith("| Date |")).count("|")
    monkeypatch.setattr(history, "PAGE", page)

    stages = {"name": "verify_stages_us", "unit": "us", "rounds": 60, "request": 405.1}
    history.remember([stages, report.ratio("engine_over_zen", [8.0, 6.0], [2.0, 2.0])])

    row = page.read_text().splitlines()[-1]
    assert row.count("|") == columns
    assert "| 3.0 |" in row
    assert row.count("| - ") == len(history.FIGURES) - 1
