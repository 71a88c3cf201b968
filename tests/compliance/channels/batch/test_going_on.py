"""A run that was stopped goes on: no row twice, none lost, and the same bytes as if nothing had happened."""

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import time_machine
from django.core.management import CommandError, call_command
from pyarrow import parquet

from compliance.channels.batch import running
from compliance.channels.batch.answering import Answerer
from compliance.channels.batch.checkpoint import Notebook
from rules import corpus
from tests.compliance.channels.batch.files import (
    QUESTIONS,
    SERIAL,
    flat,
    lines_of,
    verify,
    write_csv,
    write_lines,
)
from tests.support import starter

pytestmark = pytest.mark.django_db

ROWS = 95
MANY = [QUESTIONS[number % len(QUESTIONS)] for number in range(ROWS)]


class Killed(BaseException):
    """What no code catches."""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch, starter_release: object) -> Iterator[None]:
    monkeypatch.setattr(running, "ROWS", 10)
    with time_machine.travel(starter.NOW, tick=False):
        yield


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.jsonl", MANY)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the rows that were asked; the 42nd stops everything the first time."""
    numbers: list[int] = []
    answer = Answerer.answer

    def counted(self: Answerer, row: Any, number: int) -> bytes:
        if number == 42 and 42 not in numbers:
            numbers.append(number)
            raise Killed
        numbers.append(number)
        return answer(self, row, number)

    monkeypatch.setattr(Answerer, "answer", counted)
    return numbers


def stopped(source: Path, out: Path, *options: str) -> None:
    with pytest.raises(Killed):
        verify(source, out, *options)
    assert not out.exists()


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet", "out.jsonl.gz"])
def test_the_rest_is_answered_and_the_bytes_are_those_of_an_undisturbed_run(
    source: Path, tmp_path: Path, asked: list[int], name: str
) -> None:
    out = tmp_path / name
    stopped(source, out)
    # It is another second by now.
    with time_machine.travel(starter.NOW.replace(hour=15), tick=False):
        said = verify(source, out)
    assert "Continued after 40 rows." in said
    assert f"{ROWS} rows" in said
    assert asked == [*range(1, 43), *range(41, ROWS + 1)]
    verify(source, tmp_path / f"again-{name}")
    assert out.read_bytes() == (tmp_path / f"again-{name}").read_bytes()
    assert not [path for path in tmp_path.iterdir() if path.suffix in {".part", ".run", ".made"}]


def test_a_torn_line_is_asked_again_and_no_whole_one(source: Path, tmp_path: Path, asked: list[int]) -> None:
    out = tmp_path / "out.jsonl"
    stopped(source, out)
    part = tmp_path / "out.jsonl.part"
    lines = part.read_bytes().splitlines(keepends=True)
    # What a kill in the middle of writing leaves.
    part.write_bytes(b"".join(lines[:33]) + lines[33][:20])
    asked.clear()
    asked.append(42)
    verify(source, out)
    assert asked == [42, *range(34, ROWS + 1)]
    assert len(lines_of(out)) == ROWS


def test_from_parquet_it_goes_on_as_well(tmp_path: Path, asked: list[int]) -> None:
    questions = [flat(question) for question in MANY if not {"sn", "transit"} & set(flat(question))]
    columns = sorted({name for question in questions for name in question})
    as_csv = write_csv(tmp_path / "in.csv", questions, columns)
    table = pa.table({name: [question.get(name) for question in questions] for name in columns})
    parquet.write_table(table, tmp_path / "in.parquet", row_group_size=7)
    stopped(tmp_path / "in.parquet", tmp_path / "1.jsonl")
    verify(tmp_path / "in.parquet", tmp_path / "1.jsonl")
    verify(as_csv, tmp_path / "2.jsonl")
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_no_file_next_to_the_output_holds_a_serial(source: Path, tmp_path: Path, asked: list[int]) -> None:
    stopped(source, tmp_path / "out.jsonl")
    other_files = [path for path in tmp_path.iterdir() if path != source]
    assert len(other_files) == 2
    assert not [path for path in other_files if SERIAL.encode() in path.read_bytes()]


def change_input(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source.write_bytes(source.read_bytes() + b"{}\n")


def publish(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_current", starter.published(starter.starter_content(), "2026-11-21"))


@pytest.mark.parametrize(
    ("meanwhile", "options", "said"),
    [
        (change_input, (), "The input has changed"),
        (publish, (), "began with release 2026-11-20, and now 2026-11-21 is current"),
        (None, ("--keep", "booking"), "began with other columns"),
    ],
)
def test_what_does_not_belong_together_is_not_mixed(
    source: Path,
    tmp_path: Path,
    asked: list[int],
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: Callable[..., None] | None,
    options: tuple[str, ...],
    said: str,
) -> None:
    out = tmp_path / "out.jsonl"
    stopped(source, out)
    kept = (tmp_path / "out.jsonl.part").read_bytes()
    if meanwhile:
        meanwhile(source, monkeypatch)
    with pytest.raises(CommandError, match=said):
        verify(source, out, *options)
    assert (tmp_path / "out.jsonl.part").read_bytes() == kept
    assert f"{len(source.read_bytes().splitlines())} rows" in verify(source, out, "--restart", *options)


def test_answers_of_two_days_are_not_mixed(source: Path, tmp_path: Path, asked: list[int]) -> None:
    stopped(source, tmp_path / "out.jsonl")
    with (
        time_machine.travel(starter.NOW.replace(day=22), tick=False),
        pytest.raises(CommandError, match="began on 2026-11-21"),
    ):
        verify(source, tmp_path / "out.jsonl")


def test_a_release_that_is_published_meanwhile_answers_no_row_and_is_told_of(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Answerer.answer

    def published_meanwhile(self: Answerer, row: Any, number: int) -> bytes:
        if number == 50:
            publish(source, monkeypatch)
        return answer(self, row, number)

    monkeypatch.setattr(Answerer, "answer", published_meanwhile)
    said = verify(source, tmp_path / "out.jsonl")
    assert "Release 2026-11-21 was published meanwhile. All rows are answered by 2026-11-20" in said
    answers = lines_of(tmp_path / "out.jsonl")
    assert {answer["ruleset_version"] for answer in answers if "verdict" in answer} == {"2026-11-20"}


def test_two_runs_do_not_write_one_output(source: Path, tmp_path: Path) -> None:
    with (
        closing(Notebook(tmp_path / "out.jsonl")),
        pytest.raises(CommandError, match="another run is writing this output"),
    ):
        verify(source, tmp_path / "out.jsonl")


def test_ctrl_c_says_how_far_it_came(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Answerer.answer

    def interrupted(self: Answerer, row: Any, number: int) -> bytes:
        if number == 42:
            raise KeyboardInterrupt
        return answer(self, row, number)

    said = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(Answerer, "answer", interrupted)
        with pytest.raises(SystemExit) as ended:
            call_command("verify-batch", str(source), str(tmp_path / "out.jsonl"), stderr=said)
    assert ended.value.code == 130
    assert "Stopped after 40 rows. The same command continues." in said.getvalue()
    assert "Continued after 40 rows." in verify(source, tmp_path / "out.jsonl")


def test_a_terminal_sees_a_bar(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    with time_machine.travel(starter.NOW, tick=True):
        monkeypatch.setattr("compliance.management.commands.verify-batch.SECONDS_BETWEEN_BARS", 0)
        call_command(
            "verify-batch", str(source), str(tmp_path / "out.jsonl"), stdout=io.StringIO(), stderr=terminal
        )
    assert "[##############################] 100%  95 rows" in terminal.getvalue()
