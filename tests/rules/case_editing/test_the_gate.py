"""Who changes a case that stops a release: never one who wrote in what it stops."""

from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import DjangoDbBlocker

from catalog.editorial.selectors import audit_log
from catalog.tables.actions.accounts import program_account
from rules.case_editing.actions import (
    approve_cases,
    change_case,
    discard_cases,
    draft_case,
    revise_cases,
    submit_cases,
    withdraw_cases,
)
from rules.case_editing.models import VerdictCase
from rules.case_editing.selectors import cases_in_force, changed_cases
from rules.cases import Case, CaseError, Expect, digest_of_cases, outcome_digest
from rules.models import Release
from rules.publishing.actions.case_acceptance import accept_cases
from rules.publishing.actions.releases import NotPublishable, publish_release
from rules.publishing.actions.rolling_back import request_roll_back, roll_back_release
from rules.publishing.candidate import candidate
from rules.releases import signing
from rules.releases.ledger import verify_ledger
from tests.rules.publishing.test_gate import MINUTE, ONE_ONLY, START, loosen, read_again
from tests.support.factories import a_user
from tests.support.world import APPROVER, build_world

TWO_TRAVEL = replace(ONE_ONLY, expect=Expect(verdict="allowed"))
EARLIER = f"{ONE_ONLY.name} (revision 1)"


