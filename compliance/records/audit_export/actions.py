"""The action that exports the answers of a period. It checks permission and reason, and is logged."""

import datetime
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import ReasonMissing, Refused
from catalog.signing_keys import PublicKey
from compliance.records.audit_export.contents import (
    MissingRelease,
    write_cases,
    write_releases,
    write_verdicts,
)
from compliance.records.audit_export.layout import (
    FORMAT,
    MANIFEST,
    PUBLIC_KEY,
    README,
    Exported,
    Manifest,
    Period,
    readme,
)
from compliance.records.audit_export.packing import pack, sha256_of, sign_folder
from compliance.records.receipts.keyring import keyring
from compliance.records.verdict_log.backlog import backlog
from compliance.records.verdict_log.models import VerdictRecord


class NotPermitted(Refused):
    """A person without permission asks for an export."""


class Export(NamedTuple):
    """An archive that was handed out: its digest, and its manifest."""

    sha256: str
    manifest: Manifest


def export_audit(*, by: User, now: datetime.datetime, period: Period, reason: str, archive: Path) -> Export:
    """Write the verdicts of a period into a new archive, and note the export in the audit log.

    The archive exists only when the log has its entry. Raises `NotPermitted`, `ReasonMissing`, `Refused`, and
    `OSError` if the archive cannot be written.
    """
    signer = keyring().signer
    if not may(by, EditorAction.EXPORT, VerdictRecord):
        raise NotPermitted(by.get_username(), "may not export verdicts: only members of Auditor may")
    if not reason.strip():
        raise ReasonMissing(str(period), "a reason for the export is required")
    if not period.first <= period.last <= now.astimezone(datetime.UTC).date():
        raise Refused(
            str(period), "the first day must not be after the last day, and no day may be in the future"
        )
    if signer is None:
        raise Refused(str(period), "there is no key to sign it with: set RECEIPT_KEYS")
    if archive.exists():
        raise Refused(str(archive), "the file already exists; an export does not overwrite files")
    exported = Exported(now.replace(microsecond=0), by.get_username(), reason.strip(), settings.SITE_URL)
    with tempfile.TemporaryDirectory(dir=archive.parent, prefix=".audit-") as place:
        folder, packed = Path(place) / period.folder, Path(place) / "packed"
        folder.mkdir()
        try:
            manifest = _write(folder, period, exported, signer.key.public)
        except MissingRelease as error:
            raise Refused(str(period), str(error)) from error
        sign_folder(folder, signer.key)
        pack(folder, packed, seconds=int(exported.at.timestamp()))
        export = Export(sha256_of(packed), manifest)
        log(
            by=by,
            at=now,
            action=EditorAction.EXPORT,
            kind="verdicts",
            subjects=[(str(period), None)],
            reason=reason,
            details={
                "sha256": export.sha256,
                "verdicts": sum(manifest.verdicts.values()),
                "signed_by": manifest.signed_by,
            },
        )
        # No one gets an archive without an entry in the log.
        packed.rename(archive)
    return export


@transaction.atomic
def _write(folder: Path, period: Period, exported: Exported, key: PublicKey) -> Manifest:
    """Write all files except the checksums. One transaction reads all data from the database."""
    verdicts = write_verdicts(folder, period)
    releases = write_releases(folder, verdicts.releases)
    write_cases(folder)
    manifest = Manifest(
        format=FORMAT,
        period=period,
        exported=exported,
        signed_by=key.kid,
        releases=releases,
        verdicts=verdicts.by_day,
        counts=verdicts.counts,
        waiting_bytes=backlog().pending_bytes,
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    (folder / README).write_text(readme(manifest))
    (folder / PUBLIC_KEY).write_bytes(key.as_pem())
    return manifest
