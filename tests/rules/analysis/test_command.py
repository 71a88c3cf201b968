"""`manage.py corpus check`: every oddity of the rules is mended, or accepted with a reason that stands."""

import io

import msgspec
import pytest
from django.core.management import CommandError, call_command

from catalog.errors import AlreadyRecorded, NotRecorded, Unfit
from rules.analysis.actions import accept_findings, reopen_finding
from rules.analysis.checks import Acceptance
from rules.analysis.open_findings import current_findings
from rules.editing.actions import approve_rules, draft_rule, submit_rules
from rules.models import AcceptedFinding, Rule
from tests.support.factories import a_user
from tests.support.starter import NOW

TODAY = NOW.date()
pytestmark = [pytest.mark.usefixtures("starter_rows"), pytest.mark.django_db]


def check(*arguments: str) -> str:
    output = io.StringIO()
    call_command("corpus", "check", *arguments, stdout=output)
    return output.getvalue()


def test_every_problem_of_the_starter_corpus_is_accepted_with_a_reason() -> None:
    sorted_findings = current_findings(today=TODAY)
    assert sorted_findings.open == []
    assert sorted_findings.outlived == []
    assert len(sorted_findings.accepted) == AcceptedFinding.objects.count() == 90
    assert all(acceptance.reason.endswith(".") for _, acceptance in sorted_findings.accepted)
    assert "0 open, 90 accepted" in check()
    assert "Spirit Airlines has ceased operations." in check("--all")


def test_a_finding_that_no_one_accepted_fails_the_check_and_says_what_to_mend() -> None:
    editor, reviewer = a_user("editor"), a_user("reviewer")
    permit = Rule.objects.filter(airline="SQ", effect="permit").order_by("rule_id")[0].to_record()
    draft_rule(by=editor, rule=msgspec.structs.replace(permit, rule_id="sq.twin"))
    submit_rules(by=editor, rule_ids=["sq.twin"])
    approve_rules(by=reviewer, rule_ids=["sq.twin"])
    output = io.StringIO()
    with pytest.raises(CommandError, match="accept it with a reason"):
        call_command("corpus", "check", stdout=output)
    assert "Open: Shadowed (1)." in output.getvalue()
    assert "sq.twin" in output.getvalue()


def test_a_finding_can_be_taken_up_again() -> None:
    key = "airline_not_covered:NK"
    reopen_finding(by=a_user(), key=key)
    assert [one.key for one in current_findings(today=TODAY).open] == [key]
    with pytest.raises(NotRecorded):
        reopen_finding(by=a_user(), key=key)


def test_an_acceptance_that_nothing_needs_any_more_is_told() -> None:
    accept_findings(by=a_user("editor"), acceptances=[Acceptance(key="gap:gone", reason="It was there.")])
    assert [one.key for one in current_findings(today=TODAY).outlived] == ["gap:gone"]
    assert "Accepted, but no longer found: gap:gone" in check()


def test_a_finding_is_accepted_once_and_not_without_a_reason() -> None:
    editor, known = a_user("editor"), AcceptedFinding.objects.count()
    with pytest.raises(AlreadyRecorded):
        accept_findings(by=editor, acceptances=[Acceptance(key="airline_not_covered:NK", reason="Again.")])
    with pytest.raises(Unfit):
        accept_findings(by=editor, acceptances=[Acceptance(key="gap:new", reason=" ")])
    assert AcceptedFinding.objects.count() == known


def test_what_comes_and_goes_with_the_date_is_told_without_failing_the_check() -> None:
    assert "For information: Expired (15)." in check()
