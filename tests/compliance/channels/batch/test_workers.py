"""Celery workers answer a file together: the same bytes as one, a fair share for each, whoever is killed."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from catalog.chunks import actions
from catalog.models import Chunk, ChunkedWork
from compliance.celery import app
from compliance.channels.batch import running, sharing, worker
from compliance.channels.batch.rows import Row
from compliance.channels.batch.running import Job, Outcome, verify_file
from rules import corpus
from rules.publishing.actions.releases import publish_release
from tests.compliance.channels.batch.files import FLIGHT, SERIAL, lines_of, write_lines
from tests.support import starter
from tests.support.factories import a_user
from tests.support.releasing import NOON
from tests.support.workers import workers
from tests.support.world import build_world

IN_A_CHUNK, CHUNKS = 150, 40
FLIGHTS = [
    {"origin": "XA", "destination": place, "airline": airline}
    for place in ("XA", "XB", "XC")
    for airline in ("N1", "S2", "U3")
]


@pytest.fixture
def _published(committing_db: None, fresh_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small world, which answers; small chunks; and nobody waits long for a worker that was killed."""
    build_world(by=a_user())
    publish_release(by=a_user("publisher"), note="The first.", now=NOON, cases=())
    corpus.current()
    for module in (running, sharing):
        monkeypatch.setattr(module, "ROWS", IN_A_CHUNK)
    app.control.purge()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    questions: list[dict[str, Any]] = []
    for number in range(IN_A_CHUNK * CHUNKS - 7):
        question: dict[str, Any] = {
            "booking": f"B{number}",
            "model_id": ("lynx-27k", "lynx-10k", "unheard-of")[number % 3],
            "quantity": number % 4 + 1,
            "trip": FLIGHTS[number % len(FLIGHTS)],
        }
        questions.append(question | ({"serial": f"{SERIAL}{number}"} if number % 11 == 0 else {}))
    return write_lines(tmp_path / "in.jsonl", questions)


def answered(
    source: Path, out: Path, *, by_workers: bool, on_progress: Callable[..., None] | None = None
) -> Outcome:
    job = Job(source, out, keep=("booking",), by_workers=by_workers)
    return verify_file(job, now=NOON, on_progress=on_progress or (lambda rows, share: None))


@pytest.mark.usefixtures("_published")
def test_two_workers_give_the_bytes_of_one_and_share_fairly(source: Path, tmp_path: Path) -> None:
    here = answered(source, tmp_path / "here.jsonl", by_workers=False)
    seconds, shares = {}, {}
    for count in (1, 2):
        with workers(count, tmp_path / "log"):
            # Once for nothing: each has loaded the release after it.
            answered(source, tmp_path / f"warm-{count}.jsonl", by_workers=True)
            began = time.monotonic()
            outcome = answered(source, tmp_path / f"{count}.jsonl", by_workers=True)
            seconds[count], shares[count] = time.monotonic() - began, outcome.shares
            assert outcome.counts == here.counts
    expected = (tmp_path / "here.jsonl").read_bytes()
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes() == expected
    assert sorted(map(len, shares.values())) == [1, 2]
    assert min(shares[2].values()) >= CHUNKS // 4
    assert not ChunkedWork.objects.exists()
    assert SERIAL not in (tmp_path / "log").read_text()
    print(f"\none worker {seconds[1]:.2f} s, two {seconds[2]:.2f} s: {seconds[2] / seconds[1]:.2f}")


