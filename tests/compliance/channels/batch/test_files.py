"""Files of questions become files of answers: those of the API, row by row, whatever is in them."""

import datetime
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import time_machine
from django.core.management import CommandError
from django.test import Client
from pyarrow import parquet

from rules.corpus import Published
from tests.compliance.channels.batch.files import (
    FLIGHT,
    QUESTIONS,
    SERIAL,
    cells_of,
    flat,
    lines_of,
    verify,
    write_csv,
    write_lines,
)
from tests.support import starter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starter_release", "_noon")]

COLUMNS = [
    "model_id",
    "serial",
    "quantity",
    "origin",
    "destination",
    "airline",
    "compartment_intent",
    "language",
]
FLAT_QUESTIONS = [question for question in QUESTIONS if set(flat(question)) <= set(COLUMNS)]


@pytest.fixture
def _noon() -> Any:
    with time_machine.travel(starter.NOW, tick=False):
        yield


def asked_one_by_one(questions: list[dict[str, Any]]) -> list[Any]:
    """Return what the API answers."""
    client = Client()
    return [
        client.post(
            "/api/verify", question, "application/json", headers={"X-Request-ID": f"row-{number:08}"}
        ).json()
        for number, question in enumerate(questions, start=1)
    ]


def without_serial(answer: Any) -> Any:
    for recall in answer.get("device_resolved", {}).get("recalls", ()):
        recall.pop("serial_evaluation", None)
    return answer


