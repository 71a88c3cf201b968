"""`manage.py watch status`: what is watched, what waits for an editor, and how the last runs went."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from catalog.jobs.actions import bury, running
from rules.watch import JOB
from rules.watch.status import lines
from tests.rules.watch.days import MONDAY, TEXT, Days, quoted

pytestmark = pytest.mark.django_db


def status() -> str:
    output = StringIO()
    call_command("watch", "status", stdout=output)
    return output.getvalue()


def test_before_the_first_visit_everything_is_due() -> None:
    Days()
    assert "Pages: 1 watched, 1 due, 1 new, 0 with problems." in list(lines(MONDAY))


def test_it_counts_signals_troubles_runs_and_what_was_set_aside() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.says(TEXT.replace("two per", "one per"))
    days.fails("timed_out")
    with running(JOB) as progress:
        progress.expect(3)
        progress.count("unchanged")
        progress.count("failed", "timed_out")
        assert "running, last seen" in status()
        assert "2 of 3 visits: 1 failed, 1 timed out, 1 unchanged." in status()
    bury(JOB, "https://odd.example/", "ValueError: odd", now=timezone.now())
    said = status()
    assert "1 with problems" in said
    assert "Open signals: 1 quote gone, 0 text changed, 0 dead link." in said
    assert "UTC: done; 2 of 3 visits" in said
    assert "Set aside after 1 tries: https://odd.example/ (ValueError: odd)" in said
