"""Here requests and jobs have the rights of a deployment in the database, over a published world."""

import pytest

from rules.editing.actions import draft_rule, submit_rules
from tests.support.factories import a_rule, a_user

RULE = "n1.talk"


@pytest.fixture(autouse=True)
def _with_the_rights_of_a_deployment(roles_of_the_database: None, published_rows: None, db: None) -> None:
    """A rule in review waits, with the rights of a deployment."""
    draft_rule(by=a_user("author"), rule=a_rule(rule_id=RULE, sources=("northwing-page",)))
    submit_rules(by=a_user("author"), rule_ids=[RULE])
