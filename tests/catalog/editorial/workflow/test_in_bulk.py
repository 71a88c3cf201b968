"""One verb for many records, each by itself."""

import pytest
from django.contrib.auth.models import User

from catalog.models import AuditEntry
from catalog.tables.actions.best_effort import try_each
from rules.editing.actions import draft_rules, submit_rules
from rules.models import Rule
from tests.support.factories import a_rule

NAMES = ["n1.one", "n1.two", "n1.three"]


@pytest.fixture
def _drafts(editor: User) -> None:
    draft_rules(by=editor, rules=[a_rule(rule_id=name) for name in NAMES])
    submit_rules(by=editor, rule_ids=["n1.two"])


def states() -> dict[str, str]:
    return dict(Rule.objects.filter(rule_id__in=NAMES).values_list("rule_id", "state"))


@pytest.mark.usefixtures("_drafts")
def test_what_one_record_refuses_keeps_no_other_from_being_done(editor: User) -> None:
    outcomes = try_each([*NAMES, "n1.four"], lambda name: submit_rules(by=editor, rule_ids=[name]))

    assert outcomes == [
        ("n1.one", ""),
        ("n1.two", "is in review, not draft"),
        ("n1.three", ""),
        ("n1.four", "there is no such rule"),
    ]
    assert set(states().values()) == {"in_review"}


@pytest.mark.usefixtures("_drafts")
def test_what_is_only_tried_says_the_same_and_leaves_nothing_behind(editor: User) -> None:
    before, logged = states(), AuditEntry.objects.count()
    outcomes = try_each(NAMES, lambda name: submit_rules(by=editor, rule_ids=[name]), keep=False)

    assert [reason for _, reason in outcomes] == ["", "is in review, not draft", ""]
    assert (states(), AuditEntry.objects.count()) == (before, logged)


@pytest.mark.usefixtures("_drafts")
def test_what_was_done_before_something_breaks_stays_done(editor: User) -> None:
    def submit(name: str) -> None:
        submit_rules(by=editor, rule_ids=[name])
        if name == "n1.three":
            raise OSError("The line is cut.")

    with pytest.raises(OSError, match="cut"):
        try_each(["n1.one", "n1.three"], submit)
    assert states() == {"n1.one": "in_review", "n1.two": "in_review", "n1.three": "draft"}
