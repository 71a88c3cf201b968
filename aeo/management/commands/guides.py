"""`manage.py guides check`: which guides the current release withholds, and why."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from aeo import editions, guides
from rules.corpus import CorpusUnavailable


class Command(BaseCommand):
    """Check the guides."""

    help = "Ask the current release every question whose answer a guide states."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the one subcommand."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subcommands.add_parser(
            "check", help="list the guides that are held back; the exit status is 1 if any is"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand."""
        try:
            checked = guides.check(editions.current(timezone.now()))
        except CorpusUnavailable as error:
            raise CommandError(f"There is nothing to check against: {error}.") from error
        withheld = [one for one in checked.values() if not one.holds]
        for one in withheld:
            self.stdout.write(f"{one.guide.slug} is held back:")
            for reason in one.reasons:
                self.stdout.write(f"  {reason}")
        self.stdout.write(f"{len(checked) - len(withheld)} of {len(checked)} guides are shown.")
        if withheld:
            raise CommandError("Revise the guides that are held back, or the rules that changed.")
