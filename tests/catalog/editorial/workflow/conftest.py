"""People of the desk, and the test world written down by one of them."""

import pytest

from recalls.editing.actions import discard_recalls
from rules.editing.actions import discard_rules
from tests.support.factories import a_user
from tests.support.world import RECALLS, RULES, build_world


@pytest.fixture
def empty_desk(db: None) -> None:
    """The test world without its rules and recalls."""
    build_world(by=a_user(), approved=False)
    discard_rules(by=a_user(), rule_ids=[rule.rule_id for rule in RULES], reason="Not needed.")
    discard_recalls(by=a_user(), recall_ids=[recall.recall_id for recall in RECALLS], reason="Not needed.")
