"""Audit exports: who may make one, what is in it, and that nobody can change it unnoticed."""

import datetime
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from battery_travel_reference.__main__ import main as reference
from catalog.models import AuditEntry
from catalog.signing_keys import new_seed, signing_key
from compliance.models import VerdictRecord
from compliance.records.audit_export.actions import export_audit
from compliance.records.audit_export.checking import check
from compliance.records.audit_export.layout import Period
from compliance.records.audit_export.packing import sign_folder
from compliance.services.embedded import REPOSITORY
from rules.models import Release
from tests.compliance.records.audit_export.conftest import NOW
from tests.compliance.records.audit_export.exporting import (
    FOLDER,
    NAME,
    OUR_KEY,
    Files,
    altered,
    checked,
    export,
    files_of,
)

DOCS = REPOSITORY / "docs" / "audit.md"


# --- A third party checks it ---


@pytest.mark.parametrize(("version", "same"), [("2026-11-20", 62), ("2026-11-21", 40)])
def test_the_reference_program_finds_the_verdicts_of_an_export(
    archive: Path, tmp_path: Path, version: str, same: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in files_of(archive).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    days = sorted(str(path) for path in (tmp_path / "verdicts").iterdir())
    assert reference([str(tmp_path / "releases" / f"{version}.json"), "compare", *days]) == 0
    shown = capsys.readouterr().out
    assert f"\n{same} the same; " in shown
    assert " different" not in shown


# --- Who, why, and where it is written ---


def test_an_export_stands_in_the_audit_log(archive: Path, recorded: int) -> None:
    (entry,) = AuditEntry.objects.filter(verb="export")
    assert (entry.done_by.username, entry.done_at, entry.kind) == ("auditor", NOW, "verdicts")
    assert (entry.subject, entry.reason) == ("2026-11-20/2026-11-21", "The authority asked, case 4711.")
    assert entry.details["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert entry.details["verdicts"] == recorded


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"--by": "nobody"}, "There is no user nobody"),
        ({"--by": "publisher"}, "publisher: may not export verdicts"),
        ({"--reason": "  "}, "a reason for the export is required"),
        ({"--from": "2026-11-22", "--to": "2026-11-21"}, "the first day must not be after the last day"),
        ({"--to": "2026-11-23"}, "no day may be in the future"),
    ],
)
@pytest.mark.usefixtures("recorded", "auditor")
def test_who_may_not_or_says_not_why_gets_nothing(tmp_path: Path, changes: dict[str, str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        export(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []
    assert not AuditEntry.objects.filter(verb="export")


@pytest.mark.usefixtures("recorded")
def test_anyone_who_left_may_not_export(tmp_path: Path, auditor: User) -> None:
    auditor.is_active = False
    auditor.save()
    with pytest.raises(CommandError, match="may not export"):
        export(tmp_path)


@pytest.mark.usefixtures("recorded", "auditor")
def test_without_a_key_there_is_no_export(tmp_path: Path, settings: Settings) -> None:
    settings.RECEIPT_KEYS = ()
    with pytest.raises(CommandError, match="set RECEIPT_KEYS"):
        export(tmp_path)


def test_an_export_overwrites_nothing(archive: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(CommandError, match="an export does not overwrite files"):
        export(archive.parent)
    assert archive.read_bytes() == before
    assert AuditEntry.objects.filter(verb="export").count() == 1


def test_no_archive_leaves_that_the_log_does_not_tell_of(
    tmp_path: Path, auditor: User, recorded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise OSError("the log cannot be written")

    monkeypatch.setattr("compliance.records.audit_export.actions.log", fail)
    with pytest.raises(CommandError, match="the log cannot be written"):
        export(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_the_ledger_lacks_is_told(tmp_path: Path, auditor: User, recorded: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE compliance_verdictrecord SET release_sha256 = %s", ["0" * 64])
        cursor.execute("SET LOCAL session_replication_role = origin")
    with pytest.raises(CommandError, match="releases that the ledger lacks"):
        export(tmp_path)


# --- What is in it ---


def test_it_holds_the_period_and_nothing_else(tmp_path: Path, auditor: User, recorded: int) -> None:
    files = files_of(export(tmp_path, **{"--to": "2026-11-20"}))
    manifest = json.loads(files["manifest.json"])
    assert manifest["verdicts"] == {"2026-11-20": 41}
    assert sum(manifest["counts"].values()) == 41
    assert [release["ruleset_version"] for release in manifest["releases"]] == ["2026-11-20"]
    assert manifest["exported"]["by"] == "auditor"
    lines = files["verdicts/2026-11-20.jsonl"].splitlines()
    records = {row.entry_id.hex: row for row in VerdictRecord.objects.all()}
    for line in map(json.loads, lines):
        row = records[line["entry_id"]]
        assert (line["verdict_id"], line["verdict"], line["question"]) == (
            row.verdict_id,
            row.verdict,
            row.question,
        )
    assert len(lines) == 41


def test_releases_are_whole_and_chained(archive: Path) -> None:
    files = files_of(archive)
    first, second = Release.objects.order_by("sequence")
    for release in (first, second):
        content = files[f"releases/{release.ruleset_version}.json"]
        assert hashlib.sha256(content).hexdigest() == release.sha256
    assert json.loads(files["releases/2026-11-21.json"])["predecessor"] == first.sha256
    assert files["cases/china.yaml"] == (REPOSITORY / "rules" / "cases" / "china.yaml").read_bytes()
    assert json.loads(files["cases/accepted.json"]) == []


def test_a_period_without_verdicts_is_an_archive_that_says_so(tmp_path: Path, auditor: User) -> None:
    archive = export(tmp_path)
    assert "replayed   0 verdicts" in checked(archive)
    assert json.loads(files_of(archive)["manifest.json"])["verdicts"] == {}


def test_the_same_content_is_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    assert export(tmp_path / "again").read_bytes() == archive.read_bytes()


def test_only_its_owner_can_read_it(archive: Path) -> None:
    assert archive.stat().st_mode & 0o777 == 0o600


# --- Checked with ordinary tools ---


def documented_commands() -> str:
    found = re.search(r"```\n(tar -xzf .*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def run(commands: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run commands where no network and no program of ours is."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def readme_commands(archive: Path) -> list[str]:
    return re.findall(r"^    (\S.*)$", files_of(archive)["README.txt"].decode(), re.MULTILINE)


def test_the_documented_commands_find_that_all_is_well(archive: Path) -> None:
    openssl = run(documented_commands(), archive.parent)
    assert (openssl.returncode, openssl.stdout) == (0, "Signature Verified Successfully\n"), openssl.stderr


def test_the_readme_tells_the_same_commands(archive: Path) -> None:
    *commands, thumb, _ = readme_commands(archive)
    assert "\n".join(commands) == documented_commands().strip()
    openssl = run("\n".join([*commands, thumb]), archive.parent)
    assert openssl.returncode == 0
    x = openssl.stdout.splitlines()[1]
    assert signing_key("dGVzdHMgYWxvbmU6IDAxMjM0NTY3ODkgQUJDREVGR0g").public.x == x


def test_a_changed_byte_in_any_file_is_found(archive: Path) -> None:
    names = list(files_of(archive))
    assert {"SHA256SUMS", "SHA256SUMS.sig", "manifest.json", "README.txt", "public-key.pem"} <= set(names)
    one_of_each = [*(name for name in names if "/" not in name), names[0], "cases/china.yaml"]
    one_of_each += ["releases/2026-11-20.json", "verdicts/2026-11-21.jsonl"]
    for name in one_of_each:

        def change(files: Files, name: str = name) -> None:
            at = len(files[name]) // 2
            files[name] = files[name][:at] + bytes([files[name][at] ^ 1]) + files[name][at + 1 :]

        copy = altered(archive, change)
        openssl = run(documented_commands(), copy.parent)
        assert openssl.returncode != 0, name
        with pytest.raises(CommandError, match="is damaged"):
            checked(copy)
        run(f"rm -rf {FOLDER}", copy.parent)


# --- Checked by the command ---


def test_every_question_gets_its_verdict_again(archive: Path, recorded: int) -> None:
    text = checked(archive)
    assert "exported 2026-11-22 09:30:15Z by auditor: The authority asked, case 4711." in text
    assert f"replayed   {recorded} verdicts" in text
    counts = {name: int(re.search(rf"{name} +(\d+)", text)[1]) for name in ("same", "other", "by serial")}  # type: ignore[index]
    assert counts["other"] == 0
    assert counts["same"] + counts["by serial"] == recorded
    # Where no serial came along, nothing else can have decided.
    assert counts["same"] >= VerdictRecord.objects.filter(serial_given="none").count()
    assert "The archive is intact." in text


def test_it_needs_no_database_no_keys_and_no_settings(archive: Path, tmp_path: Path) -> None:
    alone = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    completed = subprocess.run(
        [sys.executable, "manage.py", "audit", "check", str(archive), f"--kid={OUR_KEY.kid}"],
        cwd=REPOSITORY,
        env=alone | {"DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
    )
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout.endswith("The archive is intact.\n")
    assert not (tmp_path / "data").exists()


def resigned(archive: Path, change: Callable[[Files], None], place: Path) -> Path:
    """What somebody hands in who holds our very key and changed the content all the same."""

    def change_and_sign(files: Files) -> None:
        change(files)
        folder = place / "resigned"
        for name, content in files.items():
            if not name.startswith("SHA256SUMS"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        sign_folder(folder, signing_key("dGVzdHMgYWxvbmU6IDAxMjM0NTY3ODkgQUJDREVGR0g"))
        for name in ("SHA256SUMS", "SHA256SUMS.sig"):
            files[name] = (folder / name).read_bytes()

    return altered(archive, change_and_sign)


def another_verdict(files: Files) -> None:
    name = "verdicts/2026-11-20.jsonl"
    lines = [json.loads(line) for line in files[name].splitlines()]
    one = next(line for line in lines if line["serial_given"] == "none" and line["verdict"] == "conditional")
    one["verdict"] = "allowed"
    files[name] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def another_verdict_with_a_serial(files: Files) -> None:
    name = "verdicts/2026-11-20.jsonl"
    lines = [json.loads(line) for line in files[name].splitlines()]
    # Whatever its serial was: no recall of the model speaks of serials.
    one = next(
        line for line in lines if line["serial_given"] == "none" and line["recall_status"] == "not_affected"
    )
    one["serial_given"] = "serial"
    one["verdict"] = "allowed" if one["verdict"] != "allowed" else "banned"
    files[name] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def another_release(files: Files) -> None:
    document = json.loads(files["releases/2026-11-21.json"])
    document["predecessor"] = "0" * 64
    files["releases/2026-11-21.json"] = json.dumps(document).encode()


def fewer_lines(files: Files) -> None:
    name = "verdicts/2026-11-20.jsonl"
    files[name] = b"".join(files[name].splitlines(keepends=True)[1:])


def a_broken_line(files: Files) -> None:
    files["verdicts/2026-11-20.jsonl"] += b'{"verdict_id": "vdt_\n'


def another_day(files: Files) -> None:
    files["verdicts/2026-11-20.jsonl"], files["verdicts/2026-11-21.jsonl"] = (
        files["verdicts/2026-11-21.jsonl"],
        files["verdicts/2026-11-20.jsonl"],
    )


def no_release(files: Files) -> None:
    del files["releases/2026-11-20.json"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (another_verdict, "but a replay gives another verdict"),
        (another_verdict_with_a_serial, "but a replay gives another verdict"),
        (another_release, "the digest of the document differs"),
        (fewer_lines, "has 40 verdicts; manifest.json says 41"),
        (a_broken_line, "line 42, cannot be read"),
        (another_day, "was not given on 2026-11-20"),
        (no_release, "release 2026-11-20: the document cannot be read"),
    ],
)
def test_what_was_changed_before_it_was_signed_is_found_as_well(
    archive: Path, tmp_path: Path, change: Callable[[Files], None], found: str
) -> None:
    with pytest.raises(CommandError, match=found):
        checked(resigned(archive, change, tmp_path))


def test_what_stands_next_to_the_signed_files_is_found(archive: Path) -> None:
    copy = altered(archive, lambda files: files.update({"verdicts/2026-11-19.jsonl": b"{}\n"}))
    with pytest.raises(CommandError, match=r"2026-11-19\.jsonl is in the archive, but has no checksum"):
        checked(copy)


def test_an_archive_of_another_person_is_told_from_ours(archive: Path, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.pem", tmp_path / "theirs.pem"
    ours.write_bytes(files_of(archive)["public-key.pem"])
    theirs.write_bytes(signing_key(new_seed()).public.as_pem())
    assert "The archive is intact." in checked(archive, f"--key={ours}")
    with pytest.raises(CommandError, match="not the expected key"):
        checked(archive, f"--key={theirs}")
    with pytest.raises(CommandError, match="one of the arguments --kid --key is required"):
        call_command("audit", "check", str(archive))
    with pytest.raises(CommandError, match="is not a public key"):
        checked(archive, f"--key={archive}")


def test_an_archive_of_zeros_is_refused_before_it_fills_the_disk(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / NAME, "w:gz", compresslevel=1) as tar:
        member = tarfile.TarInfo(f"{FOLDER}/verdicts/2026-11-20.jsonl")
        member.size = 300 * 1024 * 1024
        tar.addfile(member, Zeros())
    with pytest.raises(CommandError, match="would unpack to far more than an audit export has"):
        checked(tmp_path / NAME)


class Zeros(io.RawIOBase):
    """An endless file."""

    def read(self, size: int = -1) -> bytes:
        return bytes(size)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00broken"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(CommandError, match="is not an audit export"):
        checked(tmp_path / NAME)


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "alone", f"{FOLDER}/../../outside"])
def test_nothing_is_unpacked_elsewhere(tmp_path: Path, name: str) -> None:
    with tarfile.open(tmp_path / NAME, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(CommandError, match="is not an audit export"):
        checked(tmp_path / NAME)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


# --- Many ---

MANY = 20_000


def test_many_verdicts_do_not_sit_in_memory(
    tmp_path: Path, auditor: User, recorded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    period = Period(datetime.date(2026, 11, 20), datetime.date(2026, 11, 21))
    # What the first export of a process loads is no row.
    first = tmp_path / "first"
    first.mkdir()
    export_audit(by=auditor, now=NOW, period=period, reason="A few.", archive=first / NAME)
    columns = ", ".join(str(each.column) for each in VerdictRecord._meta.fields if not each.primary_key)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO compliance_verdictrecord (entry_id, {columns}) "
            f"SELECT gen_random_uuid(), {columns} FROM compliance_verdictrecord, generate_series(1, %s) "
            "WHERE serial_given = 'none'",
            [MANY // recorded],
        )
    many = VerdictRecord.objects.count()
    assert many > MANY / 2
    archive = tmp_path / NAME
    tracemalloc.start()
    try:
        export_audit(by=auditor, now=NOW, period=period, reason="Many.", archive=archive)
        _, at_most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # About a thousand bytes for each of them, were they all held.
    assert at_most < 12_000_000
    report = check(archive, kid=OUR_KEY.kid)
    assert report.problems == []
    assert report.outcomes.total() == many
