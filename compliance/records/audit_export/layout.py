"""The files of an archive and their content. No Django: auditors read it without our settings.

All files are in one folder, named like the archive. `SHA256SUMS` has the checksum of each of them, and
`SHA256SUMS.sig` is the Ed25519 signature of that file, so nothing can be changed, added or left out.
"""

import datetime
from typing import Literal

import msgspec

from rules.engine.vocabulary import Verdict

FORMAT = "battery-travel-audit/1"

README = "README.txt"
MANIFEST = "manifest.json"
PUBLIC_KEY = "public-key.pem"
RELEASES = "releases"
CASES = "cases"
ACCEPTED_CASES = "cases/accepted.json"
VERDICTS = "verdicts"
SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"


class Period(msgspec.Struct, frozen=True):
    """Days in UTC, both included."""

    first: datetime.date
    last: datetime.date

    def __str__(self) -> str:
        return f"{self.first}/{self.last}"

    @property
    def folder(self) -> str:
        """Return the name of the folder, and of the archive without its ending."""
        return f"audit-{self.first}-{self.last}"

    def holds(self, instant: datetime.datetime) -> bool:
        """Say whether an instant is in the period."""
        return self.first <= instant.astimezone(datetime.UTC).date() <= self.last


class Exported(msgspec.Struct, frozen=True):
    """Who made the archive, when and why."""

    at: datetime.datetime
    by: str
    reason: str
    site: str


class ReleaseLine(msgspec.Struct, frozen=True, kw_only=True):
    """One release: its place in the chain and its digest, which is the digest of its file."""

    sequence: int
    ruleset_version: str
    sha256: str
    predecessor: str | None
    published: datetime.datetime
    note: str

    @property
    def file(self) -> str:
        """Return the name of the file with the whole document."""
        return f"{RELEASES}/{self.ruleset_version}.json"


class VerdictLine(msgspec.Struct, frozen=True, kw_only=True):
    """One verdict of the log: a line of `verdicts/DAY.jsonl`."""

    entry_id: str
    verdict_id: str
    segment_ids: tuple[str, ...]
    kind: Literal["leg", "trip", "itinerary"]
    channel: str
    question: msgspec.Raw
    serial_given: Literal["none", "serial", "hash"]
    recall_status: str
    release_sha256: str
    ruleset_version: str
    verdict: Verdict
    language: str
    generated: datetime.datetime
    expires: datetime.datetime
    partner: str
    recorded: datetime.datetime


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The archive's description of itself.

    `releases` are those that verdicts of the period name and all between them, the earliest first: each names
    the digest of the one before. `verdicts` counts the lines by day. `waiting_bytes` were on the disk of the
    exporting machine and not yet in the log, of any period.
    """

    format: str
    period: Period
    exported: Exported
    signed_by: str
    releases: tuple[ReleaseLine, ...]
    verdicts: dict[str, int]
    counts: dict[str, int]
    waiting_bytes: int


def verdict_file(day: str) -> str:
    """Return the name of the file with the verdicts of a day."""
    return f"{VERDICTS}/{day}.jsonl"


def commands(folder: str) -> str:
    """Return the commands that check an archive with ordinary tools, one on each line."""
    return "\n".join(
        [
            f"tar -xzf {folder}.tar.gz && cd {folder}",
            f"sha256sum --check --strict --quiet {SUMS}",
            f"openssl pkeyutl -verify -pubin -inkey {PUBLIC_KEY} -rawin -in {SUMS} -sigfile {SIGNATURE}",
        ]
    )


def readme(manifest: Manifest) -> str:
    """Return the text of the archive's README."""
    shown = commands(manifest.period.folder).replace("\n", "\n    ")
    return f"""\
Verdicts of the battery travel compliance service
{manifest.exported.site}

Period:    {manifest.period.first} to {manifest.period.last} (days in UTC, both included)
Exported:  {manifest.exported.at:%Y-%m-%d %H:%M:%SZ} by {manifest.exported.by}
Reason:    {manifest.exported.reason}
Verdicts:  {sum(manifest.verdicts.values())}
Releases:  {len(manifest.releases)}

To check this archive, offline:

    {shown}

The first and second command print nothing if all is correct. The third says that the signature is verified.
This does not prove that {PUBLIC_KEY} is the key of the service: compare it with the keys that the service
publishes, or with a copy of them. The next command prints its `x`, which is in /.well-known/jwks.json with
`kid` {manifest.signed_by}:

    openssl pkey -pubin -in {PUBLIC_KEY} -outform DER | tail -c 32 | base64 | tr '+/' '-_' | tr -d '='

To answer every question again with its release (this needs the program of the service, but not its data):

    manage.py audit check {manifest.period.folder}.tar.gz --kid {manifest.signed_by}

{MANIFEST:<15}  period, who exported and why, releases in their chain, counts
{VERDICTS + "/":<15}  one line for each verdict: the question without serial number, the release, the verdict
{RELEASES + "/":<15}  complete releases; verdicts name a release by the SHA-256 of its file, and
{"":<15}  its `predecessor` is the SHA-256 of the release before it
{CASES + "/":<15}  the verdict cases that every release must pass, and which of them may fail and why
{SUMS:<15}  checksums of all files; {SIGNATURE} is the Ed25519 signature of that file
"""
