"""A release whose publisher wrote no note says by itself what it brings."""

import datetime

import msgspec

from rules.engine.document import Content
from rules.engine.facts import Params, Rule
from rules.publishing.release_notes import release_note
from tests.support.starter import starter_content

LIKE = next(rule for rule in starter_content().rules if rule.rule_id == "sq.max-units")
ONE_UNIT = msgspec.structs.replace(
    LIKE,
    rule_id="qr.one-unit",
    airline="QR",
    params=Params(max_units=1),
    effective_from=datetime.date(2026, 12, 1),
)


def with_rules(*rules: Rule) -> Content:
    ids = {rule.rule_id for rule in rules}
    kept = tuple(rule for rule in starter_content().rules if rule.rule_id not in ids)
    return msgspec.structs.replace(starter_content(), rules=(*kept, *rules))


def test_a_new_rule_is_named_with_its_airline_and_its_day() -> None:
    assert release_note(starter_content(), with_rules(ONE_UNIT)) == (
        "Rules: 1 added (qr.one-unit). Airlines: QR. Dates: from 1 December 2026."
    )


def test_what_is_withdrawn_is_called_so() -> None:
    assert release_note(with_rules(ONE_UNIT), starter_content()).startswith(
        "Rules: 1 withdrawn (qr.one-unit)."
    )


def test_rules_and_recalls_come_before_what_they_rest_on() -> None:
    content = starter_content()
    after = msgspec.structs.replace(
        content,
        sources=content.sources[1:],
        recalls=content.recalls[1:],
        rules=(*content.rules, ONE_UNIT),
    )
    note = release_note(content, after)
    assert note.index("Rules:") < note.index("Recalls:") < note.index("Sources:")


def test_many_changes_are_counted_and_the_first_are_named() -> None:
    changed = [
        msgspec.structs.replace(rule, summary=f"{rule.summary} Again.") for rule in starter_content().rules
    ]
    note = release_note(starter_content(), with_rules(*changed))
    assert note.startswith("Rules: 1,201 changed (3u.approval-100-160wh, ")
    assert " and 1,189 more)." in note
    assert len(note) < 1000


def test_the_first_release_and_an_unchanged_one_say_so() -> None:
    assert release_note(None, starter_content()) == "First release: 1,201 rules, 137 recalls."
    assert release_note(starter_content(), starter_content()) == "Nothing has changed."