@pytest.mark.usefixtures("_published")
def test_the_chunk_of_a_killed_worker_is_taken_up_and_no_row_is_lost_or_doubled(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PATIENCE", 2.0)
    answered(source, tmp_path / "here.jsonl", by_workers=False)
    # Beside the run, which gives the workers more to do meanwhile.
    with workers(2, tmp_path / "log") as (victim, _), ThreadPoolExecutor() as pool:
        killed = pool.submit(victim.kill_at_work, "catalog_chunk")
        outcome = answered(source, tmp_path / "out.jsonl", by_workers=True)
        killed.result()
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()
    assert outcome.rows == len(lines_of(source))
    assert sum(outcome.shares.values()) == CHUNKS


@pytest.mark.usefixtures("_published")
def test_without_any_worker_the_run_goes_on_by_itself(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PATIENCE", 0.1)
    answered(source, tmp_path / "here.jsonl", by_workers=False)
    outcome = answered(source, tmp_path / "out.jsonl", by_workers=True)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()
    assert set(outcome.shares) == {actions.worker_name()}


class Killed(BaseException):
    """What no code catches."""


@pytest.mark.usefixtures("_published")
def test_a_run_that_was_stopped_collects_what_workers_did_meanwhile(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PATIENCE", 0.0)

    def stop(rows: int, share: float) -> None:
        if rows == 5 * IN_A_CHUNK:
            raise Killed

    with pytest.raises(Killed):
        answered(source, tmp_path / "out.jsonl", by_workers=True, on_progress=stop)
    [work] = ChunkedWork.objects.all()
    while worker.do_one(work.pk):
        pass
    ready = Chunk.objects.filter(number__gte=5).count()
    assert ready > sharing.WINDOW // 2
    done: list[bytes] = []
    do = worker._do

    def counted(given: Any, task: bytes) -> bytes:
        done.append(task)
        return do(given, task)

    monkeypatch.setattr(worker, "_do", counted)
    answered(source, tmp_path / "out.jsonl", by_workers=True)
    assert len(done) == CHUNKS - 5 - ready
    answered(source, tmp_path / "here.jsonl", by_workers=False)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


@pytest.mark.usefixtures("_published")
def test_chunks_hold_neither_serials_nor_what_callers_keep(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    hand_out = actions.hand_out

    def hand_out_to(work: ChunkedWork, first: int, *tasks: bytes) -> None:
        seen.extend(worker.unpack(task) for task in tasks)
        hand_out(work, first, *tasks)

    monkeypatch.setattr(actions, "hand_out", hand_out_to)
    monkeypatch.setattr(sharing, "PATIENCE", 0.0)
    answered(source, tmp_path / "out.jsonl", by_workers=True)
    assert len(seen) == CHUNKS
    assert not [task for task in seen if SERIAL.encode() in task or b"B1" in task]


def test_only_a_question_that_certainly_holds_no_serial_leaves_this_process() -> None:
    release = starter.starter_release()

    def leaves(body: bytes) -> bool:
        return sharing.may_leave(Row(body, {}), release)

    plain = {"model_id": "anker-a1289", "trip": {**FLIGHT, "transit": []}, "options": {"language": "de"}}
    assert leaves(msgspec.json.encode(plain))
    assert leaves(msgspec.json.encode({**plain, "ruleset_version": release.ruleset_version}))
    for more in (
        {"serial": SERIAL},
        {"serial_hash": "0" * 64},
        {"sn": SERIAL},
        {"model_id": SERIAL},
        {"ccc_mark": SERIAL},
        {"ruleset_version": SERIAL},
        {"options": {"language": SERIAL}},
        {"options": {"serial": SERIAL}},
        {"trip": {**FLIGHT, "airline": SERIAL}},
        {"trip": {**FLIGHT, "date": SERIAL}},
        {"trip": {**FLIGHT, "transit": [SERIAL]}},
        {"trip": {**FLIGHT, "serial": SERIAL}},
    ):
        assert not leaves(msgspec.json.encode({**plain, **more})), more
    twice = (
        b'{"serial":"X","model_id":"anker-a1289","trip":{"origin":"JP","destination":"SG","airline":"SQ"}}'
    )
    assert not leaves(twice)
    assert not leaves(twice.replace(b"serial", b"s\\u0065rial"))
    assert not leaves(b"\xff" + msgspec.json.encode(plain))
    assert not leaves(b"")


@pytest.mark.usefixtures("_published")
def test_a_chunk_that_cannot_be_answered_stops_the_run_with_a_sentence(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PATIENCE", 0.0)
    with monkeypatch.context() as broken:
        broken.setattr(worker, "_do", lambda given, task: 1 / 0)
        with pytest.raises(actions.ChunkFailed, match="ZeroDivisionError in a chunk"):
            answered(source, tmp_path / "out.jsonl", by_workers=True)
    # Without workers the same run goes on.
    assert answered(source, tmp_path / "out.jsonl", by_workers=False).rows == len(lines_of(source))


def test_abandoned_work_is_forgotten(db: None) -> None:
    work = actions.begin("a job", "old", {}, now=NOON)
    actions.hand_out(work, 0, b"a", b"b")
    assert actions.forget_before(NOON) == 0
    assert actions.begin("a job", "old", {"other": 1}, now=NOON) == work
    assert actions.forget_before(NOON.replace(hour=13)) == 1
    assert not Chunk.objects.exists()
