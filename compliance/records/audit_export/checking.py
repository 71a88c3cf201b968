"""Checks an archive without a database, settings or a network.

It finds what `sha256sum` and `openssl` find, and more. It checks that the archive contains only signed files,
that its releases follow each other, that its counts match its verdicts, and that each question, judged again
by its release, gets the recorded verdict.
"""

import datetime
import re
import shutil
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from catalog.signing_keys import PublicKey, of_key
from compliance.records.audit_export.layout import (
    FORMAT,
    MANIFEST,
    PUBLIC_KEY,
    SIGNATURE,
    SUMS,
    Manifest,
    ReleaseLine,
    VerdictLine,
    verdict_file,
)
from compliance.records.audit_export.packing import files_in, sha256_of
from compliance.records.audit_export.replaying import Outcome, Replayer

PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*){1,2}")
"""The form of all file names in an archive. None leads out of its folder."""

MOST_FILES = 100_000
LEAST_BYTES = 256 * 1024 * 1024
MOST_TIMES = 100
"""An archive may unpack to so many times its size, or to `LEAST_BYTES`. About 15 times are usual."""

SHOWN = 20
"""How many problems are listed one by one."""


class NotAnArchive(ValueError):
    """A file that cannot be opened as an archive of ours; the message says why."""


@dataclass
class Report:
    """The findings. `problems` is empty if all is right; `manifest` and `key` are None if unreadable."""

    manifest: Manifest | None = None
    key: PublicKey | None = None
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    more: int = 0

    def add(self, problem: str) -> None:
        """Note a problem."""
        if len(self.problems) < SHOWN:
            self.problems.append(problem)
        else:
            self.more += 1


def check(archive: Path, *, kid: str) -> Report:
    """Check an archive, which the key with this `kid` must have signed.

    Raises `NotAnArchive`, and `OSError` for a file that cannot be read.
    """
    report = Report()
    with tempfile.TemporaryDirectory(prefix="audit-check-") as place:
        folder = _unpack(archive, Path(place))
        _check_sums(folder, report)
        _check_signature(folder, kid, report)
        report.manifest = _manifest(folder, report)
        if report.manifest is not None:
            _check_manifest(report.manifest, folder, report)
            _check_releases(report.manifest.releases, folder, report)
            _check_verdicts(report.manifest, folder, report)
    return report


