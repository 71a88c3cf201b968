"""`make same` asks both versions the same, and sees every difference that is not one of ids and times."""

import json
import random
from collections import Counter
from typing import Any

import pytest
import time_machine
from django.test import Client

from checks.same_answers.asking import Listed, Request, itineraries
from checks.same_answers.comparing import Answer, comparable
from tests.support.starter import NOW

LISTED = Listed(
    models=["anker-a1289", "anker-a1263", "romoss-pea40"],
    airlines=["EK", "QR", "BA", "SQ"],
    rules=[],
    recalls=[],
    countries=["AE", "GB", "US", "CN", "JP"],
)


def asked(seed: int) -> list[Request]:
    return list(itineraries(LISTED, random.Random(seed)))


def test_a_seed_always_asks_the_same_and_another_one_something_else() -> None:
    assert asked(1) == asked(1)
    assert asked(1) != asked(2)


@pytest.mark.usefixtures("starter_release")
@time_machine.travel(NOW, tick=False)
def test_most_itineraries_are_answered_by_the_api_and_on_every_page() -> None:
    answered: Counter[str] = Counter()
    for one in [*asked(1)[:60], *asked(1)[-60:]]:
        headers = dict(one.headers) if one.headers else {"accept": "text/html"}
        answer: Any = Client(headers=headers).generic(one.method, one.path, one.body, "application/json")
        answered[one.path.partition("?")[0].rpartition("/")[2]] += answer.status_code == 200
        assert answer.status_code in {200, 302, 400, 404}, (one, answer.content)
    assert answered["verify"] > 40
    assert answered["itinerary"] > 20
    assert answered["card"] > 5


def an_answer(**changed: Any) -> Answer:
    body = {
        "verdict": "allowed",
        "verdict_id": "vdt_" + "a" * 26,
        "generated_at": "2026-11-27T10:00:00Z",
        **changed,
    }
    return Answer(200, {"content-type": "application/json"}, json.dumps(body).encode())


def test_ids_and_times_are_no_difference_and_a_verdict_is_one() -> None:
    before = comparable(an_answer())
    assert comparable(an_answer(verdict_id="vdt_" + "b" * 26, generated_at="2026-11-27T10:00:09Z")) == before
    in_markdown = [an_answer()._replace(body=b"Verdict ID: vdt\\_" + 26 * one) for one in (b"a", b"b")]
    assert len(set(map(comparable, in_markdown))) == 1
    assert comparable(an_answer(verdict="banned")) != before
    assert comparable(an_answer()._replace(status=404)) != before
