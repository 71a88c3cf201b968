"""Two people at once: whoever comes second sees what the first one did."""

import threading
from collections.abc import Iterator
from functools import partial

import pytest
from django.contrib.auth.models import User

from catalog.editorial.workflow import State
from catalog.errors import WrongState
from rules.cases import Case
from rules.editing.actions import approve_rules, draft_rule, revise_rules, submit_rules, take_back_rules
from rules.engine.document import decode
from rules.models import Release, Rule
from rules.publishing.actions.releases import publish_release
from tests.support.factories import a_rule, a_user
from tests.support.releasing import NOON, elsewhere
from tests.support.world import APPROVER, build_world

ID = "n1.two-units"


@pytest.fixture
def people(committing_db: None) -> tuple[User, User]:
    """An editor and a reviewer, with the test world where other connections see it."""
    editor = a_user()
    build_world(by=editor)
    return editor, a_user(APPROVER)


def test_of_two_who_revise_at_once_one_is_told(people: tuple[User, User]) -> None:
    start = threading.Barrier(2)

    def revise(who: User) -> str:
        start.wait(20)
        try:
            revise_rules(by=who, rule_ids=[ID], reason="News.")
        except WrongState as refused:
            return refused.reason
        return "done"

    both = [elsewhere(partial(revise, who)) for who in people]
    assert sorted(one.result(20) for one in both) == ["already has an open revision", "done"]


def test_of_two_who_take_back_at_once_one_is_told(people: tuple[User, User]) -> None:
    _, reviewer = people
    start = threading.Barrier(2)

    def take_back() -> str:
        start.wait(20)
        try:
            take_back_rules(by=reviewer, rule_ids=[ID], reason="Wrong.")
        except WrongState as refused:
            return refused.reason
        return "done"

    both = [elsewhere(take_back) for _ in range(2)]
    assert sorted(one.result(20) for one in both) == ["done", "is withdrawn, not approved"]


def test_actions_wait_while_a_person_publishes_and_what_is_marked_is_what_is_published(
    people: tuple[User, User],
) -> None:
    editor, reviewer = people
    draft_rule(by=editor, rule=a_rule(rule_id="n1.new"))
    submit_rules(by=editor, rule_ids=["n1.new"])
    inside, go_on = threading.Event(), threading.Event()

    def slow_cases() -> Iterator[Case]:
        inside.set()
        assert go_on.wait(20)
        yield from ()

    publishing = elsewhere(lambda: publish_release(by=reviewer, note="News.", now=NOON, cases=slow_cases()))
    assert inside.wait(20)
    taking_back = elsewhere(lambda: take_back_rules(by=reviewer, rule_ids=[ID], reason="Wrong."))
    approving = elsewhere(lambda: approve_rules(by=reviewer, rule_ids=["n1.new"]))
    with pytest.raises(TimeoutError):
        approving.result(timeout=0.5)
    # Whoever only reads does not wait.
    assert Rule.objects.filter(state=State.IN_REVIEW).count() == 1
    go_on.set()

    release = publishing.result(20)
    approving.result(20)
    with pytest.raises(WrongState, match="is published, not approved"):
        taking_back.result(20)
    in_release = {rule.rule_id for rule in decode(release.document.encode()).content.rules}
    assert in_release == set(Rule.objects.filter(state=State.PUBLISHED).values_list("rule_id", flat=True))
    assert "n1.new" not in in_release
    assert Release.objects.count() == 1
