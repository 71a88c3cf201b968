"""Backups: made while the service is in use, restored into a new database, and proven there."""

import datetime
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from compliance.services import ServiceError, backups, embedded
from tests.support.releasing import Desk

NOW = datetime.datetime(2026, 11, 20, 12, 30, tzinfo=datetime.UTC)


def url_of(database: str) -> str:
    """Return the address of a database beside that of the tests."""
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{database}"


@pytest.fixture
def published(committing_db: None) -> Desk:
    """A database with two releases, as the tests of this process use it."""
    desk = Desk()
    desk.publish()
    desk.publish_news()
    return desk


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of a new database, gone after the test."""
    name = f"restored_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        yield url_of(name)
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def database_of_the_tests() -> str:
    return url_of(str(connection.settings_dict["NAME"]))


def manage(database_url: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=embedded.REPOSITORY,
        env=os.environ | {"DATABASE_URL": database_url},
        capture_output=True,
        text=True,
    )


def contents(database_url: str) -> dict[str, int]:
    """Return how many rows each table has."""
    with psycopg.connect(database_url) as database:
        tables = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        counted = {}
        for (table,) in tables:
            row = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()
            assert row is not None
            counted[table] = row[0]
        return counted


@pytest.mark.usefixtures("published")
def test_what_is_restored_holds_every_row_and_a_ledger_that_cannot_be_changed(
    tmp_path: Path, empty_database: str
) -> None:
    before = contents(database_of_the_tests())
    assert before["rules_release"] == 2
    made = manage(database_of_the_tests(), "backup", str(tmp_path / "kept"))
    assert made.returncode == 0, made.stderr
    file = Path(made.stdout.strip())

    restored = manage(empty_database, "restore", str(file))

    assert restored.returncode == 0, restored.stderr
    assert "the ledger is intact" in restored.stdout
    assert contents(empty_database) == before
    with (
        psycopg.connect(empty_database) as database,
        pytest.raises(psycopg.DatabaseError, match="release"),
    ):
        database.execute("UPDATE rules_release SET note = 'Another one.'")


@pytest.mark.usefixtures("published")
def test_a_backup_is_for_its_owner_alone_and_tells_no_password(tmp_path: Path) -> None:
    file = backups.make(database_of_the_tests(), tmp_path / "kept", now=NOW)
    assert file.name == "compliance-20261120T123000Z.dump"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    with pytest.raises(ServiceError) as refused:
        backups.make("postgresql://somebody:hushhush@127.0.0.1:1/none", tmp_path / "kept", now=NOW)
    assert "hushhush" not in str(refused.value)


@pytest.mark.usefixtures("published")
def test_the_checksum_is_one_that_sha256sum_reads(tmp_path: Path) -> None:
    file = backups.make(database_of_the_tests(), tmp_path, now=NOW)
    done = subprocess.run(["sha256sum", "--check", f"{file.name}.sha256"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0


@pytest.mark.usefixtures("published")
def test_the_newest_backups_stay_and_older_ones_go(tmp_path: Path) -> None:
    days = [NOW + datetime.timedelta(days=day) for day in range(3)]
    made = [backups.make(database_of_the_tests(), tmp_path, now=day, keep=2) for day in days]
    assert sorted(tmp_path.glob("*.dump")) == made[1:]
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.usefixtures("published")
def test_a_backup_that_fails_leaves_the_older_ones_and_no_half_file(tmp_path: Path) -> None:
    whole = backups.make(database_of_the_tests(), tmp_path, now=NOW)
    with pytest.raises(ServiceError, match="psql failed"):
        backups.make(url_of("no_such_database"), tmp_path, now=NOW + datetime.timedelta(days=1), keep=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == [whole.name, f"{whole.name}.sha256"]


@pytest.mark.usefixtures("published")
def test_a_database_that_holds_something_is_never_overwritten(tmp_path: Path) -> None:
    file = backups.make(database_of_the_tests(), tmp_path, now=NOW)
    before = contents(database_of_the_tests())
    with pytest.raises(ServiceError, match="not empty"):
        backups.restore(database_of_the_tests(), file)
    assert contents(database_of_the_tests()) == before


@pytest.mark.usefixtures("published")
def test_a_damaged_backup_is_refused_before_anything_is_restored(tmp_path: Path, empty_database: str) -> None:
    file = backups.make(database_of_the_tests(), tmp_path, now=NOW)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    refused = manage(empty_database, "restore", str(file))
    assert refused.returncode == 1
    assert "is damaged" in refused.stderr
    assert contents(empty_database) == {}


def test_a_backup_without_its_checksum_is_refused(tmp_path: Path, empty_database: str) -> None:
    file = tmp_path / "compliance-20261120T123000Z.dump"
    file.write_bytes(b"anything")
    with pytest.raises(ServiceError, match="cannot be checked"):
        backups.restore(empty_database, file)
    assert contents(empty_database) == {}
