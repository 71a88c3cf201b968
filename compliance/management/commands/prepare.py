"""`manage.py prepare`: brings a database into the state that the service needs."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

# The printed line, and its command. Each one is fast when there is nothing to do.
MIGRATE = ("Migrating the database", ["migrate", "--verbosity", "0"])
ADOPT = ("Signing what was published before", ["release", "adopt", "--unless-signed"])
STEPS = (
    ("Seeding the starter corpus", ["seed"]),
    ("Publishing the first release", ["release", "publish", "--note", "Starter corpus", "--first"]),
    ("Choosing the indexed pages", ["pages", "recompute", "--first"]),
    ("Making the files of the datasets", ["datasets", "keep"]),
)


class Command(BaseCommand):
    """Bring a database up to date; `make run`, `make up` and a deployment begin with it."""

    help = (
        "Migrate the database. If it is empty, fill it: starter corpus, first release, its pages and files."
    )
    # There may be no tables yet that a check could read.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--adopt`."""
        parser.add_argument(
            "--adopt", action="store_true", help="sign releases that are older than the key, if it is new"
        )

    def handle(self, *args: Any, adopt: bool, **options: Any) -> None:
        """Run the steps one by one, and print each."""
        for title, command in (MIGRATE, *([ADOPT] if adopt else []), *STEPS):
            self.stdout.write(title)
            self.stdout.flush()
            call_command(*command, stdout=self.stdout, stderr=self.stderr)
