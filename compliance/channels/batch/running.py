"""A run: from the file of questions to the file of answers, or from where it was interrupted.

One release and one instant answer all rows, however long it takes and whatever is published meanwhile; the
outcome says so. An interrupted run goes on only with the same input, the same columns, the same release and
on the same day (UTC). Anything else would mix answers that do not belong together.
"""

import datetime
import itertools
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from catalog.chunks import actions
from compliance.channels.batch.answering import Answerer, ItineraryAnswerer, line
from compliance.channels.batch.checkpoint import Notebook, Run, digest
from compliance.channels.batch.finishing import finish
from compliance.channels.batch.rows import BadFile, Row, Source, kind_of, open_source
from compliance.channels.batch.sharing import ROWS, Shared
from compliance.channels.batch.worker import KIND, given
from rules import corpus
from rules.corpus import Published

Progress = Callable[[int, float], None]
"""Called with the number of answered rows, and the part of the input that is read, from 0 to 1."""


class Outcome(NamedTuple):
    """The outcome of a run. `superseded_by` is the version that was published meanwhile, if there is one."""

    rows: int
    counts: Counter[str]
    ruleset_version: str
    superseded_by: str | None
    shares: Counter[str]
    resumed_at: int


class Job(NamedTuple):
    """The order of a caller: the input file, the output file, the caller's columns, and how to answer.

    `itineraries` says that the rows are bodies of POST /api/itineraries/verify.
    """

    source: Path
    out: Path
    keep: tuple[str, ...] = ()
    restart: bool = False
    by_workers: bool = False
    itineraries: bool = False

    @property
    def answerer(self) -> type[Answerer]:
        """What answers the rows."""
        return ItineraryAnswerer if self.itineraries else Answerer


def verify_file(job: Job, *, now: datetime.datetime, on_progress: Progress) -> Outcome:
    """Answer all rows of a file. Raises `BadFile`, `ChunkFailed`, `CorpusUnavailable` and `OSError`.

    After an error, the answers so far are kept, and the same call continues after them.
    """
    _check_names(job)
    source, release = open_source(job.source, job.keep), corpus.current()
    notebook = Notebook(job.out)
    try:
        run = _begun(job, notebook, release, now)
        before = job.source.stat()
        resumed_at = notebook.rows
        outcome = _work_off(job, run, notebook, source, release, on_progress)
        after = job.source.stat()
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise BadFile(f"{job.source} was changed while it was read. Start again with `--restart`.")
        notebook.sync()
        run.is_whole = True
        notebook.write(run)
        finish(notebook.part, job.out, run.kind, job.keep)
        notebook.forget()
        return Outcome(
            notebook.rows, notebook.counts, run.ruleset_version, _newer(release), outcome, resumed_at
        )
    finally:
        notebook.close()


def _check_names(job: Job) -> None:
    kinds = {kind_of(job.source), kind_of(job.out)}
    if job.itineraries and kinds != {"jsonl"}:
        raise BadFile("An itinerary is no row of columns: both files must end in .jsonl or .jsonl.gz.")
    if job.itineraries and job.by_workers:
        raise BadFile("Itineraries are answered by this process alone: leave out `--queue`.")
    if job.source.resolve() == job.out.resolve():
        raise BadFile("The output must be another file than the input.")
    for name in job.keep:
        if name in job.answerer.fields:
            raise BadFile(
                f"`{name}` is the name of a column of questions or answers, so your column must "
                "have another name."
            )


def _begun(job: Job, notebook: Notebook, release: Published, now: datetime.datetime) -> Run:
    """Start a run, or continue an existing one."""
    asked = Run(
        run_id=uuid.uuid4().hex,
        input_sha256=digest(job.source),
        release_sha256=release.sha256,
        ruleset_version=release.ruleset_version,
        now=now.isoformat(),
        kind=kind_of(job.out),
        keep=job.keep,
        itineraries=job.itineraries,
    )
    run = notebook.read()
    if run is not None and job.restart:
        actions.end(KIND, key=run.run_id)
        run = None
    if run is None:
        if job.out.exists() and not job.restart:
            raise BadFile(f"{job.out} already exists. Name another file, or replace it with `--restart`.")
        notebook.begin(asked)
        return asked
    _refuse_another(run, asked)
    if not notebook.part.exists():
        if not run.is_whole:
            raise BadFile(f"{notebook.part} is missing. Start again with `--restart`.")
        notebook.forget()
        raise BadFile(f"{job.out} was already complete.")
    notebook.go_on(run, answer_at=len(job.keep))
    return run


def _refuse_another(run: Run, asked: Run) -> None:
    advice = "Start again with `--restart`."
    if run.input_sha256 != asked.input_sha256:
        raise BadFile(f"The input has changed since this run began. {advice}")
    if (run.kind, run.keep) != (asked.kind, asked.keep):
        raise BadFile(f"This run began with other columns. {advice}")
    if run.itineraries != asked.itineraries:
        raise BadFile(f"This run began with `--itineraries`, or without it. {advice}")
    if run.release_sha256 != asked.release_sha256:
        raise BadFile(
            f"This run began with release {run.ruleset_version}, and now {asked.ruleset_version} is current. "
            f"{advice}"
        )
    if run.now[:10] != asked.now[:10]:
        raise BadFile(
            f"This run began on {run.now[:10]}, and a file must not mix the answers of two days. {advice}"
        )


def _work_off(
    job: Job, run: Run, notebook: Notebook, source: Source, release: Published, on_progress: Progress
) -> Counter[str]:
    """Answer the rows that are not answered yet, and return which worker did how many chunks."""
    flat = run.kind != "jsonl"
    now = datetime.datetime.fromisoformat(run.now)
    answerer = job.answerer(release, now=now, flat=flat)
    # Parts begin at the same rows whenever the run goes on.
    number, known = divmod(notebook.rows, ROWS)
    parts = _parts(source.rows(number * ROWS), number)
    shared = Shared(answerer, run.run_id, given(release, now, flat=flat)) if job.by_workers else None
    rows_of, answers_of = itertools.tee(parts) if shared else (parts, None)
    answered = shared.answers(answers_of) if shared and answers_of else None
    for at, rows in rows_of:
        if answered is not None:
            answers = next(answered)[known:]
        else:
            first = at * ROWS + known + 1
            answers = [answerer.answer(row, place) for place, row in enumerate(rows[known:], start=first)]
        lines = [
            line(row, answer, job.keep, flat=flat) for row, answer in zip(rows[known:], answers, strict=True)
        ]
        notebook.append(lines, run.kind, len(job.keep))
        known = 0
        on_progress(notebook.rows, source.share_read())
    if shared:
        actions.end(KIND, key=run.run_id)
        return shared.shares
    return Counter()


def _parts(rows: Iterator[Row], number: int) -> Iterator[tuple[int, Sequence[Row]]]:
    while part := list(itertools.islice(rows, ROWS)):
        yield number, part
        number += 1


def _newer(release: Published) -> str | None:
    """Return the version of the current release if another one answered."""
    # This process follows the ledger while it works.
    current = corpus.current()
    return None if current.sha256 == release.sha256 else current.ruleset_version
