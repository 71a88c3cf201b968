"""The services of the tests leave nothing behind."""

from pathlib import Path

import pytest

from compliance.services import ServiceError, throwaway
from tests.support.processes import Start, wait_until

ASKER = """
import sys
from compliance.services import throwaway
with throwaway.services() as addresses:
    print(addresses.folder, flush=True)
    sys.stdin.read()
"""


def test_a_killed_test_run_leaves_nothing_behind(start: Start) -> None:
    asker = start("-c", ASKER)
    assert asker.stdout is not None
    folder = Path(asker.stdout.readline().strip())
    server = int((folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
    asker.kill()
    wait_until(lambda: not folder.exists() and not Path(f"/proc/{server}").exists())


def test_a_server_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(ServiceError, match="PostgreSQL was not found"), throwaway.services():
        pass


def test_a_test_run_without_its_services_fails_loudly(start: Start, tmp_path: Path) -> None:
    pytest_run = start("-m", "pytest", "--collect-only", PG_BIN=str(tmp_path))
    output, errors = pytest_run.communicate(timeout=60)
    assert pytest_run.returncode not in (0, 5)
    assert "the test services cannot start: PostgreSQL was not found" in output + errors
