"""A PostgreSQL cluster with all tables, made once and unpacked by each test process and check.

Making a cluster and migrating it takes longer than any test. So it is done once for each state of the
migrations, and kept as an archive next to the installed packages. Its `template1` has the tables, so every
database that a test process creates in its cluster has them too; and so has the database that a service uses
there. Called by the plugin of the tests, and by tests and checks that begin with a cluster of their own.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import psycopg

from compliance.services import ServiceError, accounts, binaries, roles
from compliance.services.embedded import REPOSITORY
from compliance.services.postgres import DATABASE, UNSAFE_AND_FAST, Cluster

FOLDER = REPOSITORY / ".venv" / "test-cluster"
FILES = (
    "*/migrations/*.py",
    "*/*/migrations/*.py",
    "requirements*.lock",
    "catalog/tables/programs.py",
    "compliance/database/grants.py",
    "compliance/database/roles.sql",
    "compliance/services/postgres.py",
    "checks/migrated_cluster.py",
)
"""What the archive depends on, and the version of PostgreSQL."""

KEPT = 8
"""How many archives are kept: several branches may share the installed packages."""


def archive() -> Path:
    """Return the archive of the cluster, in a folder `postgres`. The first caller makes it.

    Raises `ServiceError`.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    ready = FOLDER / f"{_state()}.tar"
    if ready.exists():
        return ready
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            _make(ready)
            for old in sorted(FOLDER.glob("*.tar"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
                old.unlink()
    return ready


def _state() -> str:
    version = binaries.find(accounts.for_cluster(FOLDER / "postgres")).major
    files = sorted({path for pattern in FILES for path in REPOSITORY.glob(pattern)})
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return f"{version}-{digest[:16]}"


def _make(ready: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="compliance-") as name:
        cluster = Cluster(Path(name, "postgres"), UNSAFE_AND_FAST)
        cluster.start()
        try:
            template = cluster.url.removesuffix(DATABASE) + "template1"
            _migrate(template)
            with psycopg.connect(template, autocommit=True) as server:
                server.execute(f'DROP DATABASE "{DATABASE}"')
                server.execute(f'CREATE DATABASE "{DATABASE}"')
            # The tables of the service belong to the owner of its database.
            roles.create(_psql(), cluster.url, roles.passwords(cluster.home))
        finally:
            cluster.stop()
        draft = ready.with_suffix(".new")
        with tarfile.open(draft, "w") as packed:
            packed.add(cluster.home, "postgres")
        draft.chmod(0o600)
        draft.rename(ready)


def _psql() -> Path:
    return binaries.find(accounts.for_cluster(FOLDER / "postgres")).folder / "psql"


def _migrate(database_url: str) -> None:
    keys = {"SECRET_KEY": "only-for-tests", "VERDICT_KEY": "only-for-tests"}
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=REPOSITORY,
        env=os.environ | keys | {"DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ServiceError(f"the tables of the tests could not be made: {done.stderr.strip()}")
