"""People of the desk, and the test world written down by one of them."""

import pytest
from django.contrib.auth.models import User

from recalls.actions import discard_recalls
from rules.actions.rules import discard_rules
from tests.factories import a_user
from tests.world import APPROVER, RECALLS, RULES, build_world


@pytest.fixture
def editor(db: None) -> User:
    """Who wrote the test world: all its rules and recalls are approved, and none is published."""
    editor = a_user()
    build_world(by=editor)
    return editor


@pytest.fixture
def reviewer(editor: User) -> User:
    """Who approved it."""
    return a_user(APPROVER)


@pytest.fixture
def empty_desk(db: None) -> None:
    """The test world without its rules and recalls."""
    build_world(by=a_user(), approved=False)
    discard_rules(by=a_user(), rule_ids=[rule.rule_id for rule in RULES], reason="Not needed.")
    discard_recalls(by=a_user(), recall_ids=[recall.recall_id for recall in RECALLS], reason="Not needed.")
