"""The embedded PostgreSQL: one cluster in one folder."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from compliance.services import ServiceError, accounts, binaries, ports
from compliance.services.postgres import UNSAFE_AND_FAST, Cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path / "postgres", UNSAFE_AND_FAST)
    yield cluster
    cluster.stop()


def ask(url: str, question: str) -> object:
    """Return the first column of the first row of the answer."""
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()
    return row[0] if row else None


def test_a_new_folder_becomes_a_cluster_that_answers_until_it_is_stopped(cluster: Cluster) -> None:
    cluster.start()
    url = cluster.url
    assert ask(url, "select upper('é')") == "É"
    assert ask(url, "show server_encoding") == "UTF8"
    cluster.stop()
    assert cluster.pid() is None
    with pytest.raises(psycopg.OperationalError):
        ask(url, "select 1")
    with pytest.raises(ServiceError, match="does not run"):
        _ = cluster.url


def test_starting_and_stopping_twice_changes_nothing(cluster: Cluster) -> None:
    cluster.start()
    pid = cluster.pid()
    cluster.start()
    assert cluster.pid() == pid
    cluster.stop()
    cluster.stop()


def test_what_was_stored_is_there_after_a_restart(cluster: Cluster) -> None:
    cluster.start()
    with psycopg.connect(cluster.url) as connection:
        connection.execute("create table kept as select 42 as answer")
    cluster.stop()
    cluster.start()
    assert ask(cluster.url, "select answer from kept") == 42


def test_no_one_gets_in_without_the_password(cluster: Cluster) -> None:
    cluster.start()
    with pytest.raises(psycopg.OperationalError, match="password"):
        ask(cluster.url.replace("compliance:", "compliance:not"), "select 1")
    assert cluster.home.stat().st_mode & 0o777 == 0o700
    assert (cluster.home / "password").stat().st_mode & 0o777 == 0o600
    assert ask(cluster.url, "show unix_socket_directories") == ""


def test_a_pid_file_that_names_another_program_does_not_block_the_start(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    (cluster.data / "postmaster.pid").write_text(f"{os.getpid()}\n{cluster.data}\n0\n5432\n\n\n\nready\n")
    assert cluster.pid() is None
    cluster.start()
    assert ask(cluster.url, "select 1") == 1


def test_a_killed_server_starts_again(cluster: Cluster) -> None:
    cluster.start()
    pid = cluster.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    cluster.stop()
    cluster.start()
    assert ask(cluster.url, "select 1") == 1


def test_a_server_left_over_by_another_process_is_used_and_stopped(cluster: Cluster) -> None:
    cluster.start()
    stranger = Cluster(cluster.home)
    stranger.start()
    assert stranger.url == cluster.url
    stranger.stop()
    assert cluster.pid() is None


def test_a_cluster_that_was_half_made_is_made_again(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    cluster.data.rename(cluster.home / "data.new")
    cluster.start()
    assert ask(cluster.url, "select 1") == 1


def test_two_clusters_run_side_by_side_one_of_them_in_a_very_long_path(
    cluster: Cluster, tmp_path: Path
) -> None:
    long = tmp_path / ("long" * 50) / "a folder with spaces"
    long.mkdir(parents=True)
    second = Cluster(long / "postgres", UNSAFE_AND_FAST)
    cluster.start()
    second.start()
    try:
        assert ask(cluster.url, "select 1") == ask(second.url, "select 1") == 1
        assert cluster.url != second.url
    finally:
        second.stop()


def test_a_port_taken_at_the_last_moment_is_replaced_by_another(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ports.claim(ports.free_port()) as taken:
        offers = iter([taken.getsockname()[1], ports.free_port()])
        monkeypatch.setattr("compliance.services.postgres.free_port", lambda: next(offers))
        cluster.start()
    assert ask(cluster.url, "select 1") == 1


def test_a_server_that_cannot_start_says_why(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compliance.services.postgres.RETRY_SECONDS", 0)
    broken = Cluster(cluster.home, {"shared_buffers": "not a size"})
    with pytest.raises(ServiceError, match="shared_buffers"):
        broken.start()


def test_the_log_repeats_nothing_that_was_stored(cluster: Cluster) -> None:
    cluster.start()
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute("create table device (serial text primary key)")
        connection.execute("insert into device values ('SN-SECRET')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("insert into device values ('SN-SECRET')")
    log = cluster.log.read_text()
    assert "violates unique constraint" in log
    assert "SN-SECRET" not in log


def test_the_programs_of_the_wheel_run_a_cluster(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, *_ = binaries.wheel_folders()
    monkeypatch.setenv("PG_BIN", str(folder))
    cluster.start()
    assert str(ask(cluster.url, "show server_version")).startswith("18.")
    assert ask(cluster.url, "select upper('é')") == "É"


def test_a_folder_without_programs_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(ServiceError, match="PostgreSQL was not found"):
        binaries.find(accounts.for_cluster(tmp_path))


def test_a_cluster_of_another_version_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(
        ServiceError, match="was made by PostgreSQL 99, but only these versions are installed: 1"
    ):
        binaries.find(accounts.for_cluster(tmp_path), major=99)
