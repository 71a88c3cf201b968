"""`manage.py watch run | status`: visit the pages that rules rest on, and print the state of the watch."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from catalog.fetching import Fetcher, policy_from_settings
from catalog.jobs.actions import AlreadyRunning
from catalog.jobs.counts import in_words
from rules.watch import status
from rules.watch.rounds import watch_due_pages

ROUND_SECONDS = 600
"""The longest round of a continuous run. Then the next one begins, and the outcome is visible."""

WAIT_SECONDS = 30
"""Between two rounds."""


class Command(BaseCommand):
    """Watch sources by hand, or as a process of its own if there is no Redis."""

    help = "Visit the pages on which rules depend, or show the status of these visits."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        run = subcommands.add_parser("run", help="visit the pages that are due, and continue until stopped")
        run.add_argument("--once", action="store_true", help="end when no page is due")
        subcommands.add_parser(
            "status", help="show what is watched, what is due, and what waits for an editor"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        if options["subcommand"] == "status":
            for line in status.lines(timezone.now()):
                self.stdout.write(line)
            return
        # One fetcher for all rounds: it knows what each robots.txt says.
        with Fetcher(policy_from_settings()) as fetcher:
            self._run(fetcher, once=options["once"])

    def _run(self, fetcher: Fetcher, *, once: bool) -> None:
        while True:
            try:
                counts = watch_due_pages(fetcher, seconds=ROUND_SECONDS)
            except AlreadyRunning:
                if once:
                    raise CommandError("The watch is already running in another process.") from None
                counts = {}
            if counts:
                self.stdout.write(f"{timezone.now():%Y-%m-%d %H:%M} UTC: {in_words(counts)}.")
            elif once:
                self.stdout.write("Nothing is due.")
                return
            else:
                time.sleep(WAIT_SECONDS)