def _unpack(archive: Path, place: Path) -> Path:
    """Unpack an archive, and return its one folder. Nothing is written outside of `place`."""
    names, left = set(), max(LEAST_BYTES, MOST_TIMES * archive.stat().st_size)
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                if not member.isreg() or not PLAIN_NAME.fullmatch(member.name) or member.name in names:
                    raise NotAnArchive(f"it contains {member.name!r}, which is not a file of an audit export")
                names.add(member.name)
                left -= member.size
                if left < 0 or len(names) > MOST_FILES:
                    raise NotAnArchive("it would unpack to far more than an audit export has")
                _write(tar, member, place / member.name)
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        if isinstance(error, NotAnArchive | FileNotFoundError | PermissionError):
            raise
        raise NotAnArchive(f"it cannot be unpacked: {error}") from error
    folders = {name.partition("/")[0] for name in names}
    if len(folders) != 1:
        raise NotAnArchive("its files are not in one folder")
    return place / folders.pop()


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Write a file of an archive. Pythons before 3.11.4 cannot leave out its mode and owner themselves."""
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = tar.extractfile(member)
    if packed is None:
        raise NotAnArchive(f"it contains {member.name!r}, which cannot be read")
    with packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)


def _check_sums(folder: Path, report: Report) -> None:
    if not (folder / SUMS).is_file():
        report.add(f"{SUMS} is missing")
        return
    sums = {}
    for line in (folder / SUMS).read_text(errors="replace").splitlines():
        sha256, _, name = line.partition("  ")
        sums[name] = sha256
    there = set(files_in(folder)) - {SUMS, SIGNATURE}
    for name in sorted(there - sums.keys()):
        report.add(f"{name} is in the archive, but has no checksum")
    for name, sha256 in sums.items():
        if name not in there:
            report.add(f"{name} has a checksum, but is missing")
        elif sha256_of(folder / name) != sha256:
            report.add(f"{name} was altered: its checksum differs")


def kid_of(pem: bytes) -> str:
    """Return the `kid` of a public key. Raises `ValueError` for anything else."""
    return of_key(_ed25519(pem)).kid


def _ed25519(pem: bytes) -> Ed25519PublicKey:
    key = load_pem_public_key(pem)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("it is not an Ed25519 key")
    return key


def _check_signature(folder: Path, kid: str, report: Report) -> None:
    try:
        key = _ed25519((folder / PUBLIC_KEY).read_bytes())
        report.key = of_key(key)
        if report.key.kid != kid:
            report.add(f"the key {report.key.kid} signed it, not the expected key {kid}")
        key.verify((folder / SIGNATURE).read_bytes(), (folder / SUMS).read_bytes())
    except InvalidSignature:
        report.add(f"{SIGNATURE} is not the signature of {SUMS} by this key")
    except (ValueError, OSError) as error:
        report.add(f"the signature cannot be checked: {error}")


def _manifest(folder: Path, report: Report) -> Manifest | None:
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        report.add(f"{MANIFEST} cannot be read: {error}")
        return None
    if manifest.format != FORMAT:
        report.add(f"{MANIFEST} has the format {manifest.format}, not {FORMAT}")
        return None
    return manifest


def _check_manifest(manifest: Manifest, folder: Path, report: Report) -> None:
    if report.key is not None and manifest.signed_by != report.key.kid:
        report.add(
            f"{MANIFEST} names {manifest.signed_by} as the key that signs it, but {report.key.kid} does"
        )
    if manifest.period.folder != folder.name:
        report.add(f"the folder {folder.name} is not that of the period {manifest.period}")


def _check_releases(releases: tuple[ReleaseLine, ...], folder: Path, report: Report) -> None:
    before: ReleaseLine | None = None
    for line in releases:
        label = f"release {line.ruleset_version}"
        try:
            document = msgspec.json.decode((folder / line.file).read_bytes(), type=_Chained)
            if sha256_of(folder / line.file) != line.sha256:
                report.add(f"{label}: the digest of the document differs")
            if (document.ruleset_version, document.predecessor) != (line.ruleset_version, line.predecessor):
                report.add(f"{label}: the version or the predecessor in the document differs")
        except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
            report.add(f"{label}: the document cannot be read: {error}")
        if before is not None and (line.predecessor, line.sequence) != (before.sha256, before.sequence + 1):
            report.add(f"{label}: it does not follow release {before.ruleset_version}")
        before = line


def _check_verdicts(manifest: Manifest, folder: Path, report: Report) -> None:
    versions = {line.sha256: line.ruleset_version for line in manifest.releases}
    replayer = Replayer(manifest.releases, folder)
    counts: Counter[str] = Counter()
    for day, expected in manifest.verdicts.items():
        lines = 0
        for line in _lines(folder, day, report):
            lines += 1
            counts[f"{line.kind}.{line.verdict}"] += 1
            if f"{line.generated.astimezone(datetime.UTC):%Y-%m-%d}" != day:
                report.add(f"{line.verdict_id} was not given on {day}")
            if versions.get(line.release_sha256) != line.ruleset_version:
                report.add(f"{line.verdict_id} names a release that is not in the archive")
            outcome = replayer.outcome(line)
            report.outcomes[outcome] += 1
            if outcome in {"other", "unreadable"}:
                report.add(f"{line.verdict_id} was {line.verdict}, but a replay gives another verdict")
        if (
            lines != expected
            or not manifest.period.first.isoformat() <= day <= manifest.period.last.isoformat()
        ):
            report.add(f"{verdict_file(day)} has {lines} verdicts; {MANIFEST} says {expected}")
    if dict(counts) != manifest.counts:
        report.add(f"the verdicts do not match the counts in {MANIFEST}")


def _lines(folder: Path, day: str, report: Report) -> Iterator[VerdictLine]:
    read = msgspec.json.Decoder(VerdictLine).decode
    try:
        with (folder / verdict_file(day)).open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    yield read(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    report.add(f"{verdict_file(day)}, line {number}, cannot be read: {error}")
    except OSError as error:
        report.add(f"{verdict_file(day)} cannot be read: {error}")


class _Chained(msgspec.Struct):
    ruleset_version: str
    predecessor: str | None