def test_every_row_is_answered_as_the_api_answers_it_in_the_same_order(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    said = verify(write_lines(tmp_path / "in.jsonl", QUESTIONS), out)
    answers = lines_of(out)
    assert answers == [without_serial(answer) for answer in asked_one_by_one(QUESTIONS)]
    assert [answer.get("verdict") or answer["code"] for answer in answers] == [
        *("allowed", "conditional", "banned", "allowed", "MODEL_NOT_FOUND", "AIRLINE_NOT_COVERED"),
        *("USE_TRIP_ENDPOINT", "VALIDATION_ERROR", "RULESET_VERSION_NOT_CURRENT", "VALIDATION_ERROR"),
    ]
    assert "10 rows by release 2026-11-20" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_the_bytes_of_an_answer_are_those_of_the_api(tmp_path: Path) -> None:
    verify(write_lines(tmp_path / "in.jsonl", QUESTIONS[:1]), tmp_path / "out.jsonl")
    heard = Client().post("/api/verify", QUESTIONS[0], "application/json")
    assert (tmp_path / "out.jsonl").read_bytes() == heard.content + b"\n"


def test_a_serial_decides_and_is_repeated_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    out = tmp_path / "out.jsonl"
    said = verify(write_lines(tmp_path / "in.jsonl", QUESTIONS), out)
    with_serial, [without] = lines_of(out)[1], asked_one_by_one([{**QUESTIONS[1], "serial": "Z"}])
    assert with_serial["device_resolved"]["recall_status"] == without["device_resolved"]["recall_status"]
    for kept in (out.read_text(), said, caplog.text):
        assert SERIAL not in kept


def test_flat_files_of_all_kinds_carry_the_same_answers(tmp_path: Path) -> None:
    rows = [{"booking": f"B{number}", **flat(question)} for number, question in enumerate(FLAT_QUESTIONS)]
    as_csv = write_csv(tmp_path / "in.csv", rows, ["booking", *COLUMNS])
    table = {name: [row.get(name) for row in rows] for name in ["booking", *COLUMNS]}
    as_parquet = tmp_path / "in.parquet"
    parquet.write_table(pa.table(table), as_parquet)

    kept = ("--keep", "booking")
    verify(as_csv, tmp_path / "1.csv", *kept)
    verify(as_parquet, tmp_path / "2.csv", *kept)
    verify(as_csv, tmp_path / "3.parquet", *kept)
    verify(as_parquet, tmp_path / "4.jsonl", *kept)

    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    cells = cells_of(tmp_path / "1.csv")
    columns = parquet.read_table(tmp_path / "3.parquet").to_pylist()
    assert [{name: cell or "" for name, cell in row.items()} for row in columns] == cells
    answers = [without_serial(answer) for answer in asked_one_by_one(FLAT_QUESTIONS)]
    assert lines_of(tmp_path / "4.jsonl") == [
        {"booking": f"B{number}", **answer} for number, answer in enumerate(answers)
    ]
    for cell, answer in zip(cells, answers, strict=True):
        for name in ("verdict", "verdict_id", "ruleset_version", "generated_at", "expires_at", "summary"):
            assert cell[name] == answer.get(name, "")
        assert cell["error_code"] == answer.get("code", "")
        assert cell["constraint_codes"].split() == [one["code"] for one in answer.get("constraints", ())]
    [wrong] = [cell for cell in cells if cell["error_code"] == "VALIDATION_ERROR"]
    assert wrong["error_detail"].startswith("trip.compartment_intent: Send one of ")
    assert SERIAL not in (tmp_path / "1.csv").read_text()


def test_compressed_files_are_read_and_written(tmp_path: Path) -> None:
    plain = write_lines(tmp_path / "in.jsonl", QUESTIONS)
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    verify(plain, tmp_path / "out.jsonl")
    verify(tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl.gz")
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == (tmp_path / "out.jsonl").read_bytes()


def test_days_whole_numbers_and_empty_cells_are_what_they_are_in_json(tmp_path: Path) -> None:
    day = starter.NOW.date() + datetime.timedelta(days=3)
    table = pa.table(
        {
            "model_id": ["anker-a1289"] * 2,
            "origin": ["JP"] * 2,
            "destination": ["SG"] * 2,
            "airline": pa.array(["SQ"] * 2).dictionary_encode(),
            "quantity": pa.array([2.0, None]),
            "date": pa.array([day, None]),
            "bought": pa.array([starter.NOW, None], pa.timestamp("us", "UTC")),
        }
    )
    parquet.write_table(table, tmp_path / "in.parquet")
    verify(tmp_path / "in.parquet", tmp_path / "out.jsonl", "--keep", "bought")
    asked: list[dict[str, Any]] = [
        {"model_id": "anker-a1289", "quantity": 2, "trip": {**FLIGHT, "date": str(day)}},
        {"model_id": "anker-a1289", "trip": FLIGHT},
    ]
    first, second = lines_of(tmp_path / "out.jsonl")
    assert first.pop("bought").startswith("2026-11-21 09:30:15")
    assert second.pop("bought") is None
    assert [first, second] == asked_one_by_one(asked)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (b"", "MALFORMED_JSON", "The body is empty."),
        (b"{", "MALFORMED_JSON", "Send one JSON object"),
        (b"[]", "VALIDATION_ERROR", "must be a JSON object"),
        (b'{"a": "\xff"}', "MALFORMED_JSON", "Send one JSON object"),
        (b'{"model_id": "a", "model_id": "b"}', "MALFORMED_JSON", "names a field twice"),
        (b'{"a": "' + b"x" * 70_000 + b'"}', "BODY_TOO_LARGE", "64 KiB"),
        (b"[" * 60_000, "MALFORMED_JSON", "nested too deeply"),
    ],
    ids=["empty", "torn", "no object", "not UTF-8", "twice", "huge", "deep"],
)
@pytest.mark.parametrize("kept", [(), ("--keep", "booking")], ids=["plain", "with a column kept"])
def test_a_broken_line_gets_its_error_and_its_neighbors_their_answers(
    tmp_path: Path, line: bytes, code: str, said: str, kept: tuple[str, ...]
) -> None:
    out = tmp_path / "out.jsonl"
    verify(write_lines(tmp_path / "in.jsonl", [QUESTIONS[0], line, QUESTIONS[2]]), out, *kept)
    first, broken, last = lines_of(out)
    assert (first["verdict"], last["verdict"]) == ("allowed", "banned")
    assert broken["code"] == code
    assert said in broken["detail"]
    assert broken["request_id"] == "row-00000002"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"anker-a1289,JP,SG", "It has 3 cells, and there are 4 columns."),
        (b"", "It has 0 cells"),
        (b'anker-a1289,JP,SG,"SQ', "A quotation mark is not closed"),
        (b"anker-a1289,JP,SG,\xff", "It is not UTF-8."),
        (b"x" * 70_000, "longer than 64 KiB"),
    ],
)
def test_a_broken_line_of_csv_gets_its_error_and_its_neighbors_their_answers(
    tmp_path: Path, line: bytes, said: str
) -> None:
    good = b"anker-a1289,JP,SG,SQ"
    (tmp_path / "in.csv").write_bytes(
        b"\xef\xbb\xbf" + b"\r\n".join([b"model_id,origin,destination,airline", good, line, good])
    )
    verify(tmp_path / "in.csv", tmp_path / "out.csv")
    first, broken, last = cells_of(tmp_path / "out.csv")
    assert (first["verdict"], last["verdict"]) == ("allowed", "allowed")
    assert (broken["verdict"], broken["error_code"]) == ("", "VALIDATION_ERROR")
    assert said in broken["error_detail"]


