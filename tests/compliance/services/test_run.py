"""`make run` from the outside."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
import pytest

from compliance.services import ServiceError, ports
from compliance.services.controlling import descendants
from compliance.services.postgres import Cluster
from tests.support.processes import Start, variables_of, wait_until

RUN = ("-m", "compliance.services.run")


def served(process: "subprocess.Popen[str]") -> list[str]:
    """Return the lines printed until the service is ready."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.strip())
        if line.startswith("Serving on"):
            return lines
    raise AssertionError(f"it ended early: {lines}, {process.communicate()[1]}")


def clock_of(process: "subprocess.Popen[str]") -> Path | None:
    """Return what the kernel tells of the process that runs the jobs beside a service."""
    for child in descendants(process.pid):
        if b"-m\0compliance.beat\0" in Path(f"/proc/{child}/cmdline").read_bytes():
            return Path(f"/proc/{child}")
    return None


def keys_of(data_dir: Path) -> set[str]:
    """Return the keys that the service keeps in its folder."""
    return {*json.loads((data_dir / "secrets").read_text()).values()}


def connected(cluster: Cluster) -> set[str]:
    """Return the roles of the connections to a database, except this one of the superuser."""
    with psycopg.connect(cluster.url) as connection:
        rows = connection.execute("SELECT usename FROM pg_stat_activity WHERE client_addr IS NOT NULL")
        return {name for (name,) in rows} - {"compliance"}


def answers(port: int) -> bool:
    """Say whether Django answers on the port, whatever it says."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/no-such-page", timeout=60):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return error.code == 404
    except OSError:
        return False


def test_it_serves_and_survives_kills_and_stops_when_asked(tmp_path: Path, start: Start) -> None:
    port = ports.free_port()
    variables = {"PORT": str(port), "DATA_DIR": str(tmp_path / "var"), "NOT_OF_THE_SERVICE": "1"}
    cluster = Cluster(tmp_path / "var" / "postgres")

    first = start(*RUN, **variables)
    served(first)
    assert answers(port)
    first.kill()
    first.wait()

    second = start(*RUN, **variables)
    assert served(second)[-1] == f"Serving on http://127.0.0.1:{port} (Ctrl-C stops it)"
    assert answers(port)
    assert cluster.pid() is not None
    wait_until(lambda: clock_of(second) is not None)
    clock = clock_of(second)
    assert clock is not None
    assert {*variables_of(int(clock.name)).values()} >= keys_of(tmp_path / "var")
    assert variables_of(int(clock.name))["DATABASE_URL"].startswith("postgresql://compliance_worker:")
    # The clock may connect later: it gives way to all others.
    expected = {"compliance_publisher", "compliance_web"}
    wait_until(lambda: connected(cluster) - {"compliance_worker"} == expected)
    for pid in [cluster.pid() or 0, *descendants(cluster.pid() or 0)]:
        assert not {"DATABASE_URL", "SECRET_KEY", "VERDICT_KEY", "RECEIPT_KEYS"} & variables_of(pid).keys()
        assert "NOT_OF_THE_SERVICE" not in variables_of(pid)

    os.kill(int(clock.name), signal.SIGKILL)
    wait_until(lambda: clock_of(second) not in (None, clock))
    clock = clock_of(second)
    assert clock is not None

    second.send_signal(signal.SIGINT)
    assert second.wait(timeout=60) == 0
    assert cluster.pid() is None
    assert not clock.exists()
    wait_until(lambda: not answers(port))


def test_a_request_to_stop_during_the_preparations_is_heard(tmp_path: Path, start: Start) -> None:
    process = start(*RUN, PORT=str(ports.free_port()), DATA_DIR=str(tmp_path))
    assert process.stdout is not None
    while not process.stdout.readline().startswith("Migrating"):
        pass
    process.terminate()
    # What a command says when it is interrupted depends on the moment.
    process.communicate(timeout=60)
    assert process.returncode == 143
    assert Cluster(tmp_path / "postgres").pid() is None


def test_a_taken_port_is_reported_before_any_work(tmp_path: Path, start: Start) -> None:
    with ports.claim(ports.free_port()) as taken:
        port = taken.getsockname()[1]
        process = start(*RUN, PORT=str(port), DATA_DIR=str(tmp_path / "var"))
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert errors.startswith(f"make run: port {port} cannot be used: address already in use.")
    assert not (tmp_path / "var").exists()


def test_a_port_that_is_no_number_is_reported(tmp_path: Path, start: Start) -> None:
    process = start(*RUN, PORT="web", DATA_DIR=str(tmp_path))
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (
        1,
        "make run: PORT is 'web', but must be a whole number: make run PORT=8001\n",
    )


@pytest.mark.parametrize("port", [-1, 65536, 10**12])
def test_a_port_out_of_range_is_reported(port: int) -> None:
    with pytest.raises(ServiceError, match="cannot be used"):
        ports.claim(port)
