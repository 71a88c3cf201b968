"""`manage.py backup FOLDER [--keep 14]`: one file with the whole database, while it is in use."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.services import ServiceError, backups


class Command(BaseCommand):
    """Write a backup."""

    help = "Write a backup of the database into a folder, with a checksum file next to it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the folder, and how many backups stay in it."""
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--keep",
            type=int,
            help="keep this number of the newest backups and remove the others (default: remove none)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it, and print its name."""
        if options["keep"] is not None and options["keep"] < 1:
            raise CommandError("--keep must be 1 or more: the newest backup always stays.")
        try:
            file = backups.make(
                os.environ["DATABASE_URL"], options["folder"], now=timezone.now(), keep=options["keep"]
            )
        except ServiceError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(file))
