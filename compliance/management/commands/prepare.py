"""`manage.py prepare`: what a database needs before the service can answer from it."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

# What is printed, and the command it stands for. Each one is quick when there is nothing to do.
STEPS = (
    ("Migrating the database", ["migrate", "--verbosity", "0"]),
    ("Seeding the starter corpus", ["seed"]),
    ("Publishing the first release", ["release", "publish", "--note", "Starter corpus", "--first"]),
    ("Working out the indexed pages", ["pages", "recompute", "--first"]),
    ("Making the files of the datasets", ["datasets", "keep"]),
)


class Command(BaseCommand):
    """Bring a database up to date; `make run`, `make up` and a deployment begin with it."""

    help = "Migrate, and fill a database that is empty: starter corpus, first release, its pages and files."
    # There may be no tables yet that a check could look at.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Take the steps one by one, and say each."""
        for title, command in STEPS:
            self.stdout.write(title)
            self.stdout.flush()
            call_command(*command, stdout=self.stdout, stderr=self.stderr)
