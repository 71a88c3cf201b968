"""Backups of the database: one file each, with its checksum in a second file next to it.

PostgreSQL's own programs (`pg_dump`, `pg_restore`), in the server's version, do the work. A backup shows one
consistent moment, even while others write. The file gets its name only when it is complete. A restore is one
transaction into an empty database. So there is never half a backup or half a restore.

Called by `manage.py backup` and `manage.py restore`. A backup contains only the database: no keys, no
settings, and no answers that wait in the spool of the verdict log.
"""

import datetime
import functools
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from compliance.services import ServiceError, binaries
from compliance.services.environments import for_process

NAME = "compliance-{:%Y%m%dT%H%M%SZ}.dump"
PATTERN = "compliance-????????T??????Z.dump"
CHECKSUM = ".sha256"
"""The ending of each backup's checksum file, in the form that `sha256sum --check` reads."""

PORTABLE = ["--no-owner", "--no-privileges"]
"""The account that restores a backup owns its content."""


def make(database_url: str, folder: Path, *, now: datetime.datetime, keep: int | None = None) -> Path:
    """Write a backup of a database into a folder and return the file.

    With `keep`, remove all but that many of the newest backups from the folder afterwards.

    Raises:
        ServiceError: No backup was made. The message says why; older ones stay.

    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / NAME.format(now.astimezone(datetime.UTC))
        draft = file.with_suffix(".part")
        # No one else on the machine may read what is in a database.
        draft.touch(mode=0o600)
        try:
            _run_matching("pg_dump", database_url, ["--format=custom", *PORTABLE, f"--file={draft}"])
            checksum = _digest(draft)
            _write(file.with_name(file.name + CHECKSUM), f"{checksum}  {file.name}\n")
            draft.rename(file)
            _sync(folder)
        finally:
            draft.unlink(missing_ok=True)
        if keep is not None:
            _forget(folder, keep)
    except OSError as error:
        raise ServiceError(f"the backup could not be written: {error}") from error
    return file


def restore(database_url: str, file: Path) -> None:
    """Fill an empty database from a backup.

    Raises:
        ServiceError: The database is unchanged. The message says why.

    """
    check(file)
    if _tables(database_url):
        raise ServiceError("the database is not empty. A backup is restored into a new, empty one")
    _run_matching(
        "pg_restore", database_url, ["--single-transaction", "--exit-on-error", *PORTABLE, str(file)]
    )


def check(file: Path) -> None:
    """Compare a backup with its checksum file.

    Raises:
        ServiceError: The backup differs from what was written, or one of the two files cannot be read.

    """
    checksum_file = file.with_name(file.name + CHECKSUM)
    try:
        expected, found = checksum_file.read_text().split()[0], _digest(file)
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise ServiceError(f"{file} cannot be checked: {error}") from error
    if expected != found:
        raise ServiceError(f"{file} is damaged: its SHA-256 differs from the one in {checksum_file.name}")


def _forget(folder: Path, keep: int) -> None:
    for old in sorted(folder.glob(PATTERN), reverse=True)[max(1, keep) :]:
        old.unlink()
        old.with_name(old.name + CHECKSUM).unlink(missing_ok=True)


def _tables(database_url: str) -> bool:
    """Say whether a database has any table."""
    question = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    return _ask(database_url, question) != "0"


def _ask(database_url: str, question: str) -> str:
    asked = ["--no-psqlrc", "--tuples-only", "--command", question]
    return _run(_programs("psql")[0], database_url, asked).strip()


def _run_matching(name: str, database_url: str, arguments: list[str]) -> None:
    """Run a program of the server's version. If there is none, run the newest one, which may refuse."""
    major = int(_ask(database_url, "SHOW server_version_num")) // 10_000
    programs = _programs(name)
    _run(next((one for one in programs if _major(one) == major), programs[0]), database_url, arguments)


def _run(program: Path, database_url: str, arguments: list[str]) -> str:
    address, password = _without_password(database_url)
    done = subprocess.run(
        [program, f"--dbname={address}", *arguments],
        # Everyone on the machine can read a program's arguments.
        env=for_process("client", os.environ) | ({"PGPASSWORD": password} if password else {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()
        raise ServiceError(f"{program.name} failed: {reason[0] if reason else done.returncode}")
    return done.stdout


def _without_password(database_url: str) -> tuple[str, str]:
    parts = urlsplit(database_url)
    user, _, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    return urlunsplit(parts._replace(netloc=f"{name}@{host}" if name else host)), unquote(password)


def _programs(name: str) -> list[Path]:
    """Return the programs of that name, the newest first; at least one."""
    if chosen := os.environ.get("PG_BIN"):
        return [Path(chosen) / name]
    folders = [*binaries.DEBIAN.glob("*/bin"), *binaries.wheel_folders()]
    found = [path for folder in folders if (path := folder / name).is_file()]
    if on_path := shutil.which(name):
        found.append(Path(on_path))
    if not found:
        raise ServiceError(f"{name} was not found: install Debian's postgresql-client, or set PG_BIN")
    return sorted(found, key=_major, reverse=True)


@functools.cache
def _major(program: Path) -> int:
    answer = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"\d+", answer)
    return int(found.group()) if found else 0


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _write(file: Path, text: str) -> None:
    with file.open("w") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())


def _sync(folder: Path) -> None:
    """Make the names in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
