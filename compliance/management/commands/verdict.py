"""`manage.py verdict find | replay | verify | purge`: an answer, its reasons, and its proof."""

import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.api.verdicts.proof import NotToBeProved, prove
from compliance.records.verdict_log.actions import forget_verdicts
from compliance.records.verdict_log.backlog import backlog
from compliance.records.verdict_log.finding import records_of
from compliance.records.verdict_log.labels import legs_asked, model_asked, units_asked
from compliance.records.verdict_log.models import VerdictRecord
from compliance.records.verdict_log.replaying import Side, Step, replay


class Command(BaseCommand):
    """Find verdicts, judge them again, prove stored answers, and delete old records."""

    help = "Find and replay recorded verdicts, prove stored answers, purge old records."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the four subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        for subcommand, does in (
            ("find", "show the record of a verdict"),
            ("replay", "answer its question again, with its own release and with today's"),
        ):
            subcommands.add_parser(subcommand, help=does).add_argument(
                "id", help="such as vdt_..., trip_... or itn_..."
            )
        verify = subcommands.add_parser(
            "verify", help="prove an answer with only the stored request and answer"
        )
        verify.add_argument("request", type=Path, help="file with the JSON that was sent")
        verify.add_argument("answer", type=Path, help="file with the JSON that was answered")
        purge = subcommands.add_parser("purge", help="delete records that are older than VERDICT_LOG_DAYS")
        purge.add_argument("--days", type=int, help="another age in days")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        match options["subcommand"]:
            case "find":
                for record in self._found(options["id"]):
                    self._show(record)
            case "replay":
                self._replay(self._found(options["id"])[0])
            case "verify":
                self._verify(options["request"], options["answer"])
            case "purge":
                self._purge(options["days"])

    def _found(self, verdict_id: str) -> list[VerdictRecord]:
        found = list(records_of(verdict_id))
        if not found:
            waiting = backlog().pending_bytes
            more = f" {waiting} bytes on this machine wait to be recorded." if waiting else ""
            raise CommandError(f"There is no record of {verdict_id}.{more}")
        return found

    def _show(self, record: VerdictRecord) -> None:
        legs = legs_asked(record)
        route = ", ".join(f"{leg['origin']} to {leg['destination']} with {leg['airline']}" for leg in legs)
        days = ", ".join(sorted({leg["date"] for leg in legs}))
        self.stdout.write(f"{record}  {record.verdict}")
        for title, value in (
            *[line for unit in units_asked(record) for line in _unit(unit)],
            ("route", f"{route}, on {days}"),
            ("recall", f"{record.recall_status or 'not known'} (serial given: {record.serial_given})"),
            *[("list", unit.get("recall_check", "not_checked")) for unit in units_asked(record)],
            ("release", f"{record.ruleset_version} {record.release_sha256}"),
            ("given", f"{_instant(record.generated)} until {_instant(record.expires)}"),
            ("to", f"{record.partner or 'anybody'}, {record.channel}, {record.language}"),
        ):
            self.stdout.write(f"  {title:<8} {value}")
        for verdict_id in record.segment_ids:
            self.stdout.write(f"  flight   {verdict_id}")

    def _replay(self, record: VerdictRecord) -> None:
        again = replay(record, now=timezone.now())
        self._show(record)
        for title, side in (("Its own release", again.own), ("Today", again.today)):
            self._show_side(title, side)
        self.stdout.write("Paths: = on both sides, - only its own release, + only today")
        for pair in again.pairs:
            if not pair.differs:
                self._show_step("=", pair.own)
            else:
                self._show_step("-", pair.own)
                self._show_step("+", pair.today)
        if again.serial_decided:
            self.stdout.write(
                f"A serial decided: with it, the recall check said {record.recall_status}. "
                "It is not stored, so both sides are for a unit without a serial."
            )
        elif again.agrees:
            self.stdout.write("Its own release gives the same verdict again.")
        else:
            raise CommandError("Its own release does not give the same verdict again.")

    def _show_side(self, title: str, side: Side) -> None:
        self.stdout.write(
            f"{title}: {side.ruleset_version or 'no release'} as of {_instant(side.judged_as_of)}: "
            f"{side.verdict or 'no verdict'}"
        )
        self.stdout.write(f"  {side.says}")

    def _show_step(self, sign: str, step: Step | None) -> None:
        if step is not None:
            self.stdout.write(f"  {sign} {step.step}  {step.says}")

    def _verify(self, request: Path, answer: Path) -> None:
        try:
            proof = prove(request.read_bytes(), answer.read_bytes())
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        except NotToBeProved as error:
            raise CommandError(str(error)) from error
        if not proof.is_ours:
            raise CommandError(
                f"Not ours: {proof.verdict_id} does not prove this question, release "
                f"{proof.ruleset_version}, instant and verdict. Something was changed, or another "
                "VERDICT_KEY made the id."
            )
        self.stdout.write(
            f"Ours: {proof.verdict_id} proves the question, release {proof.ruleset_version}, the instant and "
            "the verdict."
        )
        if proof.differs:
            raise CommandError(
                f"The release does not give these fields again: {', '.join(proof.differs)}. They were "
                "changed, or another version of the program words them."
            )
        self.stdout.write("The release gives the same answer again, field by field.")

    def _purge(self, days: int | None) -> None:
        age = settings.VERDICT_LOG_DAYS if days is None else days
        if age < 1:
            raise CommandError("Records are kept for at least one day.")
        gone = forget_verdicts(before=timezone.now() - datetime.timedelta(days=age))
        self.stdout.write(f"{gone} records older than {age} days are deleted.")


def _instant(instant: datetime.datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%SZ}"


def _unit(unit: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("asked", f"{unit['quantity']} x {model_asked(unit)}, {unit['compartment_intent']}"),
        ("unit", f"{unit['condition']}, CCC mark {unit['ccc_mark']}, label {unit['capacity_label']}"),
    ]
