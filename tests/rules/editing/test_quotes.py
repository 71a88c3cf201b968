"""Quotes as editors' rows: written by verbs with their rule, read back exactly, refused where unfit."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from catalog.errors import Unfit
from catalog.tables.history import history
from rules.editing.actions import approve_rules, change_rule, draft_rule, revise_rules, submit_rules
from rules.editing.models import validate_quotes
from rules.engine.facts import Quote
from rules.models import Rule
from rules.next_release import compile_content
from tests.support.factories import a_rule, a_user
from tests.support.quotes import a_quote, quotes_of
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows")

NEW = "n1.quoted"
PAGES = ("northwing-page", "xa-page")


def row() -> Rule:
    found: Rule = Rule.objects.identified([NEW]).get()
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(quotes=quotes_of(PAGES))
def test_quotes_are_read_back_as_they_were_written(editor: User, quotes: tuple[Quote, ...]) -> None:
    rule = a_rule(rule_id=NEW, sources=PAGES, quotes=quotes)
    with transaction.atomic():
        draft_rule(by=editor, rule=rule)
        assert row().to_record() == rule
        transaction.set_rollback(True)


def test_a_quote_goes_out_with_its_rule(editor: User) -> None:
    rule = a_rule(rule_id=NEW, quotes=(a_quote(),))
    draft_rule(by=editor, rule=rule)
    submit_rules(by=editor, rule_ids=[NEW])
    approve_rules(by=a_user(APPROVER), rule_ids=[NEW])
    assert rule in compile_content().rules


def test_the_next_revision_begins_with_the_quotes_and_its_history_tells_of_the_change(editor: User) -> None:
    draft_rule(by=editor, rule=a_rule(rule_id=NEW, quotes=(a_quote(),)))
    submit_rules(by=editor, rule_ids=[NEW])
    approve_rules(by=a_user(APPROVER), rule_ids=[NEW])
    revise_rules(by=editor, rule_ids=[NEW], reason="The page has changed.")
    revised = Rule.objects.get(rule_id=NEW, state="draft")
    assert revised.to_record().quotes == (a_quote(),)

    change_rule(by=editor, rule=replace(revised.to_record(), quotes=(a_quote(words="up to 100 Wh"),)))
    changed = [one for change in history(Rule, revised.pk) for one in change.fields if one.field == "quotes"]
    assert [[quote["words"] for quote in one.after] for one in changed] == [
        [a_quote().words],
        ["up to 100 Wh"],
    ]


def test_the_quotes_of_an_approved_rule_stay(editor: User) -> None:
    draft_rule(by=editor, rule=a_rule(rule_id=NEW, quotes=(a_quote(),)))
    submit_rules(by=editor, rule_ids=[NEW])
    approve_rules(by=a_user(APPROVER), rule_ids=[NEW])
    with pytest.raises(IntegrityError), transaction.atomic():
        Rule.objects.filter(rule_id=NEW).update(quotes=[])


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        (a_quote(source="xa-page"), "none of its sources"),
        (a_quote(words="no"), "2 characters"),
        (a_quote(where="w" * 121), "121 characters"),
    ],
)
def test_a_rule_with_an_unfit_quote_is_not_written(editor: User, quote: Quote, reason: str) -> None:
    with pytest.raises(Unfit, match=reason):
        draft_rule(by=editor, rule=a_rule(rule_id=NEW, quotes=(quote,)))
    assert not Rule.objects.filter(rule_id=NEW).exists()


@pytest.mark.parametrize(
    "stored", ["words", [{"source": "northwing-page"}], [{"words": "x", "page": 1}], [1]]
)
def test_what_is_no_quote_is_not_stored(stored: object) -> None:
    with pytest.raises(ValidationError, match="The quotes cannot be read"):
        validate_quotes(stored)
