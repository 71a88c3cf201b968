"""Where nothing is published, nothing is measured."""

import pytest

from rules.impact.actions.measuring import NotMeasurable
from rules.models import Rule
from tests.rules.impact.test_measuring import ask
from tests.rules.impact.test_screens import PAGE, PUBLISHING, followed
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.world import build_world


def test_without_a_release_the_page_says_so(db: None) -> None:
    visitor = Visitor(superuser=True)
    assert "No release is published yet" in visitor.page(PUBLISHING)
    build_world(by=a_user())
    assert "No release is published yet" in followed(
        visitor, f"{PAGE}drafts/", rule=str(Rule.objects.all()[0].pk)
    )


def test_without_a_release_there_is_nothing_to_compare_with(db: None) -> None:
    build_world(by=a_user())
    with pytest.raises(NotMeasurable, match="No release"):
        ask(a_user())
