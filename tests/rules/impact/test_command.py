"""`manage.py corpus impact`: which answers would flip if the approved rows were published now."""

import io
import re

import msgspec
import pytest
from django.core.management import CommandError, call_command

from catalog.models import Source
from rules.editing.actions import approve_rules, draft_rule, submit_rules
from rules.engine.facts import Params
from rules.models import Rule
from tests.support.factories import a_user

pytestmark = [pytest.mark.usefixtures("starter_rows", "starter_release"), pytest.mark.django_db]


def impact(*arguments: str) -> str:
    output = io.StringIO()
    call_command("corpus", "impact", *arguments, stdout=output)
    return output.getvalue()


def approve_one_unit_for_qatar() -> None:
    like = Rule.objects.get(rule_id="sq.max-units").to_record()
    rule = msgspec.structs.replace(like, rule_id="qr.one-unit", airline="QR", params=Params(max_units=1))
    draft_rule(by=a_user("editor"), rule=rule)
    submit_rules(by=a_user("editor"), rule_ids=["qr.one-unit"])
    approve_rules(by=a_user("reviewer"), rule_ids=["qr.one-unit"])


def test_nothing_would_flip_while_the_rows_say_what_the_release_says() -> None:
    assert impact().startswith("0 of ")


def test_a_new_rule_shows_how_many_answers_flip_and_both_ways_to_one_of_them() -> None:
    approve_one_unit_for_qatar()
    report = impact()
    assert "0 would be less strict." in report
    assert "  allowed → banned: " in report
    assert "By airline: QR " in report
    assert re.search(r"^By model: .*, and \d+ more$", report, flags=re.MULTILINE)
    assert "2 units of " in report
    before, after = [line for line in report.splitlines() if line.startswith(("  before", "  after"))][:2]
    assert "qr.one-unit" not in before
    assert "qr.one-unit" in after
    assert after.endswith("verdict.banned")


def test_all_means_all() -> None:
    approve_one_unit_for_qatar()
    assert " more" not in impact("--all")


def test_rows_that_cannot_be_published_are_named() -> None:
    Source.objects.update(basis="general_knowledge")
    with pytest.raises(CommandError, match=re.escape("sq.max-units")):
        impact()
