"""The command itself, killed by `kill -9` in the middle: run again, it goes on where it was."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from compliance.services.embedded import REPOSITORY
from rules.publishing.actions.releases import publish_release
from tests.compliance.channels.batch.files import lines_of, write_lines
from tests.support.factories import a_user
from tests.support.processes import wait_until
from tests.support.world import build_world

ROWS = 60_000
QUESTION = {"model_id": "lynx-27k", "trip": {"origin": "XA", "destination": "XB", "airline": "N1"}}


@pytest.fixture
def _published(committing_db: None) -> None:
    build_world(by=a_user())
    publish_release(by=a_user("publisher"), note="The first.", now=timezone.now(), cases=())


def begin(source: Path, out: Path) -> "subprocess.Popen[str]":
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return subprocess.Popen(
        [sys.executable, "manage.py", "verify-batch", str(source), str(out), "--keep", "booking"],
        cwd=REPOSITORY,
        env=os.environ | {"DATABASE_URL": database.geturl()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.usefixtures("_published")
def test_what_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    questions = [QUESTION | {"booking": number} for number in range(ROWS)]
    source, out = write_lines(tmp_path / "in.jsonl", questions), tmp_path / "out.jsonl"
    part = tmp_path / "out.jsonl.part"
    size = 0
    for _ in range(2):
        with begin(source, out) as process:
            wait_until(lambda: part.exists() and part.stat().st_size > size + 2_000_000, 200)  # noqa: B023
            process.send_signal(signal.SIGKILL)
        size = part.stat().st_size
        assert not out.exists()
    with begin(source, out) as process:
        said, problems = process.communicate(timeout=200)
    assert process.returncode == 0, problems
    assert "Continued after " in said
    answers = lines_of(out)
    assert [answer["booking"] for answer in answers] == list(range(ROWS))
    # One run, whatever happened to it: the same instant, and so the same answer.
    assert len({answer["verdict_id"] for answer in answers}) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl"}
