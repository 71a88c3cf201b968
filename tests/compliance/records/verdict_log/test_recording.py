"""What is written down of a verdict before it leaves, and what happens where that cannot be done."""

import logging
import os
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from compliance.records.verdict_log import entries, spool
from compliance.records.verdict_log.backlog import backlog
from compliance.records.verdict_log.entries import Entry
from compliance.records.verdict_log.recording import NotRecorded, record
from compliance.records.verdict_log.spool import LINE_BYTES, SEGMENT_BYTES
from rules.engine.verdict_ids import canonical
from rules.verdicts import Answer
from tests.compliance.records.verdict_log.answers import HASH, SERIAL, UNIT, a_leg, a_trip
from tests.support.api_requests import TRIPS, VERIFY, a_request, post
from tests.support.api_requests import a_trip as a_trip_request
from tests.support.starter import NOW


def written(folder: Path) -> list[Entry]:
    """Return what lies on the disk, as another process reads it."""
    data = b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))
    found, unreadable = entries.read(data)
    assert unreadable == 0
    return found


def test_an_entry_says_what_the_answer_says(folder: Path) -> None:
    answer = a_leg()
    record(answer, channel="api", language="ja", partner="btk_k3vq7m2a")
    (entry,) = written(folder)
    assert (entry.verdict_id, entry.kind, entry.channel) == (answer.verdict_id, "leg", "api")
    assert bytes(entry.question) == canonical(answer.question)
    assert (entry.release_sha256, entry.ruleset_version) == (
        answer.release.sha256,
        answer.release.ruleset_version,
    )
    assert (entry.verdict, entry.language, entry.partner) == ("allowed", "ja", "btk_k3vq7m2a")
    assert (entry.generated, entry.expires) == (answer.generated_at, answer.expires_at)
    assert (entry.serial_given, entry.recall_status) == ("none", "not_affected")


def test_a_trip_is_one_entry_with_the_ids_of_its_flights(folder: Path) -> None:
    for answer in (a_trip(), a_trip("ZZ", "ZZ")):
        record(answer, channel="page", language="en")
    covered, uncovered = written(folder)
    assert (covered.kind, len(covered.segment_ids)) == ("trip", 2)
    assert covered.recall_status == "not_affected"
    assert uncovered.recall_status == ""
    assert uncovered.verdict == "insufficient"


@pytest.mark.parametrize(
    ("described", "given"),
    [({}, "none"), ({"serial": SERIAL}, "serial"), ({"serial_hash": HASH}, "hash")],
)
def test_that_a_serial_came_along_is_recorded_and_the_serial_is_not(
    folder: Path, described: dict[str, Any], given: str
) -> None:
    unit = msgspec.structs.replace(UNIT, model_id="anker-a1263")
    record(a_leg(unit, **described), channel="api", language="en")
    assert [entry.serial_given for entry in written(folder)] == [given]
    data = b"".join(path.read_bytes() for path in folder.iterdir())
    assert SERIAL.encode() not in data
    assert HASH.encode() not in data


@pytest.mark.usefixtures("starter_release")
@time_machine.travel(NOW, tick=False)
def test_every_verdict_of_the_api_and_of_the_checker_is_written_down_under_the_id_it_shows(
    folder: Path,
) -> None:
    client = Client()
    leg = post(client, VERIFY, a_request(options={"language": "de"})).json()["verdict_id"]
    trip = post(client, TRIPS, a_trip_request()).json()["trip_verdict_id"]
    check = client.get("/ja/check?model=anker-a1289&airline=SQ&from=JP&to=SG")
    stops = client.get("/trip?model=anker-a1289&from=JP&to=SG&airline=SQ", follow=True)
    card = client.get("/card?model=anker-a1289&from=JP&to=SG&airline=SQ", follow=True)
    found = written(folder)
    assert [(entry.verdict_id, entry.channel, entry.language) for entry in found[:2]] == [
        (leg, "api", "de"),
        (trip, "api", "en"),
    ]
    assert [(entry.kind, entry.channel, entry.language) for entry in found[2:]] == [
        ("leg", "page", "ja"),
        ("trip", "page", "en"),
        ("trip", "page", "en"),
    ]
    for page, entry in zip((check, stops, card), found[2:], strict=True):
        assert entry.verdict_id in page.content.decode()


@pytest.mark.usefixtures("starter_release")
def test_what_gives_no_verdict_is_not_written_down(folder: Path) -> None:
    client = Client()
    assert post(client, VERIFY, a_request(model_id="none")).status_code == 404
    for path in (
        "/",
        "/trip",
        "/check?model=anker-a1289",
        # Guidance for a label has no id.
        "/check?wh=74&airline=SQ&from=JP&to=SG",
    ):
        client.get(path)
    client.head("/check?model=anker-a1289&airline=SQ&from=JP&to=SG")
    assert not folder.exists() or written(folder) == []


