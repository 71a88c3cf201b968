"""The same question gets the same bytes: ten thousand times, and in any process."""

import hashlib
import os
import subprocess
import sys

import pytest
from django.test import Client

from compliance.api.protocol.bodies import json_response
from compliance.api.verdicts.trips import trip_body
from compliance.api.verdicts.verify import verify_body
from compliance.services.embedded import REPOSITORY
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.engine.facts import Leg, Question, Unit
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.api_requests import VERIFY, a_request, post
from tests.support.starter import NOW, starter_content

ANOTHER_PROCESS = """
import django
django.setup()
from rules import corpus
from tests.compliance.api.test_same_answers import digest_of_many_answers
from tests.support.starter import starter_release
corpus._current = starter_release()
print(digest_of_many_answers())
"""


def digest_of_many_answers() -> str:
    """Return one digest of the answers to many questions, about legs and trips, all asked in one second."""
    drawer = Drawer(starter_content(), seed=4711)
    seen = hashlib.sha256()
    for _ in range(400):
        try:
            leg, _, _ = drawer.question()
            seen.update(json_response(verify_body(door.verify(leg, now=NOW), "en")).content)
            trip, _ = drawer.trip()
            seen.update(json_response(trip_body(door.verify_trip(trip, now=NOW), "en")).content)
        except (ModelNotFound, AirlineNotCovered) as error:
            seen.update(error.code.encode())
    return seen.hexdigest()


@pytest.mark.usefixtures("starter_release")
def test_ten_thousand_repeated_questions_get_identical_bytes() -> None:
    drawer = Drawer(starter_content(), seed=20261120)
    question = Question(
        unit=Unit(model_id="anker-a1263", serial="SN 4711"), leg=Leg("CN", "JP", "CA"), travel_date=NOW.date()
    )
    answers = set()
    for number in range(10_000):
        answers.add(json_response(verify_body(door.verify(question, now=NOW), "en")).content)
        if number % 50 == 0:
            try:
                door.verify(drawer.question()[0], now=NOW)
            except (ModelNotFound, AirlineNotCovered):
                continue
    assert len(answers) == 1


@pytest.mark.usefixtures("asked_now")
def test_repeated_requests_get_identical_bytes(client: Client) -> None:
    asked = a_request(model_id="anker-a1263", serial="SN 4711")
    assert len({post(client, VERIFY, asked).content for _ in range(100)}) == 1


@pytest.mark.usefixtures("starter_release")
def test_two_processes_give_the_same_bytes() -> None:
    here = digest_of_many_answers()
    for seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", ANOTHER_PROCESS],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "compliance.settings"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.strip() == here
