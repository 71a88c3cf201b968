"""The questions with known answers, asked in this process: some of each kind, and what a wrong answer is."""

from collections import Counter
from collections.abc import Iterator

import pytest
import time_machine

from checks.agents.endpoint import Json, Send, call
from checks.agents.questions import Known, facts_of, questions, wrong
from checks.agents.tasks import TASKS, effort
from rules.corpus import Published
from tests.support.agent_client import say
from tests.support.api_callers import a_client
from tests.support.starter import NOW

AT_LEAST = 200


@pytest.fixture(scope="module")
def asked() -> list[Known]:
    return questions(NOW.date())


@pytest.fixture
def send(starter_release: Published) -> Iterator[Send]:
    """Send messages to the starter corpus at `NOW`, each as a new caller."""

    def one(method: str, params: Json) -> Json:
        result: Json = say(a_client(), method, params).json()["result"]
        return result

    with time_machine.travel(NOW, tick=False):
        yield one


def test_the_tools_know_the_answers(send: Send, asked: list[Known]) -> None:
    for known in asked[::4]:
        assert wrong(known, call(send, known.tool, known.arguments).result) == {}, known


def test_there_are_enough_questions_and_answers_of_every_kind(asked: list[Known]) -> None:
    assert len(asked) >= AT_LEAST
    assert len({str(known) for known in asked}) == len(asked)
    assert {"verify_power_bank", "verify_trip", "verify_itinerary", "check_recall"} <= {
        known.tool for known in asked
    }
    verdicts = Counter(known.expected.get("verdict") for known in asked)
    assert min(verdicts[one] for one in ("allowed", "conditional", "banned", "insufficient")) >= 5, verdicts
    assert len({known.expected["recall_status"] for known in asked if known.tool == "check_recall"}) >= 2


def test_a_wrong_answer_is_seen(send: Send, asked: list[Known]) -> None:
    known = next(one for one in asked if one.expected.get("verdict") == "banned")
    right = call(send, known.tool, known.arguments).result
    assert facts_of(right)["verdict"] == "banned"
    lenient = {**right, "clear_to_pack": True, "answer": {**right["answer"], "verdict": "allowed"}}
    assert wrong(known, lenient).items() >= {"verdict": "allowed", "clear": True}.items()
    assert "verdict" in wrong(known, {"answer": None, "gap": None})


def test_an_agent_reads_less_than_a_third_of_what_it_once_read(send: Send) -> None:
    """Once it read 34,124 tokens before its first call, and then 2,315 for a task."""
    measured = effort(send)
    assert len(TASKS) == len(measured.of_tasks) == 21
    assert measured.first < 9_000
    assert measured.mean_of_results < 2_315 * 2 / 3
