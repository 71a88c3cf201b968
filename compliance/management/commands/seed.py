"""`manage.py seed`: load the starter corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compliance.starter_corpus.files import STARTER_CORPUS, CannotLoad
from compliance.starter_corpus.seeding import Loaded, load, load_first_cases
from rules.models import Release


class Command(BaseCommand):
    """Loads files of records into the editors' tables, as approved rows. Loading twice changes nothing."""

    help = (
        "Load the starter corpus, or another folder of such files. Existing records stay "
        "unchanged. If a release is already published, nothing is loaded but the verdict cases, and these "
        "only if none was ever recorded: use `corpus update` to propose what is new."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add `--from`."""
        parser.add_argument(
            "--from",
            dest="folder",
            type=Path,
            default=STARTER_CORPUS,
            metavar="DIR",
            help="the folder with the files (default: the starter corpus of the project)",
        )

    def handle(self, *, folder: Path, **options: Any) -> None:
        """Load, and print one line with the result of each file."""
        if release := Release.objects.without_document().current():
            # Loaded rows count as approved, so the next release would contain them without a review.
            self.stdout.write(
                f"Release {release} is published, so nothing is loaded. "
                "`manage.py corpus update` shows what is new in the files."
            )
        try:
            loaded = [load_first_cases(folder)] if release else load(folder)
        except CannotLoad as error:
            raise CommandError(f"{error} Nothing was loaded.") from error
        for file in filter(None, loaded):
            self.stdout.write(_line(file))


def _line(file: Loaded) -> str:
    counts = [f"{count} {word}" for count, word in [(len(file.new), "new"), (file.kept, "kept")] if count]
    line = f"{file.name}: {', '.join(counts) or 'no rows'} ({file.seconds:.1f} s)"
    if file.differing:
        line += f"; kept unchanged, although the file differs: {', '.join(file.differing)}"
    return line
