"""The engine is a function of its arguments: no framework, and once loaded no clock, no file, no connection.

Each claim is tried in an interpreter of its own, where what must not be used is taken away first.
"""

import subprocess
import sys

import pytest

from compliance.services.embedded import REPOSITORY

PROJECT = REPOSITORY

WITHOUT_FRAMEWORKS = """
import sys

FRAMEWORKS = {"celery", "django", "environs", "psycopg", "redis", "rest_framework", "structlog"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FRAMEWORKS:
            raise ImportError(f"{name} is out of bounds for the engine")

sys.meta_path.insert(0, Blocked())
"""

LOADED = """
import datetime
import pathlib

import msgspec

from rules.engine import facts
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Country, Leg, Question, TripQuestion, Unit
from rules.engine.trip import evaluate_trip

def rows(name, kind):
    path = pathlib.Path("compliance/starter_corpus") / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=tuple[kind, ...])

corpus = Corpus(
    Content(
        countries=tuple(Country(code=code, name=code) for code in ("CN", "JP")),
        airlines=rows("airline_policies", facts.Airline),
        jurisdictions=rows("jurisdictions", facts.Jurisdiction),
        sources=rows("sources", facts.Source),
        devices=rows("devices", facts.Device),
        rules=rows("rules", facts.Rule),
        recalls=rows("recalls", facts.Recall),
    )
)
day = datetime.date(2026, 11, 20)
legs = (Leg("CN", "CN", "CA"), Leg("CN", "JP", "CA"))
units = (Unit(model_id="anker-a1263"), Unit(model_id="baseus-bs-30kp365", serial="BS30KP365-01A"))
questions = [Question(unit=unit, leg=leg, travel_date=day) for unit in units for leg in legs]
trips = [TripQuestion(unit=unit, legs=legs, travel_date=day) for unit in units]

def ask_everything():
    return (
        [evaluate_leg(corpus, question, today=day) for question in questions],
        [evaluate_trip(corpus, trip, today=day) for trip in trips],
    )
"""

NO_CLOCK = """
import datetime as calendar
import sys

def watch(frame, event, called):
    if event == "c_call" and (
        getattr(called, "__module__", None) == "time"
        or called.__name__ in {"today", "now", "utcnow"}
        and called.__self__ in (calendar.date, calendar.datetime)
    ):
        raise AssertionError(f"the engine read the clock: {called}")

sys.setprofile(watch)
"""

NO_OUTSIDE = """
import sys

OUTSIDE = {"import", "open", "os.listdir", "os.scandir", "socket.connect", "subprocess.Popen"}

def watch(event, arguments):
    if event in OUTSIDE:
        raise AssertionError(f"the engine reached outside: {event} {arguments}")

sys.addaudithook(watch)
"""


def test_the_engine_answers_where_no_framework_can_be_imported() -> None:
    _run(WITHOUT_FRAMEWORKS, LOADED, 'assert ask_everything()[0][0].verdict == "banned"')


def test_an_answer_reads_no_clock() -> None:
    _run(LOADED, NO_CLOCK, "ask_everything()")


def test_a_loaded_engine_opens_no_file_no_connection_and_no_module() -> None:
    _run(LOADED, NO_OUTSIDE, "ask_everything()")


@pytest.mark.parametrize(
    ("taken_away", "use", "complaint"),
    [
        (WITHOUT_FRAMEWORKS, "import django", "out of bounds"),
        (NO_CLOCK, "import datetime; datetime.date.today()", "read the clock"),
        (NO_CLOCK, "from datetime import datetime; datetime.now()", "read the clock"),
        (NO_CLOCK, "import time; time.time()", "read the clock"),
        (NO_OUTSIDE, "open('/dev/null')", "reached outside"),
    ],
)
def test_what_is_taken_away_would_be_missed(taken_away: str, use: str, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        _run(taken_away, use)


def test_the_same_question_gets_the_same_answer_every_time_and_in_every_process() -> None:
    program = "for _ in range(3): print(ask_everything())"
    first = _run("import os; assert os.environ['PYTHONHASHSEED'] == '1'", LOADED, program, seed=1)
    second = _run("import os; assert os.environ['PYTHONHASHSEED'] == '2'", LOADED, program, seed=2)
    assert first == second
    assert len(set(first.splitlines())) == 1


def _run(*program: str, seed: int = 0) -> str:
    result = subprocess.run(
        [sys.executable, "-c", "\n".join(program)],
        cwd=PROJECT,
        env={"PYTHONHASHSEED": str(seed), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
