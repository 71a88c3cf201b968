"""`manage.py release publish | roll-back | list | show | diff | verify | adopt | new-key | prove`."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from catalog.signing_keys import new_seed, signing_key
from catalog.tables.actions.accounts import program_account
from rules.cases import CaseError
from rules.engine.document import Content, ReleaseDocument, UnreadableDocument, builtins
from rules.impact.actions.measuring import measure_proposal, measure_publishing, work_off
from rules.impact.measurements import propose
from rules.next_release import compile_content
from rules.proof.actions import proving
from rules.proof.models import ProofState
from rules.publishing.actions.adopting import adopt
from rules.publishing.actions.releases import NotMeasured, ReleaseRefused, publish_release
from rules.publishing.actions.rolling_back import roll_back_release
from rules.publishing.release_notes import release_note
from rules.publishing.verifying import verify_all
from rules.releases.comparison import RecordChange, compare
from rules.releases.models import HeldBack, Release, ReleaseSignature

COMMAND_LINE = "command-line"
"""The account that publishes from here."""

SIGN = {"added": "+", "changed": "~", "removed": "-"}


class Command(BaseCommand):
    """Publish, read and check releases."""

    help = "Publish, roll back, list, show, compare, verify and prove releases of the ruleset."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        publish = subcommands.add_parser("publish", help="publish the approved rows as the next release")
        publish.add_argument("--note", help="what is new, in a sentence (default: made from the differences)")
        publish.add_argument(
            "--first", action="store_true", help="do nothing if a release is already published"
        )
        roll_back = subcommands.add_parser(
            "roll-back", help="publish the content of an earlier release again"
        )
        roll_back.add_argument("version")
        roll_back.add_argument("--reason", required=True, help="why, in a sentence")
        subcommands.add_parser("list", help="list all releases, the newest first")
        show = subcommands.add_parser("show", help="show one release")
        show.add_argument("version")
        show.add_argument("--json", action="store_true", help="print the document itself, byte for byte")
        diff = subcommands.add_parser("diff", help="list the records that differ between two releases")
        diff.add_argument("before")
        diff.add_argument("after")
        subcommands.add_parser(
            "verify", help="check every release, its signature, the audit log, and the published rows"
        )
        adopt = subcommands.add_parser("adopt", help="sign the releases that this key has not signed")
        adopt.add_argument(
            "--unless-signed", action="store_true", help="do nothing if this key has signed anything before"
        )
        adopt.add_argument(
            "--older", action="store_true", help="take a ledger that ends earlier than the last release known"
        )
        subcommands.add_parser("new-key", help="make a key for releases and print it; nothing is stored")
        prove = subcommands.add_parser(
            "prove", help="compare the engine with the reference program for every question"
        )
        prove.add_argument("version", nargs="?", help="a release (default: the current one)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        match options["subcommand"]:
            case "publish":
                self._publish(options["note"], only_first=options["first"])
            case "roll-back":
                self._roll_back(options["version"], options["reason"])
            case "list":
                self._list()
            case "show":
                self._show(_release(options["version"]), as_json=options["json"])
            case "diff":
                self._diff(_release(options["before"]), _release(options["after"]))
            case "verify":
                self._verify()
            case "adopt":
                self._adopt(unless_signed=options["unless_signed"], older=options["older"])
            case "new-key":
                self._make_key()
            case "prove":
                self._prove(options["version"])

    def _publish(self, note: str | None, *, only_first: bool) -> None:
        before = Release.objects.without_document().current()
        if note is None:
            note = release_note(None if before is None else _document(before).content, compile_content())
        by = program_account(COMMAND_LINE)
        try:
            try:
                release = publish_release(by=by, note=note, now=timezone.now(), only_first=only_first)
            except NotMeasured:
                self.stdout.write("Measuring the changes …")
                work_off(measure_publishing(by=by, now=timezone.now()))
                release = publish_release(by=by, note=note, now=timezone.now(), only_first=only_first)
        except (ReleaseRefused, CaseError) as error:
            raise CommandError(f"Not published: {error}") from error
        if release == before:
            self.stdout.write(f"Release {release} is already published and stays current.")
        else:
            self.stdout.write(f"Published release {release}: {_counts(_document(release).content)}.")

    def _roll_back(self, version: str, reason: str) -> None:
        by = program_account(COMMAND_LINE)
        try:
            try:
                release = roll_back_release(by=by, to=version, reason=reason, now=timezone.now())
            except NotMeasured:
                self.stdout.write("Measuring the changes …")
                proposal = propose(
                    _release(str(Release.objects.current())), _document(_release(version)).content
                )
                work_off(measure_proposal(proposal, by=by, now=timezone.now()))
                release = roll_back_release(by=by, to=version, reason=reason, now=timezone.now())
        except (ReleaseRefused, CaseError) as error:
            raise CommandError(f"Not rolled back: {error}") from error
        self.stdout.write(f"Published release {release} with the content of release {version}.")
        if held_back := HeldBack.objects.filter(since=release):
            self.stdout.write(
                "These stay in the tables, but no release contains them until they are released:"
            )
            for record in held_back:
                self.stdout.write(f"  {record}")

    def _list(self) -> None:
        releases = Release.objects.without_document().select_related("published_by").order_by("-sequence")
        for release in releases:
            self.stdout.write(
                f"{release.ruleset_version:<14} {_instant(release)}  {release.sha256[:12]}  "
                f"{release.published_by.get_username()}: {release.note}"
            )
        if not releases:
            self.stdout.write("No release is published.")

    def _show(self, release: Release, *, as_json: bool) -> None:
        if as_json:
            # Without a line end: the digest of the output is the digest of the release.
            self.stdout.write(release.document, ending="")
            return
        current = release == Release.objects.without_document().current()
        before = release.predecessor
        self.stdout.write(f"Release {release}{', the current one' if current else ''}")
        for title, value in (
            ("note", release.note),
            ("published", f"{_instant(release)} by {release.published_by.get_username()}"),
            ("holds", _counts(_document(release).content)),
            ("sha256", release.sha256),
            ("content", release.content_sha256),
            ("predecessor", "none" if before is None else f"{before} {before.sha256}"),
        ):
            self.stdout.write(f"  {title:<12} {value}")

    def _diff(self, before: Release, after: Release) -> None:
        changes = compare(_document(before).content, _document(after).content)
        totals = ", ".join(f"{sum(one.change == kind for one in changes)} {kind}" for kind in SIGN)
        self.stdout.write(f"{before} → {after}: {totals}")
        for kind in dict.fromkeys(change.kind for change in changes):
            self.stdout.write(f"\n{kind}")
            for change in changes:
                if change.kind == kind:
                    self._write_change(change)

    def _write_change(self, change: RecordChange) -> None:
        self.stdout.write(f"  {SIGN[change.change]} {change.id}")
        for field in change.fields:
            self.stdout.write(f"      {field.field}: {_json(field.before)} → {_json(field.after)}")

    def _adopt(self, *, unless_signed: bool, older: bool) -> None:
        # The file is written with the first signature, next to the key.
        if unless_signed and settings.RELEASE_HEAD_FILE.exists():
            return
        if unless_signed and (ReleaseSignature.objects.exists() or not Release.objects.exists()):
            return
        try:
            adopted = adopt(older=older)
        except ReleaseRefused as error:
            raise CommandError(f"Not adopted: {error}") from error
        self.stdout.write(
            f"Signed {adopted} releases. Current: {Release.objects.without_document().current()}."
        )

    def _make_key(self) -> None:
        seed = new_seed()
        self.stdout.write(
            "A new key, shown only this once. Give RELEASE_KEY to the publisher and to operators, and "
            "RELEASE_PUBLIC_KEYS to every process:"
        )
        self.stdout.write(f"  RELEASE_KEY          {seed}")
        self.stdout.write(f"  RELEASE_PUBLIC_KEYS  {signing_key(seed).public.x}")

    def _verify(self) -> None:
        problems = verify_all()
        if problems:
            lines = [f"  {problem.where}: {problem.reason}" for problem in problems]
            raise CommandError("\n".join(["The ledger is damaged:", *lines]))
        releases = Release.objects.without_document()
        self.stdout.write(
            f"The ledger is intact and signed. Releases: {releases.count()}. Current: {releases.current()}."
        )

    def _prove(self, version: str | None) -> None:
        release = Release.objects.current() if version is None else _release(version)
        if release is None:
            raise CommandError("No release is published.")
        now = timezone.now()
        proof = proving.begin(release, now=now)
        if proof.state == ProofState.FAILED:
            proof = proving.again(proof, now=now)
        proof = proving.work_off(proof)
        if proof.failure:
            raise CommandError(f"Not proved: {proof.failure}")
        for title, value in (
            ("questions", proof.questions),
            ("classes of flights", proof.classes),
            ("sets of rules", proof.sets),
            ("cells", proof.cells),
            ("disagreements", proof.differing),
            ("broken promises", proof.broken),
        ):
            self.stdout.write(f"  {title:<20} {value:,}")
        for one in proof.found:
            self.stdout.write(f"  {one['sort']}: {one['about']}: {one['engine']} | {one['reference']}")
            for question in (one["question"], one["worse"]):
                if question is not None:
                    self.stdout.write(f"      {_json(question)}")
        if proof.differing or proof.broken:
            raise CommandError(f"Release {release} is not proved.")
        self.stdout.write(f"Release {release} is proved.")


def _release(version: str) -> Release:
    try:
        return Release.objects.select_related("published_by").get(ruleset_version=version)
    except Release.DoesNotExist:
        raise CommandError(f"There is no release {version}; `release list` shows all.") from None


def _document(release: Release) -> ReleaseDocument:
    try:
        return release.read()
    except UnreadableDocument as error:
        raise CommandError(f"Release {release} cannot be read: {error}") from error


def _instant(release: Release) -> str:
    return f"{release.published_at:%Y-%m-%d %H:%M:%SZ}"


def _counts(content: Content) -> str:
    return ", ".join(f"{len(records)} {kind}" for kind, records in builtins(content).items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
