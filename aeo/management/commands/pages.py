"""`manage.py pages recompute | list`: which verdict pages are indexed, and when each last changed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from aeo import editions
from aeo.discovery import actions
from aeo.page_records.models import IndexedPage, Recomputation
from rules.corpus import CorpusUnavailable


class Command(BaseCommand):
    """Keep the records of indexed pages."""

    help = "Work out anew which verdict pages are indexed, or list those that are."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommands."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        recompute = subcommands.add_parser(
            "recompute", help="bring the records in line with the current release"
        )
        recompute.add_argument(
            "--first", action="store_true", help="do nothing where that was done at any time before"
        )
        subcommands.add_parser("list", help="list the indexed pages, the most important first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        if options["subcommand"] == "list":
            for page in IndexedPage.objects.all():
                self.stdout.write(f"{page.rank:>5}  {page.last_changed:%Y-%m-%d %H:%M}  {page.path}")
            return
        if options["first"] and Recomputation.objects.exists():
            self.stdout.write("The indexed pages were worked out before.")
            return
        now = timezone.now()
        try:
            done = actions.recompute_pages(edition=editions.current(now), now=now)
        except CorpusUnavailable as error:
            raise CommandError(f"There is nothing to make pages of: {error}.") from error
        self.stdout.write(f"{done.pages} pages are indexed; {done.changed} of them are new or changed.")