def test_threads_write_whole_lines_and_ids_that_never_come_twice(folder: Path) -> None:
    answer = a_trip()
    each = 4 * SEGMENT_BYTES // len(entries.line(answer, "api", "en", "")) // 8

    def write() -> None:
        for _ in range(each):
            record(answer, channel="api", language="en")

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = written(folder)
    assert len({entry.entry_id for entry in found}) == len(found) == 8 * each
    assert len(list(folder.iterdir())) > 1


def test_a_line_that_broke_off_does_not_spoil_the_next_one(folder: Path) -> None:
    whole = entries.line(a_leg(), "api", "en", "")
    for cut in range(1, len(whole)):
        found, unreadable = entries.read(whole[:cut] + whole)
        assert (len(found), unreadable) == (1, int(cut > 1))


# --- Where there is no room ---


def fill(answer: Answer, *, refused: bool) -> int:
    """Record until something is lost or refused, and return how many were written before."""
    for count in range(10_000):
        try:
            record(answer, channel="api", language="en")
        except NotRecorded:
            assert refused
            return count
        if backlog().lost:
            assert not refused
            return count
    raise AssertionError("there was always room")


@pytest.fixture
def small(settings: Settings) -> Settings:
    """A spool for some hundred lines."""
    settings.VERDICT_SPOOL_MAX_BYTES = 64 * 1024
    return settings


def test_where_the_spool_is_full_an_answer_is_given_and_the_loss_is_said_once_a_minute(
    folder: Path, small: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    small.VERDICT_LOG_FULL = "answer"
    count = fill(a_leg(), refused=False)
    for _ in range(10):
        record(a_leg(), channel="api", language="en")
    assert len(written(folder)) == count > 50
    assert (backlog().lost, backlog().is_full) == (11, True)
    assert [(one.levelno, "given without a record" in one.message) for one in caplog.records] == [
        (logging.CRITICAL, True)
    ]


@pytest.mark.usefixtures("starter_release")
@time_machine.travel(NOW, tick=False)
def test_where_the_spool_is_full_and_the_setting_says_so_no_verdict_is_given(
    folder: Path, small: Settings
) -> None:
    small.VERDICT_LOG_FULL = "refuse"
    count = fill(a_leg(), refused=True)
    client = Client(headers={"accept": "text/html"})
    refused = post(Client(), VERIFY, a_request())
    assert (refused.status_code, refused.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert int(refused["Retry-After"]) > 0
    page = client.get("/check?model=anker-a1289&airline=SQ&from=JP&to=SG")
    assert (page.status_code, "Retry-After" in page) == (503, True)
    assert len(written(folder)) == count
    assert backlog().lost == 0


def test_where_the_disk_refuses_it_is_as_if_the_spool_were_full_until_it_takes_lines_again(
    folder: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file where the folder should be")
    record(a_leg(), channel="api", language="en")
    assert (backlog().lost, backlog().is_full) == (1, True)
    settings.VERDICT_LOG_FULL = "refuse"
    with pytest.raises(NotRecorded):
        record(a_leg(), channel="api", language="en")
    folder.unlink()
    record(a_leg(), channel="api", language="en")
    assert len(written(folder)) == 1
    assert not backlog().is_full
    # The folder may stand for a person; its name is no part of what is logged.
    assert str(folder) not in caplog.text


def test_a_disk_that_is_full_in_the_middle_of_a_line_loses_that_line_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(a_leg(), channel="api", language="en")
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda handle, line: write(handle, line[:100]))
        record(a_leg(), channel="api", language="en")
    record(a_leg(), channel="api", language="en")
    data = b"".join(path.read_bytes() for path in folder.iterdir())
    found, unreadable = entries.read(data)
    assert (len(found), unreadable, backlog().lost) == (2, 1, 1)


def test_room_that_others_made_is_found_again(folder: Path, small: Settings) -> None:
    fill(a_leg(), refused=False)
    for segment in spool.spool().take():
        segment.remove()
    spool.spool().measure()
    assert not backlog().is_full
    record(a_leg(), channel="api", language="en")
    assert len(written(folder)) == 1


def test_the_longest_trip_is_shorter_than_the_room_that_is_kept_for_a_line() -> None:
    answer = a_trip()
    nine = msgspec.structs.replace(answer.question, legs=answer.question.legs * 5)
    longest = msgspec.structs.replace(answer, question=nine, segment_ids=answer.segment_ids * 5)
    assert len(entries.line(longest, "page", "zh-hant", "btk_k3vq7m2a")) < LINE_BYTES
