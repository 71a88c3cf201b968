"""The gate when two requests come at the same moment, each on a connection of its own."""

import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from catalog.editorial.selectors import audit_log
from rules.cases import Case
from rules.editing.actions import approve_rules, take_back_rules
from rules.models import Release, Rule
from rules.publishing.actions.releases import publish_release
from tests.rules.publishing.test_gate import ALL, ONE_UNIT, START, Person, cases, loosen, roll_back, tighten
from tests.rules.publishing.test_gate_over_http import (
    EVERY_ROLE,
    TWO_PEOPLE,
    TWO_UNITS,
    Attack,
    press,
    publish,
    shown,
    verdicts,
)
from tests.rules.publishing.test_waiting import a_recall_by, approve, publish_alone, waiting
from tests.support.factories import a_user
from tests.support.releasing import elsewhere
from tests.support.world import APPROVER, build_world

__all__ = ["cases"]

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.fixture
def committed(transactional_db: None, cases: list[Case]) -> Iterator[Attack]:
    """The world where other connections see it."""
    call_command("migrate", verbosity=0)
    with time_machine.travel(START, tick=True) as clock:
        build_world(by=a_user())
        publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
        yield Attack(Person("mallory", *EVERY_ROLE), Person("mallory-too", "Viewer"), clock, cases)
    with connection.cursor() as cursor:
        cursor.execute(
            "SET rules.ledger_may_be_emptied = 'yes'; SET catalog.audit_log_may_be_emptied = 'yes'"
        )


def at_once(*presses: Callable[[], str]) -> list[str]:
    start = threading.Barrier(len(presses))

    def wait(press: Callable[[], str]) -> str:
        start.wait(20)
        return press()

    return [one.result(60) for one in [elsewhere(partial(wait, press)) for press in presses]]


def test_two_presses_at_once_are_one_person(committed: Attack) -> None:
    """Both approvals, both sides of a roll-back, and one release twice: in two threads with one session."""
    me, before = committed.me, verdicts()
    other = Person(str(me.user), *EVERY_ROLE)

    loosen(a_user("other"))
    at_once(partial(press, me, "approve"), partial(press, other, "approve_again"))
    row = Rule.objects.get(rule_id=ONE_UNIT, revision=2)
    assert (row.approved_by_id, row.second_approved_by_id) in [(me.user.pk, None), (None, None)]
    assert "409" in publish(me)
    take_back_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT], reason="No.")

    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    sent, first = shown(), Release.objects.current()
    assert first is not None
    answers = at_once(partial(publish, me, **sent), partial(publish, other, **sent))
    assert sorted(answer[:3] for answer in answers) == ["", "409"]
    assert Release.objects.count() == 2

    at_once(partial(roll_back, me, first, request="yes"), partial(roll_back, other, first))
    assert TWO_PEOPLE in roll_back(me, first)
    assert Release.objects.count() == 2
    assert verdicts() == before


def test_of_two_approvals_at_once_one_counts(committed: Attack) -> None:
    tighten(committed.me.user)
    version = publish_alone(committed.me, rule="n1.two-units")
    one, other = Person("one", "Reviewer"), Person("other", "Reviewer")
    answers = at_once(partial(approve, one, version), partial(approve, other, version))
    assert sorted(map(bool, answers)) == [False, True]
    assert "already has its second approval" in max(answers)
    assert [entry.verb for entry in audit_log("release", version)].count("approve") == 1


def test_an_approval_closes_nothing_that_comes_at_the_same_moment(committed: Attack) -> None:
    tighten(committed.me.user)
    version = publish_alone(committed.me, rule="n1.two-units")
    recall = a_recall_by(committed.me, "xb-lynx-27k-0")
    other, again = Person("other", "Reviewer"), Person(str(committed.me.user), *ALL)
    at_once(partial(approve, other, version), partial(publish_alone, again, recall=recall))
    assert waiting() == [str(Release.objects.current())]
    assert waiting() != [version]
