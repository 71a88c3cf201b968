"""`manage.py verify-batch IN OUT`: the answers to a file of questions."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from catalog.chunks.actions import ChunkFailed
from compliance.channels.batch.rows import BadFile
from compliance.channels.batch.running import Job, Outcome, verify_file
from rules.corpus import CorpusUnavailable

BAR_CHARACTERS = 30
SECONDS_BETWEEN_BARS, SECONDS_BETWEEN_LINES = 0.2, 10
INTERRUPTED = 130


class Command(BaseCommand):
    """Answer a file of questions."""

    help = (
        "Answer each row of a file like POST /api/verify, or POST /api/itineraries/verify. After a stop, the "
        "same command continues."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the files and the options."""
        parser.add_argument("source", type=Path, metavar="IN", help="a .jsonl, .csv or .parquet file")
        parser.add_argument(
            "out", type=Path, metavar="OUT", help="the file to write; its ending gives the format"
        )
        parser.add_argument(
            "--keep",
            action="append",
            default=[],
            metavar="COLUMN",
            help="copy a column of the input, such as a booking id, to the output; repeat for more",
        )
        parser.add_argument(
            "--itineraries",
            action="store_true",
            help="the rows are itineraries, as JSON Lines; answer each like POST /api/itineraries/verify",
        )
        parser.add_argument("--queue", action="store_true", help="let Celery workers answer, chunk by chunk")
        parser.add_argument(
            "--restart", action="store_true", help="start again and replace the existing output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it, and print the outcome."""
        if options["queue"] and settings.CELERY_TASK_ALWAYS_EAGER:
            raise CommandError("There is no queue. Set REDIS_URL and start workers, or leave out `--queue`.")
        keep = tuple(dict.fromkeys(options["keep"]))
        job = Job(
            options["source"],
            options["out"],
            keep,
            restart=options["restart"],
            by_workers=options["queue"],
            itineraries=options["itineraries"],
        )
        progress = _Progress(self)
        try:
            outcome = verify_file(job, now=timezone.now(), on_progress=progress)
        except (BadFile, CorpusUnavailable, OSError) as error:
            raise CommandError(str(error)) from error
        except ChunkFailed as error:
            raise CommandError(
                f"The workers cannot continue: {error}. Run it again without `--queue`."
            ) from error
        except KeyboardInterrupt:
            progress.end()
            self.stderr.write(f"Stopped after {progress.rows:,} rows. The same command continues.")
            raise SystemExit(INTERRUPTED) from None
        progress.end()
        self._print_outcome(outcome, progress)

    def _print_outcome(self, outcome: Outcome, progress: "_Progress") -> None:
        if outcome.resumed_at:
            self.stdout.write(f"Continued after {outcome.resumed_at:,} rows.")
        counts = ", ".join(f"{count:,} {said}" for said, count in outcome.counts.most_common())
        self.stdout.write(
            f"{outcome.rows:,} rows by release {outcome.ruleset_version} in {progress.seconds:.1f} s"
            f"{': ' if counts else ''}{counts}."
        )
        for worker, share in sorted(outcome.shares.items()):
            self.stdout.write(f"  {worker}: {share} chunks")
        if outcome.superseded_by:
            self.stdout.write(
                f"Release {outcome.superseded_by} was published meanwhile. All rows are answered by "
                f"{outcome.ruleset_version}, the release at the start of the run."
            )


class _Progress:
    """A bar on a terminal, else a line from time to time."""

    def __init__(self, command: Command) -> None:
        self.rows, self._first = 0, 0
        self._command, self._terminal = command, command.stderr.isatty()
        self._began = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def __call__(self, rows: int, share: float) -> None:
        if not self.rows:
            self._first = rows
        self.rows, now = rows, time.monotonic()
        pause = SECONDS_BETWEEN_BARS if self._terminal else SECONDS_BETWEEN_LINES
        if now - self._last < pause:
            return
        self._last = now
        speed = f"{(rows - self._first) / self.seconds:,.0f} rows/s"
        if self._terminal:
            bar = "#" * round(share * BAR_CHARACTERS)
            line = f"[{bar:<{BAR_CHARACTERS}}] {share:4.0%}  {rows:,} rows  {speed}"
            self._command.stderr.write(f"\r{line:<78}", ending="")
        else:
            self._command.stderr.write(f"{rows:,} rows, {share:.0%} of the input, {speed}")

    def end(self) -> None:
        """End the line of the bar."""
        if self._terminal:
            self._command.stderr.write("")