@pytest.fixture(scope="module")
def published(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test world, published, with one case: Southern Star takes one unit."""
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(START, tick=False) as clock:
            build_world(by=a_user())
            put_in_force(ONE_ONLY, by=a_user("cleo"), approver=a_user("carl"))
            clock.shift(MINUTE)
            publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
        connection.check_constraints()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def world(published: None, db: None) -> Iterator[time_machine.Traveller]:
    """The clock two minutes later, when ann has written a milder rule with all that it needs."""
    with time_machine.travel(START + 3 * MINUTE, tick=False) as clock:
        loosen(a_user("ann"), approver=a_user(APPROVER), second=a_user("second"))
        clock.shift(MINUTE)
        read_again(a_user("reader"))
        yield clock


def put_in_force(case: Case, *, by: User, approver: User) -> None:
    draft_case(by=by, case=case)
    submit_cases(by=by, names=[case.name])
    approve_cases(by=approver, names=[case.name])


def correct(by: User, approver: User, case: Case = TWO_TRAVEL) -> None:
    revise_cases(by=by, names=[case.name], reason="The airline takes two.")
    change_case(by=by, case=case)
    submit_cases(by=by, names=[case.name])
    approve_cases(by=approver, names=[case.name])


def end(by: User, approver: User) -> None:
    withdraw_cases(by=by, names=[ONE_ONLY.name], reason="It is of no use.")
    submit_cases(by=by, names=[ONE_ONLY.name])
    approve_cases(by=approver, names=[ONE_ONLY.name])


def publish() -> Release:
    return publish_release(by=a_user("publisher"), note="Two units.", now=timezone.now())


def failing() -> list[str]:
    return [one.judged.case.name for one in candidate().failing]


def test_a_case_that_editors_keep_stops_a_milder_release(world: time_machine.Traveller) -> None:
    with pytest.raises(NotPublishable, match=r"routes\.yaml, “Two units on Southern Star"):
        publish()


def test_two_other_people_correct_the_case_and_it_goes_out(world: time_machine.Traveller) -> None:
    correct(a_user("cleo"), a_user("carl"))
    assert failing() == []
    publish()


def test_a_case_that_its_author_rewrites_is_asked_as_it_was(world: time_machine.Traveller) -> None:
    correct(a_user("ann"), a_user("carl"))
    assert failing() == [EARLIER]
    with pytest.raises(NotPublishable, match="revision 1"):
        publish()


def test_an_author_who_approves_the_rewritten_case_changes_nothing_either(
    world: time_machine.Traveller,
) -> None:
    correct(a_user("carl"), a_user("ann"))
    with pytest.raises(NotPublishable, match="revision 1"):
        publish()


@pytest.mark.parametrize(("by", "approver"), [("ann", "carl"), ("carl", "ann")])
def test_a_case_that_an_author_ends_is_asked_as_it_was(
    world: time_machine.Traveller, by: str, approver: str
) -> None:
    end(a_user(by), a_user(approver))
    another = replace(TWO_TRAVEL, name="Two units travel on Southern Star.")
    put_in_force(another, by=a_user("cleo"), approver=a_user("carl"))
    with pytest.raises(NotPublishable, match="revision 1"):
        publish()


def test_a_case_that_an_author_loosened_before_an_earlier_release_is_asked_as_it_was(
    published: None, db: None
) -> None:
    with time_machine.travel(START + 3 * MINUTE, tick=False) as clock:
        correct(a_user("ann"), a_user("carl"), replace(ONE_ONLY, expect=Expect(error="AIRLINE_NOT_COVERED")))
        correct(a_user("cleo"), a_user("carl"))
        loosen(a_user("ann"), approver=a_user(APPROVER), second=a_user("second"))
        clock.shift(MINUTE)
        read_again(a_user("reader"))
        assert failing() == [EARLIER]


def test_what_two_others_corrected_before_an_author_took_part_is_what_counts(
    world: time_machine.Traveller,
) -> None:
    correct(a_user("cleo"), a_user("carl"))
    correct(a_user("ann"), a_user("carl"), replace(TWO_TRAVEL, note="Read on the airline's page."))
    assert failing() == []


def test_who_wrote_the_words_in_a_discarded_draft_wrote_them(world: time_machine.Traveller) -> None:
    revise_cases(by=a_user("ann"), names=[ONE_ONLY.name], reason="The airline takes two.")
    change_case(by=a_user("ann"), case=TWO_TRAVEL)
    discard_cases(by=a_user("ann"), names=[ONE_ONLY.name], reason="Carl does it.")
    correct(a_user("cleo"), a_user("carl"))
    assert failing() == [EARLIER]


def test_a_draft_and_what_waits_for_review_change_nothing(world: time_machine.Traveller) -> None:
    revise_cases(by=a_user("cleo"), names=[ONE_ONLY.name], reason="The airline takes two.")
    change_case(by=a_user("cleo"), case=TWO_TRAVEL)
    assert failing() == [ONE_ONLY.name]
    submit_cases(by=a_user("cleo"), names=[ONE_ONLY.name])
    assert failing() == [ONE_ONLY.name]


def test_two_reviewers_accept_what_an_author_changed(world: time_machine.Traveller) -> None:
    correct(a_user("ann"), a_user("carl"))
    (earlier,) = candidate().failing
    assert earlier.earlier
    for name in ("first-reviewer", "second-reviewer"):
        accept_cases(
            by=a_user(name),
            reason="The page says so.",
            now=timezone.now(),
            shown={EARLIER: outcome_digest(earlier.judged)},
        )
    publish()


def test_after_it_is_out_the_earlier_text_stops_nothing_more(world: time_machine.Traveller) -> None:
    correct(a_user("cleo"), a_user("carl"))
    publish()
    world.shift(MINUTE)
    correct(a_user("ann"), a_user("carl"), replace(TWO_TRAVEL, note="Read on the airline's page."))
    loosen(a_user("ann"), approver=a_user(APPROVER), second=a_user("second"), units=3)
    # The text of the first revision fails in the release in force already, with the same words.
    assert changed_cases()[0].as_before([a_user("ann").pk]) is None
    assert failing() == []


def test_a_case_that_a_program_proposes_and_a_person_approves_is_nobody_s_work(
    world: time_machine.Traveller,
) -> None:
    update = program_account("starter-corpus-update")
    correct(update, a_user("carl"))
    (changed,) = changed_cases()
    assert changed.as_before([update.pk]) is None
    assert changed.as_before([a_user("carl").pk]) == replace(ONE_ONLY, name=EARLIER)


def test_a_roll_back_that_is_only_stricter_is_asked_the_cases_in_force_and_goes(
    world: time_machine.Traveller,
) -> None:
    correct(a_user("cleo"), a_user("carl"))
    first = Release.objects.get()
    publish()
    world.shift(MINUTE)
    by = a_user("publisher")
    request_roll_back(by=a_user("other"), to=str(first), reason="A mistake.", now=timezone.now())
    back = roll_back_release(by=by, to=str(first), reason="A mistake.", now=timezone.now())
    (entry,) = audit_log("release", str(back))
    assert entry.details["failing_cases"] == [ONE_ONLY.name]


def test_the_statement_of_a_release_names_the_digest_of_its_cases(world: time_machine.Traveller) -> None:
    correct(a_user("cleo"), a_user("carl"))
    release = publish()
    stated = signing.believed(signing.row_of(release), signing.signatures_of(release))
    assert stated is not None
    assert stated["cases_sha256"] == digest_of_cases(cases_in_force())
    assert verify_ledger() == []


def test_nothing_is_published_while_no_case_is_in_force(world: time_machine.Traveller) -> None:
    end(a_user("cleo"), a_user("carl"))
    assert not VerdictCase.objects.filter(state="published", withdraws=False).exists()
    with pytest.raises(CaseError, match="no verdict case is in force"):
        publish()
