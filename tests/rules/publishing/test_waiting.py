"""Releases that one person published alone: one look at the newest closes them all."""

import re
from typing import Any

import pytest
import time_machine
from django.db.models import ProtectedError
from msgspec.structs import replace

from catalog.editorial.selectors import audit_log
from recalls.editing.actions import draft_recall, submit_recalls
from rules.models import Release, SoloRelease
from tests.rules.publishing.test_gate import (
    ALL,
    MINUTE,
    PUBLISH,
    Person,
    cases,
    clock,
    published,
    tighten,
    world,
)
from tests.support.desk.publishing import shown_alone
from tests.support.factories import an_unread_recall

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

RECALL = an_unread_recall()


def publish_alone(by: Person, **ticked: Any) -> str:
    answer = by.post(f"{PUBLISH}alone/", **shown_alone(), reason="Fires.", **ticked)
    assert answer.status_code == 302
    return str(Release.objects.current())


def a_recall_by(by: Person, recall_id: str) -> str:
    draft_recall(by=by.user, recall=replace(RECALL, recall_id=recall_id))
    submit_recalls(by=by.user, recall_ids=[recall_id])
    return recall_id


def three_alone(world: time_machine.Traveller, first: Person, *others: Person) -> list[str]:
    """Publish a stricter rule and two recalls, each alone."""
    second, third = others
    tighten(first.user)
    versions = [publish_alone(first, rule="n1.two-units")]
    for number, person in enumerate((second, third)):
        world.shift(MINUTE)
        versions.append(publish_alone(person, recall=a_recall_by(person, f"xb-lynx-27k-{number}")))
    return versions


def approve(by: Person, release: str) -> str:
    answer = by.post(f"{PUBLISH}approve/", release=release)
    return "" if answer.status_code == 302 else answer.content.decode()


def page_of(by: Person, version: str, *, whole: bool = False) -> str:
    """Return what the page of a release says of its second approval, or all of it."""
    address = f"/admin/rules/release/{Release.objects.get(ruleset_version=version).pk}/change/"
    page = " ".join(re.sub(r"<[^>]+>", " ", by.page(address)).split())
    return page if whole else page[page.index("Second approval") : page.index(" Follows")]


def waiting() -> list[str]:
    return [str(one.release) for one in SoloRelease.objects.waiting()]


def test_one_look_at_the_newest_closes_all_that_wait(world: time_machine.Traveller) -> None:
    alone, other = Person("alone", *ALL), Person("other", "Reviewer")
    versions = three_alone(world, alone, alone, alone)
    assert waiting() == versions
    page = other.page()
    for changed in ("n1.two-units", "xb-lynx-27k-0", "xb-lynx-27k-1", *versions):
        assert changed in page[: page.index("What would be published now")]
    assert f"Approve release {versions[-1]} and all before it" in page
    assert f'name="release" value="{versions[-1]}"' in page
    assert page_of(other, versions[0]).endswith("missing: another person must give it, on the page Publish")
    assert approve(other, versions[-1]) == ""
    assert f"By one person {alone.user} published it alone on" in page_of(other, versions[0], whole=True)
    assert page_of(other, versions[0]).startswith("Second approval by other on")
    assert waiting() == []
    assert set(SoloRelease.objects.values_list("approved_by__username", flat=True)) == {"other"}
    for version in versions:
        (entry,) = [one for one in audit_log("release", version) if one.verb == "approve"]
        assert entry.details == {"together": versions}
    assert "needs a second approval" not in other.page()
    assert "already has its second approval" in approve(other, versions[0])


def test_an_earlier_one_is_approved_without_the_later_ones(world: time_machine.Traveller) -> None:
    alone, other = Person("alone", *ALL), Person("other", "Reviewer")
    versions = three_alone(world, alone, alone, alone)
    assert approve(other, versions[1]) == ""
    assert waiting() == versions[2:]


def test_a_person_who_wrote_in_one_of_them_closes_none_after_it(world: time_machine.Traveller) -> None:
    first, second, other = Person("first", *ALL), Person("second", *ALL), Person("other", "Publisher")
    versions = three_alone(world, first, second, first)
    refused = approve(second, versions[2])
    assert f"{versions[1]}: you published it or wrote in it" in refused
    assert f"before release {versions[2]}" in refused
    assert f"{versions[0]}: you published it or wrote in it" in approve(first, versions[1])
    assert waiting() == versions

    # On the desk it waits for those who can approve it.
    what = "Releases published alone to approve"
    assert what in other.page("/admin/")
    assert what in second.page("/admin/")
    assert what not in first.page("/admin/")

    page = second.page()
    assert f"You published or wrote in release {versions[1]}" in page
    assert f"Approve release {versions[0]}</button>" in page.replace("\n", "")
    assert "Approve release" not in first.page()
    assert approve(second, versions[0]) == ""
    assert approve(first, versions[1]) == ""
    assert "you published it or wrote in it" in approve(first, versions[2])
    assert approve(other, versions[2]) == ""
    assert waiting() == []


def test_a_viewer_closes_none(world: time_machine.Traveller) -> None:
    alone, viewer = Person("alone", *ALL), Person("viewer", "Viewer")
    versions = three_alone(world, alone, alone, alone)
    assert "Approve release" not in viewer.page()
    assert viewer.post(f"{PUBLISH}approve/", release=versions[-1]).status_code == 403
    assert waiting() == versions


def test_who_published_or_approved_alone_is_not_deleted(world: time_machine.Traveller) -> None:
    alone, other = Person("alone", *ALL), Person("other", "Reviewer")
    versions = three_alone(world, alone, alone, alone)
    assert approve(other, versions[-1]) == ""
    for person in (alone, other):
        with pytest.raises(ProtectedError):
            person.user.delete()
