"""`manage.py restore FILE`: fill a new, empty database from a backup, and check the result."""

import os
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.services import ServiceError, backups
from rules.models import Release
from rules.publishing.verifying import verify_all
from rules.releases import head
from rules.releases.head import Head


class Command(BaseCommand):
    """Restore a backup."""

    help = "Fill a new, empty database from a backup, and verify its ledger of releases."
    # There are no tables yet that a check could read.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, bring the tables up to this version of the program, verify, print the current release."""
        try:
            backups.restore(os.environ["DATABASE_URL"], options["file"])
        except ServiceError as error:
            raise CommandError(str(error)) from error
        # A backup may be older than the program.
        call_command("migrate", verbosity=0)
        if damage := verify_all(is_whole=False):
            lines = [f"  {problem.where}: {problem.reason}" for problem in damage]
            raise CommandError("\n".join(["The backup is restored, but its ledger is damaged:", *lines]))
        current = Release.objects.without_document().current()
        if current is not None:
            # The operator has chosen this one, even if a later release is lost.
            head.note(Head(current.sequence, current.sha256))
        self.stdout.write(f"Restored. Release {current} is current, and the ledger is intact and signed.")
