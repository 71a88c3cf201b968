"""What the editors' tables make of a release."""

import random

import msgspec
from pytest_django import DjangoAssertNumQueries

from compliance.starter_corpus.files import STARTER_CORPUS
from compliance.starter_corpus.seeding import load
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls, withdraw_recalls
from rules.editing.actions import draft_rule
from rules.engine.document import Content, problems
from rules.next_release import compile_content
from rules.releases.ledger import canonical_text
from tests.rules.rows import CONTENT, PERMIT, RECALL, approver, write_down
from tests.support.releasing import Desk


def test_what_was_written_down_is_what_a_release_says(desk: Desk) -> None:
    write_down(CONTENT, by=desk.editor)

    assert compile_content() == CONTENT
    assert problems(CONTENT) == []


def test_the_same_rows_give_the_same_bytes_in_whatever_order_they_were_written(desk: Desk) -> None:
    backwards = Content(**{kind: getattr(CONTENT, kind)[::-1] for kind in CONTENT.__struct_fields__})
    write_down(backwards, by=desk.editor)

    assert canonical_text(compile_content()) == canonical_text(CONTENT)


def test_lists_are_ordered_by_identifier_character_by_character(desk: Desk) -> None:
    """Collations of a database put `ab` between `a-a` and `a-c`, each in its own way."""
    write_down(CONTENT, by=desk.editor)
    rule_ids = ["7c.a", "7c.a-a", "7c.a-c", "7c.a.a", "7c.ab", "7c.permit", "fr.dgac.max-two"]
    new = [msgspec.structs.replace(PERMIT, rule_id=name) for name in rule_ids if name.startswith("7c.a")]
    random.Random(1).shuffle(new)
    write_down(Content(rules=tuple(new)), by=desk.editor)

    assert [rule.rule_id for rule in compile_content().rules] == sorted(rule_ids)


def test_drafts_are_left_out(desk: Desk) -> None:
    write_down(CONTENT, by=desk.editor)
    draft_rule(by=desk.editor, rule=msgspec.structs.replace(PERMIT, rule_id="7c.draft"))
    draft_recall(by=desk.editor, recall=msgspec.structs.replace(RECALL, recall_id="fr-draft"))

    assert compile_content() == CONTENT


def test_a_recall_that_its_authority_has_ended_is_left_out_once_two_have_agreed_to_that(desk: Desk) -> None:
    write_down(CONTENT, by=desk.editor)
    desk.publish()
    withdraw_recalls(by=desk.editor, recall_ids=[RECALL.recall_id], reason="Closed by its authority.")
    submit_recalls(by=desk.editor, recall_ids=[RECALL.recall_id])
    assert compile_content() == CONTENT

    approve_recalls(by=approver(), recall_ids=[RECALL.recall_id])
    assert compile_content() == msgspec.structs.replace(CONTENT, recalls=())


def test_reading_the_whole_starter_corpus_takes_few_queries(
    db: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    load(STARTER_CORPUS)

    with django_assert_max_num_queries(13):
        content = compile_content()

    assert len(content.rules) > 1000
    assert problems(content) == []
