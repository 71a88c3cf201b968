"""What goes wrong in the sandbox on purpose goes wrong on the wire, and harms nobody else."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from compliance.channels.sandbox.faults import SLOW_SECONDS
from tests.support.processes import Start
from tests.support.sandbox_outcomes import VERIFY, a_question
from tests.support.web_server import serve_starter


def test_an_answer_that_is_cut_off_ends_the_connection_and_is_no_failure_of_ours(
    start: Start, tmp_path: Path
) -> None:
    server = serve_starter(start, tmp_path)
    for _ in range(3):
        with pytest.raises(http.client.IncompleteRead) as caught:
            server.ask("POST", VERIFY, a_question("sandbox-cut-off"))
        assert b'"verdict":"allowed"' in caught.value.partial
        assert server.ask("POST", VERIFY, a_question()).status == 200
    logged = server.stop()
    assert "Traceback" not in logged
    assert "Error" not in logged


def test_others_are_answered_while_one_is_kept_waiting(start: Start, tmp_path: Path) -> None:
    server = serve_starter(start, tmp_path)
    assert server.verify().status == 200

    def wait() -> tuple[int, str | None]:
        heard = server.ask("POST", VERIFY, a_question("sandbox-slow"))
        return heard.status, heard.headers.get("retry-after")

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(wait) for _ in range(2)]
        assert server.verify().status == 200
        assert not all(one.done() for one in asked)
        assert sorted(one.result() for one in asked) == [(200, None), (503, str(SLOW_SECONDS))]
    server.stop()
