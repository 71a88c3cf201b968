"""`manage.py corpus check | impact | update`: problems of the rows, and the effect of changes."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.starter_corpus import summary
from compliance.starter_corpus.actions import propose
from compliance.starter_corpus.comparing import Compared, compare
from compliance.starter_corpus.files import STARTER_CORPUS, CannotLoad
from rules.analysis.checks import KINDS, Finding
from rules.analysis.open_findings import current_findings
from rules.corpus import CorpusUnavailable, current
from rules.engine.corpus import Corpus
from rules.engine.document import problems
from rules.impact.sample_words import asked_in_words
from rules.impact.survey import Result, Rows, Sample, Survey, Tally, add, result_of, tally
from rules.next_release import compile_content

MOST_LISTED = 10


class Command(BaseCommand):
    """Check the approved rows before they are published, and propose the content of a newer corpus."""

    help = (
        "Analyze the approved rows, compare their verdicts with those of the current release, "
        "or propose what a newer starter corpus says."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        check = subcommands.add_parser("check", help="list what is open; the exit status is 1 if anything is")
        check.add_argument("--all", action="store_true", help="list accepted findings as well, with reasons")
        impact = subcommands.add_parser(
            "impact", help="count the answers that would change if this were published"
        )
        impact.add_argument("--all", action="store_true", help=f"list more than {MOST_LISTED} of each")
        update = subcommands.add_parser(
            "update",
            help="compare the starter corpus with the records, and write nothing unless asked to; the "
            "exit status is 1 if a record contradicts it, 2 if it cannot be read",
        )
        update.add_argument("--propose", action="store_true", help="make drafts and proposals from it")
        update.add_argument("--all", action="store_true", help="list every record with its reason")
        update.add_argument(
            "--from",
            dest="folder",
            type=Path,
            default=STARTER_CORPUS,
            metavar="DIR",
            help="the folder with the files (default: the starter corpus of the project)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        match options["subcommand"]:
            case "check":
                self._check(with_accepted=options["all"])
            case "impact":
                self._impact(None if options["all"] else MOST_LISTED)
            case "update":
                self._update(options["folder"], propose_it=options["propose"], with_all=options["all"])

    def _check(self, *, with_accepted: bool) -> None:
        findings = current_findings(today=timezone.now().date())
        self._findings("Open", findings.open)
        self._findings("For information", findings.notices)
        if with_accepted:
            for finding, acceptance in findings.accepted:
                self.stdout.write(f"Accepted: {finding.subject}: {finding.says}\n  {acceptance.reason}")
        for acceptance in findings.outlived:
            self.stdout.write(f"Accepted, but no longer found: {acceptance.key}")
        self.stdout.write(
            f"{len(findings.open)} open, {len(findings.accepted)} accepted, "
            f"{len(findings.notices)} for information."
        )
        if findings.open:
            raise CommandError("Correct each open finding, or accept it with a reason.")

    def _findings(self, title: str, found: list[Finding]) -> None:
        for kind, count in Counter(one.kind for one in found).items():
            self.stdout.write(f"{title}: {KINDS[kind].title} ({count}). {KINDS[kind].meaning}")
            for one in found:
                if one.kind == kind:
                    self.stdout.write(f"  {one.subject}: {one.says}")

    def _impact(self, most: int | None) -> None:
        today = timezone.now().date()
        try:
            published = current()
        except CorpusUnavailable as error:
            raise CommandError(f"There is nothing to compare with: {error}.") from error
        content = compile_content()
        if found := problems(content):
            raise CommandError("\n  ".join(["These rows cannot be published:", *map(str, found)]))
        after = Corpus(content)
        survey = Survey(published.corpus, after, today=today)
        result = result_of(survey, add(self._with_progress(survey)), most=None)
        self.stdout.write(
            f"{result.flipped:,} of {result.questions:,} answers would differ from release "
            f"{published.ruleset_version}; {result.lenient:,} would be less strict."
        )
        self._counts(result, most)
        for sample in result.samples[:most]:
            self._sample(sample)

    def _update(self, folder: Path, *, propose_it: bool, with_all: bool) -> None:
        try:
            done = propose(folder, now=timezone.now()) if propose_it else None
            compared = done.compared if done else compare(folder)
        except CannotLoad as error:
            raise CommandError(f"{error} Nothing was proposed.", returncode=2) from error
        for line in summary.comparison(compared, with_all=with_all):
            self.stdout.write(line)
        if done:
            for line in summary.proposed(done):
                self.stdout.write(line)
        elif compared.differences:
            self.stdout.write("Nothing was written. `--propose` makes drafts and proposals from it.")
        unsettled = _unsettled(compared) + (len(done.refused) if done else 0)
        if unsettled:
            raise CommandError(f"{unsettled} records need a decision by a person.")

    def _with_progress(self, survey: Survey) -> Iterable[Tally]:
        for number, airline in enumerate(survey.airlines, start=1):
            yield tally(survey, airline)
            if self.stderr.isatty():
                self.stderr.write(f"\r{number} of {len(survey.airlines)} airlines", ending="")
        if self.stderr.isatty():
            self.stderr.write("")

    def _counts(self, result: Result, most: int | None) -> None:
        for way in result.ways:
            self.stdout.write(f"  {way.before} → {way.after}: {way.count:,}")
        for way in result.unlisted:
            self.stdout.write(f"  {way.before} → {way.after}, not in the catalog: {way.count:,}")
        for cause in result.causes[:most]:
            what = cause.beyond or f"{cause.count:,}"
            self.stdout.write(f"Less strict by {cause.record.kind} {cause.record.record_id}: {what}")
        self._rows("airline", result.airlines, most)
        self._rows("country", result.countries, most)
        self._rows("model", result.models, most)

    def _rows(self, title: str, rows: Rows, most: int | None) -> None:
        listed = rows.rows[:most]
        if listed:
            more = f", and {rows.total - len(listed)} more" if rows.total > len(listed) else ""
            line = ", ".join(f"{row.name} {row.flipped:,}" for row in listed)
            self.stdout.write(f"By {title}: {line}{more}")

    def _sample(self, sample: Sample) -> None:
        leg = sample.question.leg
        asked = asked_in_words(
            sample,
            model=sample.models[0],
            origin=leg.origin,
            destination=leg.destination,
            airline=leg.airline,
        )
        self.stdout.write(f"\n{asked} (an example of {sample.questions:,})")
        for when, outcome, path in (
            ("before", sample.before, sample.before_path),
            ("after", sample.after, sample.after_path),
        ):
            self.stdout.write(f"  {when:<6} {outcome}: {' → '.join(path)}")


def _unsettled(compared: Compared) -> int:
    """Return how many records a person must decide: conflicts, and records with open revisions."""
    return len(
        {
            *((one.kind.name, one.record_id) for one in [*compared.conflicts, *compared.left_alone]),
            *((one.kind, one.record_id) for one in compared.undecided_conflicts),
        }
    )
