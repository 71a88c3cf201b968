"""Files of itineraries become files of answers: those of the API, row by row, without any serial."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError
from django.test import Client

from compliance.channels.batch.running import Job, verify_file
from tests.compliance.channels.batch.files import QUESTIONS, SERIAL, lines_of, verify, write_lines
from tests.support import starter
from tests.support.api_requests import ITINERARIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starter_release", "_noon")]

SEGMENT = {"origin": "DXB", "destination": "GB", "operating_airline": "EK"}
INTACT = {"model_id": "anker-a1289", "condition": "intact", "capacity_label": "legible"}
ASKED: list[dict[str, Any]] = [
    {"items": [INTACT], "segments": [SEGMENT]},
    {"items": [INTACT, INTACT], "segments": [SEGMENT]},
    {"items": [INTACT, {"label": {"watt_hour": 74}}], "passengers": 2, "segments": [SEGMENT]},
    {
        "items": [{"model_id": "anker-a1263", "serial": SERIAL}],
        "segments": [{"origin": "US", "destination": "GB", "operating_airline": "BA"}],
        "options": {"language": "de"},
    },
    {"items": [INTACT], "segments": [{**SEGMENT, "operating_airline": "ZZ"}]},
    {"items": [{"model_id": "nobody-knows"}], "segments": [SEGMENT]},
    {"items": [{**INTACT, "sn": SERIAL}], "segments": [SEGMENT]},
    {"items": [{**INTACT, "quantity": 20}] * 3, "segments": [SEGMENT] * 7},
    QUESTIONS[0],
]


@pytest.fixture
def _noon() -> Iterator[None]:
    with time_machine.travel(starter.NOW, tick=False):
        yield


def asked_one_by_one(questions: list[dict[str, Any]]) -> list[Any]:
    """Return what the API answers, without what it says about serials."""
    client = Client()
    answers = []
    for number, question in enumerate(questions, start=1):
        headers = {"X-Request-ID": f"row-{number:08}"}
        answer = client.post(ITINERARIES, question, "application/json", headers=headers).json()
        for item in answer.get("items", ()):
            for recall in item.get("device_resolved", {}).get("recalls", ()):
                recall.pop("serial_evaluation", None)
        answers.append(answer)
    return answers


def test_every_row_is_answered_as_the_api_answers_it_in_the_same_order(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    said = verify(write_lines(tmp_path / "in.jsonl", ASKED), out, "--itineraries")
    answers = lines_of(out)
    assert answers == asked_one_by_one(ASKED)
    assert [answer.get("verdict") or answer["code"] for answer in answers] == [
        *("allowed", "banned", "conditional", "conditional", "insufficient"),
        *("MODEL_NOT_FOUND", "VALIDATION_ERROR", "QUESTION_TOO_LARGE", "VALIDATION_ERROR"),
    ]
    assert "9 rows by release 2026-11-20" in said


def test_a_serial_decides_and_is_repeated_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    out = tmp_path / "out.jsonl"
    said = verify(write_lines(tmp_path / "in.jsonl", ASKED), out, "--itineraries")
    [item] = lines_of(out)[3]["items"]
    assert item["device_resolved"]["recall_status"] == "external_check_required"
    for kept in (out.read_text(), said, caplog.text):
        assert SERIAL not in kept


def test_columns_of_the_caller_are_copied_unless_questions_or_answers_have_their_names(
    tmp_path: Path,
) -> None:
    rows = [{"booking": f"B{number}", **question} for number, question in enumerate(ASKED)]
    source, out = write_lines(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    verify(source, out, "--itineraries", "--keep", "booking")
    answers = asked_one_by_one(ASKED)
    assert lines_of(out) == [{"booking": f"B{at}", **answer} for at, answer in enumerate(answers)]
    for name in ("items", "passengers", "packing"):
        with pytest.raises(CommandError, match="so your column must have another name"):
            verify(source, tmp_path / "other.jsonl", "--itineraries", "--keep", name)


@pytest.mark.parametrize(
    ("source", "out", "options", "said"),
    [
        ("in.jsonl", "out.csv", (), r"both files must end in \.jsonl"),
        ("in.csv", "out.jsonl", (), r"both files must end in \.jsonl"),
        ("in.jsonl", "out.jsonl", ("--queue",), "leave out `--queue`"),
    ],
)
def test_an_itinerary_is_neither_a_row_of_columns_nor_a_chunk_for_workers(
    tmp_path: Path, settings: Any, source: str, out: str, options: tuple[str, ...], said: str
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    write_lines(tmp_path / source, ASKED)
    with pytest.raises(CommandError, match=said):
        verify(tmp_path / source, tmp_path / out, "--itineraries", *options)
    assert [path.name for path in tmp_path.iterdir()] == [source]


class Killed(BaseException):
    """What no code catches."""


def test_a_run_that_was_stopped_goes_on_as_what_it_was(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("compliance.channels.batch.running.ROWS", 3)
    source, out = write_lines(tmp_path / "in.jsonl", ASKED), tmp_path / "out.jsonl"

    def stop(rows: int, share: float) -> None:
        if rows == 6:
            raise Killed

    with pytest.raises(Killed):
        verify_file(Job(source, out, itineraries=True), now=starter.NOW, on_progress=stop)
    with pytest.raises(CommandError, match="began with `--itineraries`"):
        verify(source, out)
    assert "Continued after 6 rows" in verify(source, out, "--itineraries")
    assert lines_of(out) == asked_one_by_one(ASKED)
