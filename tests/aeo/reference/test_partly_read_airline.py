"""An airline whose policy is unverified as a whole, while some of its rules were read on an official page."""

import msgspec
import pytest

from rules import corpus
from rules.engine.document import Content
from tests.aeo.service.test_service_pages import words
from tests.support import starter
from tests.support.ledger import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_process")]

AIRLINE, PAGE = "VS", "/airlines/vs"
"""In the starter corpus its policy and all its rules are unverified."""


def with_confirmed(count: int) -> Content:
    """Return the starter content in which so many rules of the airline are confirmed."""
    content = starter.starter_content()
    own = [rule.rule_id for rule in content.rules if rule.airline == AIRLINE]
    assert len(own) >= count
    return msgspec.structs.replace(
        content,
        rules=tuple(
            msgspec.structs.replace(rule, confidence="confirmed") if rule.rule_id in own[:count] else rule
            for rule in content.rules
        ),
    )


def page_with(count: int) -> str:
    publish(with_confirmed(count))
    corpus.refresh()
    return words(PAGE)


def test_a_confirmed_rule_of_an_unverified_airline_is_said_next_to_what_is_not_confirmed() -> None:
    said = page_with(1)
    assert "as a whole is not confirmed. 1 of its rules was read on an official page." in said
    assert "Every verdict on its flights is conditional at best." in said
    assert "Only the confirmed rules were read on an official page." in said
    assert "no page of it has been read" not in said
    assert "No page of this policy was read" not in said
    assert "No page of the airline says so" not in said


def test_several_confirmed_rules_are_counted() -> None:
    assert "2 of its rules were read on an official page." in page_with(2)


def test_an_airline_without_a_confirmed_rule_is_still_said_to_be_unread() -> None:
    said = page_with(0)
    assert "no page of it has been read" in said
    assert "No page of the airline says so" in said
