"""Many verdicts in bulk: `manage.py verify-batch` alone, and with one and two Celery workers."""

import contextlib
import csv
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bench import release
from bench.questions import real_questions
from bench.report import Disagreement, say
from bench.scale.kept import Figures
from compliance.services.embedded import REPOSITORY
from rules.engine.document import Content, decode
from rules.engine.facts import Question

WORKERS = (0, 1, 2)
START_SECONDS = 300
OUTCOME = re.compile(r"in ([0-9.]+) s: (.*)\.$", re.MULTILINE)


def measure(count: int, folder: Path) -> Figures:
    """Answer a file of so many questions with each number of workers. They must answer the same."""
    with release.published() as document:
        os.environ["REDIS_URL"] = os.environ["BENCH_REDIS_URL"]
        source = folder / "questions.csv"
        _write(source, decode(document).content, count)
        seconds, answered = [], set()
        for workers in WORKERS:
            with _working(workers):
                took, counts = _answer(source, folder / "answers.parquet", queue=workers > 0)
            say(f"  {workers} workers: {took:.1f} s")
            seconds.append(took)
            answered.add(counts)
    if len(answered) > 1:
        raise Disagreement(f"workers answer otherwise than the command alone: {answered}")
    alone, one, two = seconds
    return {
        "the command alone, s": alone,
        "with one worker, s": one,
        "with two workers, s": two,
        "alone, verdicts a second": count / alone,
        "with two workers, verdicts a second": count / two,
    }


def _write(file: Path, content: Content, count: int) -> None:
    questions = islice(real_questions(content, 6), count)
    with file.open("w", newline="") as opened:
        rows = (_row(question) for question in questions)
        first = next(rows)
        writer = csv.DictWriter(opened, first)
        writer.writeheader()
        writer.writerow(first)
        writer.writerows(rows)


def _row(question: Question) -> dict[str, object]:
    """Return a question as a row. Serials are left out: workers answer no row that has one."""
    unit, leg = question.unit, question.leg
    return {
        "model_id": unit.model_id,
        "quantity": unit.quantity,
        "ccc_mark": unit.ccc_mark,
        "capacity_label": unit.capacity_label,
        "condition": unit.condition,
        "origin": leg.origin,
        "destination": leg.destination,
        "airline": leg.airline,
        "compartment_intent": question.compartment_intent,
        "date": question.travel_date,
    }


def _answer(source: Path, out: Path, *, queue: bool) -> tuple[float, str]:
    """Run the command. Returns its seconds without its start, and how many answers of each kind it gave."""
    done = subprocess.run(
        [
            sys.executable,
            "manage.py",
            "verify-batch",
            source,
            out,
            "--restart",
            *(["--queue"] if queue else []),
        ],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found = OUTCOME.search(done.stdout)
    if found is None:
        raise RuntimeError(f"the command said {done.stdout!r}")
    return float(found[1]), found[2]


@contextlib.contextmanager
def _working(count: int) -> Iterator[None]:
    """Run so many workers of one process each, from when all of them answer until the block ends."""
    names = [f"bench-{number}@localhost" for number in range(count)]
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(_worker(name))
        until = time.monotonic() + START_SECONDS
        while names and _celery("inspect", "ping", f"--destination={','.join(names)}").wait():
            if time.monotonic() > until:
                raise RuntimeError("the workers do not answer")
        yield


@contextlib.contextmanager
def _worker(name: str) -> Iterator[None]:
    quiet = ("--loglevel=WARNING", "--without-mingle", "--without-gossip")
    with _celery("worker", "--pool=solo", f"--hostname={name}", *quiet) as process:
        try:
            yield
        finally:
            process.terminate()


def _celery(*words: str) -> "subprocess.Popen[bytes]":
    """Start a command of Celery, which ends with this process."""
    return subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", sys.executable, "-m", "celery", "--app=compliance", *words],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