def test_a_byte_order_mark_and_a_missing_last_line_end_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"\xef\xbb\xbf" + json.dumps(QUESTIONS[0]).encode())
    verify(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert lines_of(tmp_path / "out.jsonl") == asked_one_by_one(QUESTIONS[:1])


HEADER = b"model_id,origin,destination,airline"


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("in.jsonl", b"", (), "is empty"),
        ("in.txt", b"x", (), r"must end in \.jsonl, \.csv or \.parquet"),
        ("in.jsonl", "{}".encode("utf-16"), (), "is not UTF-8"),
        ("in.csv", b"model_id,origin,destination\n", (), "has no column `airline`"),
        ("in.csv", HEADER + b",compartment_intend\n", (), "Did you mean `compartment_intent`"),
        ("in.csv", HEADER + b",booking\n", (), "`--keep booking`"),
        ("in.csv", HEADER + b",airline\n", (), "names a column twice: `airline`"),
        ("in.csv", HEADER, ("--keep", "booking"), "has no column `booking`"),
        ("in.csv", b"\xff\n", (), "must name the columns. It is not UTF-8"),
        ("in.parquet", b"PAR1", (), "is not a Parquet file"),
        ("in.jsonl.gz", b"{}", (), "is not a complete gzip file"),
        ("in.jsonl", b"{}", ("--keep", "serial"), "so your column must have another name"),
        ("in.jsonl", b"{}", ("--keep", "verdict"), "so your column must have another name"),
    ],
)
def test_a_file_that_cannot_be_worked_with_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str, content: bytes, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CommandError, match=said):
        verify(tmp_path / name, tmp_path / "out.csv", *options)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_with_columns_and_no_row_has_an_answer_without_rows(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(HEADER + b"\n")
    assert verify(tmp_path / "in.csv", tmp_path / "out.csv").startswith("0 rows")
    assert cells_of(tmp_path / "out.csv") == []


def test_an_output_that_is_there_stays_unless_it_is_to_be_replaced(
    tmp_path: Path, starter_release: Published
) -> None:
    source, out = write_lines(tmp_path / "in.jsonl", QUESTIONS), tmp_path / "out.jsonl"
    out.write_text("mine")
    with pytest.raises(CommandError, match="already exists"):
        verify(source, out)
    assert out.read_text() == "mine"
    verify(source, out, "--restart")
    assert len(lines_of(out)) == len(QUESTIONS)


def test_without_a_queue_no_one_waits_for_workers(tmp_path: Path, settings: Any) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    source = write_lines(tmp_path / "in.jsonl", QUESTIONS)
    with pytest.raises(CommandError, match="There is no queue"):
        verify(source, tmp_path / "out.jsonl", "--queue")
