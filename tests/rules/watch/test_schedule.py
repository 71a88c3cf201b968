"""When pages are visited and feeds are read by the clock: where the watch is on, and workers do the jobs."""

import json
import os
import subprocess
import sys

import pytest

from checks.production import PRODUCTION

SCHEDULED = """
import json, django
django.setup()
from compliance.celery import app
app.loader.import_default_modules()
tasks = {entry["task"] for entry in app.conf.beat_schedule.values()}
assert tasks <= set(app.tasks)
print(json.dumps(sorted(tasks)))
"""
WATCHING = {"rules.tasks.watch_sources", "recalls.tasks.sync_feed"}


def scheduled(**variables: str) -> set[str]:
    """Return what beat sends in an environment with these variables."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "compliance.settings"} | variables
    printed = subprocess.run(
        [sys.executable, "-c", SCHEDULED], env=environment, capture_output=True, check=True
    )
    return set(json.loads(printed.stdout))


@pytest.mark.parametrize(
    ("variables", "watches"),
    [
        ({}, False),
        ({"WATCH_SOURCES": "true"}, True),
        ({"WATCH_SOURCES": "true", "REDIS_URL": ""}, False),
        (PRODUCTION, True),
        (PRODUCTION | {"WATCH_SOURCES": "false"}, False),
    ],
    ids=["on this machine", "switched on", "without workers", "in public", "in public, switched off"],
)
def test_the_clock_watches_where_it_is_meant_to(variables: dict[str, str], watches: bool) -> None:
    found = scheduled(**variables)
    assert found >= WATCHING if watches else WATCHING.isdisjoint(found)
    assert "rules.tasks.forget_visits" in found
