"""`manage.py datasets keep | list`: the files of the datasets, release by release."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from aeo.datasets import actions
from aeo.datasets.models import DatasetFile


class Command(BaseCommand):
    """Keep the files of the datasets."""

    help = "Make the files of the releases that have none yet, or list those that are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommands."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subcommands.add_parser(
            "keep", help="make the files of every release since the last one that has them"
        )
        subcommands.add_parser("list", help="list the files with their checksums, the newest release first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        if options["subcommand"] == "list":
            for file in DatasetFile.objects.defer("gzipped"):
                self.stdout.write(f"{file.sha256}  {file.size_bytes:>10}  {file.path}")
            return
        kept = actions.keep_datasets()
        self.stdout.write(
            f"Files were made of {', '.join(kept)}." if kept else "Every release has its files."
        )
