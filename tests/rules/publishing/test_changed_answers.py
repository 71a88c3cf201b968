"""The page that publishes, and that of a release, show how answers change as it was measured, and with it."""

import re

import pytest
import time_machine
from django.utils import timezone

from catalog.models import AuditEntry
from rules.editing.actions import approve_rules
from rules.impact.figures import short
from rules.impact.measurements import measured_changes, propose
from rules.impact.of_release import answers_changed, read_details
from rules.impact.survey import Result
from rules.models import Release
from rules.next_release import compile_content
from tests.rules.publishing.test_gate import (
    ALL,
    MINUTE,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    tighten,
    world,
)
from tests.support.factories import a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
MATRIX = re.compile(r'<table class="impact-matrix">.*?</table>', re.DOTALL)


def current() -> Release:
    release = Release.objects.current()
    assert release is not None
    return release


def measured() -> Result:
    found = measured_changes(propose(current(), compile_content()), day=timezone.now().date())
    assert found is not None
    assert found.result is not None
    return found.result


def first_matrix(page: str) -> str:
    found = MATRIX.search(page)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def page_of(person: Person, release: Release) -> str:
    return person.page(f"/admin/rules/release/{release.pk}/change/")


def change_both_ways(clock: Clock) -> None:
    tighten(a_user("tightener"))
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    loosen(a_user("loosener"), approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))


def test_a_release_shows_and_keeps_what_was_measured_before_it_went_out(world: Clock) -> None:
    change_both_ways(world)
    publisher, result = Person("publisher", "Publisher"), measured()
    assert result.lenient
    assert result.lenient < result.flipped
    before = first_matrix(publisher.page())
    assert before.endswith(short(result.flipped))

    assert publisher.publish() == ""

    [entry] = AuditEntry.objects.filter(kind="release", subject=str(current()))
    assert read_details(entry.details) == answers_changed(result)
    page = page_of(publisher, current())
    assert first_matrix(page) == before
    assert "By airline" in page
    assert "Southern Star (S2)" in page


def test_each_less_strict_cell_has_a_sign_and_the_words(world: Clock) -> None:
    change_both_ways(world)
    page = Person("viewer", "Viewer").page()
    cells = re.findall(
        r'<td data-label="[^"]*" class="([^"]*)">(.*?)</td>', MATRIX.findall(page)[0], re.DOTALL
    )
    milder = [inside for classes, inside in cells if "impact-lenient" in classes]
    assert milder
    assert all("▲" in one and "less strict" in one for one in milder)
    assert any("▼" in one and "stricter" in one for _, one in cells)
    assert all("▲" not in one for classes, one in cells if "impact-lenient" not in classes)


def test_a_roll_back_keeps_how_it_changed_answers(world: Clock) -> None:
    first = current()
    loosen(a_user("loosener"), approver=a_user(APPROVER), second=a_user("second"))
    world.shift(MINUTE)
    read_again(a_user("reader"))
    publisher = Person("publisher", *ALL)
    assert publisher.publish() == ""
    world.shift(MINUTE)
    assert roll_back(publisher, first) == ""
    [forth, back] = (
        read_details(AuditEntry.objects.get(kind="release", subject=str(one)).details)
        for one in Release.objects.order_by("-sequence")[:2][::-1]
    )
    assert forth is not None
    assert back is not None
    assert {(one.before, one.after, one.count) for one in forth.ways} == {
        (one.after, one.before, one.count) for one in back.ways
    }


def test_the_first_release_changes_no_answer_and_older_ones_say_that_it_is_not_known(world: Clock) -> None:
    publisher, first = Person("publisher", "Publisher"), current()
    assert "Changed answers" not in page_of(publisher, first)
    tighten(a_user("tightener"))
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    assert publisher.publish() == ""
    kept = "rules.publishing.admin.releases.read_details"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, lambda details: None)
        assert "It is not known how many answers changed" in page_of(publisher, current())
