"""Joining the database of a DATA_DIR: the first to come starts it, the last to leave stops it."""

import os
import signal
import subprocess
from pathlib import Path

import psycopg
import pytest

from compliance.services import ServiceError, embedded
from compliance.services.postgres import Cluster
from tests.support.processes import Start, wait_until

# Joins, says so, and leaves when its input ends.
MEMBER = """
import os, pathlib, signal, sys
from compliance.services import embedded
# Whoever starts the tests in the background has SIGINT ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
with embedded.join(pathlib.Path(sys.argv[1])):
    print(os.environ["DATABASE_URL"], flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "SECRET_KEY", "VERDICT_KEY"):
        monkeypatch.delenv(name)


def joined(member: "subprocess.Popen[str]") -> str:
    """Wait until the member has joined and return the address that it got."""
    assert member.stdout is not None
    return member.stdout.readline().strip()


def leave(member: "subprocess.Popen[str]") -> None:
    """Let the member go, and wait until it is gone."""
    _, errors = member.communicate(timeout=60)
    assert (member.returncode, errors) == (0, "")


def test_a_member_has_an_address_and_keys_until_it_leaves(tmp_path: Path) -> None:
    with embedded.join(tmp_path):
        assert os.environ["SECRET_KEY"] != os.environ["VERDICT_KEY"]
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
    assert not {"DATABASE_URL", "SECRET_KEY", "VERDICT_KEY"} & set(os.environ)
    assert Cluster(tmp_path / "postgres").pid() is None


def test_the_keys_are_made_once_and_only_their_owner_can_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded.join(tmp_path):
        keys = os.environ["SECRET_KEY"], os.environ["VERDICT_KEY"]
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("SECRET_KEY", "chosen by somebody")
    with embedded.join(tmp_path):
        assert (os.environ["SECRET_KEY"], os.environ["VERDICT_KEY"]) == ("chosen by somebody", keys[1])
    assert os.environ["SECRET_KEY"] == "chosen by somebody"


def test_a_database_of_another_person_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/compliance")
    with embedded.join(tmp_path):
        assert "SECRET_KEY" not in os.environ
    assert list(tmp_path.iterdir()) == []


def test_the_last_member_to_leave_stops_the_server(tmp_path: Path, start: Start) -> None:
    first = start("-c", MEMBER, str(tmp_path))
    url = joined(first)
    second = start("-c", MEMBER, str(tmp_path))
    assert joined(second) == url
    leave(first)
    with psycopg.connect(url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    leave(second)
    assert Cluster(tmp_path / "postgres").pid() is None


# Forks a child that leaves by an exception, as a worker of the web server does; then says its address.
PARENT = """
import os, pathlib, sys
from compliance.services import embedded
with embedded.join(pathlib.Path(sys.argv[1])):
    child = os.fork()
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)
    print(os.environ["DATABASE_URL"], flush=True)
    sys.stdin.read()
"""


def test_a_forked_child_that_ends_leaves_the_server_to_its_parent(tmp_path: Path, start: Start) -> None:
    parent = start("-c", PARENT, str(tmp_path))
    with psycopg.connect(joined(parent)) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    leave(parent)
    assert Cluster(tmp_path / "postgres").pid() is None


def test_members_that_come_at_the_same_moment_share_one_server(tmp_path: Path, start: Start) -> None:
    members = [start("-c", MEMBER, str(tmp_path)) for _ in range(4)]
    assert len({joined(member) for member in members}) == 1
    for member in members:
        leave(member)
    assert Cluster(tmp_path / "postgres").pid() is None


def test_the_server_of_a_killed_member_is_used_and_stopped_by_the_next(tmp_path: Path, start: Start) -> None:
    killed = start("-c", MEMBER, str(tmp_path))
    url = joined(killed)
    killed.kill()
    killed.wait()
    assert Cluster(tmp_path / "postgres").pid() is not None
    following = start("-c", MEMBER, str(tmp_path))
    assert joined(following) == url
    leave(following)
    assert Cluster(tmp_path / "postgres").pid() is None


@pytest.mark.parametrize("request_to_stop", [signal.SIGTERM, signal.SIGINT])
def test_a_member_that_is_asked_to_stop_stops_the_server(
    tmp_path: Path, start: Start, request_to_stop: signal.Signals
) -> None:
    member = start("-c", MEMBER, str(tmp_path))
    joined(member)
    member.send_signal(request_to_stop)
    member.wait(timeout=60)
    assert Cluster(tmp_path / "postgres").pid() is None


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(ServiceError, match="DATA_DIR cannot be used"),
        embedded.join(tmp_path / "file" / "var"),
    ):
        pass


def test_removing_the_folder_under_a_member_does_not_trouble_it(tmp_path: Path, start: Start) -> None:
    folder = tmp_path / "var"
    member = start("-c", MEMBER, str(folder))
    joined(member)
    cluster = Cluster(folder / "postgres")
    pid = cluster.pid()
    assert pid is not None
    folder.rename(tmp_path / "removed")
    leave(member)
    Cluster(tmp_path / "removed" / "postgres").stop()
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_a_command_works_alone_and_stops_what_it_started(tmp_path: Path, start: Start) -> None:
    command = start("manage.py", "migrate", "--plan", DATA_DIR=str(tmp_path))
    output, errors = command.communicate(timeout=60)
    assert command.returncode == 0, errors
    assert "contenttypes.0001_initial" in output
    assert Cluster(tmp_path / "postgres").pid() is None
