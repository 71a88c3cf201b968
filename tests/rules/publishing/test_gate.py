"""The gate, as editors meet it: through the desk, with the buttons that they have."""

import datetime
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import DjangoDbBlocker

from catalog.airlines.actions import change_airline
from catalog.models import Airline, Source
from catalog.sources.actions import reread_source
from recalls.editing.actions import draft_recall, submit_recalls
from rules.analysis.models import AcceptedFinding
from rules.cases import Case, Expect, Given
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.models import AcceptedCase, Release, Rule, SoloRelease
from rules.next_release import compile_content
from rules.publishing import gate
from rules.publishing.actions.releases import publish_release
from tests.support.desk.filling_in import save
from tests.support.desk.publishing import answered, shown_alone
from tests.support.factories import a_user, an_unread_recall
from tests.support.world import APPROVER, build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")

LIST = "/admin/rules/release/"
PUBLISH = f"{LIST}publish/"
ONE_UNIT = "s2.one-unit"
ITS_SOURCE = "southern-star-report"
START = datetime.datetime(2026, 11, 23, 9, 0, tzinfo=datetime.UTC)
MINUTE = datetime.timedelta(minutes=1)

ONE_ONLY = Case(
    file="routes.yaml",
    name="Two units on Southern Star are one too many.",
    given=Given(on=START.date(), model_id="lynx-27k", route=("XB", "XB"), airline="S2", quantity=2),
    expect=Expect(verdict="banned"),
)


class Person:
    """One person in some groups, signed in."""

    def __init__(self, name: str, *groups: str) -> None:
        self.user = a_user(name)
        User.objects.filter(pk=self.user.pk).update(is_staff=True, is_active=True)
        self.user.refresh_from_db()
        self.user.groups.set(Group.objects.filter(name__in=groups))
        self.client = Client(headers={"accept": "text/html"})
        self.client.force_login(self.user)

    def page(self, path: str = PUBLISH) -> str:
        response = self.client.get(path)
        assert response.status_code == 200, path
        return response.content.decode()

    def post(self, path: str, **fields: Any) -> HttpResponse:
        return answered(self.client, self.client.post(path, fields))

    def publish(self) -> str:
        """Publish what the page would publish now. Return the refusal; empty if there is none."""
        from rules.releases.ledger import canonical_text, digest

        shown = digest(canonical_text(compile_content()))
        base = str(Release.objects.current())
        answer = self.post(PUBLISH, note="News.", base=base, content_sha256=shown)
        return "" if answer.status_code == 302 else answer.content.decode()


ALL = ("Editor", "Reviewer", "Publisher")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    found: list[Case] = []
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: tuple(found))
    return found


@pytest.fixture(scope="module")
def published(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test world, built and published once for a module: like `world_rows`."""
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(START, tick=False) as clock:
            build_world(by=a_user())
            clock.shift(MINUTE)
            publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now(), cases=())
        connection.check_constraints()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def world(
    published: None, db: None, clock: time_machine.Traveller, cases: list[Case]
) -> time_machine.Traveller:
    """The clock a minute after the test world was published. Its editor wrote everything."""
    clock.shift(2 * MINUTE)
    return clock


def loosen(by: User, *, approver: User | None = None, second: User | None = None, units: int = 2) -> None:
    """Let Southern Star take more units than one."""
    revise_rules(by=by, rule_ids=[ONE_UNIT], reason="The page has changed.")
    record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
    change_rule(by=by, rule=replace(record, params=replace(record.params, max_units=units)))
    submit_rules(by=by, rule_ids=[ONE_UNIT])
    if approver:
        approve_rules(by=approver, rule_ids=[ONE_UNIT])
    if second:
        approve_rules_again(by=second, rule_ids=[ONE_UNIT])


def tighten(by: User) -> None:
    revise_rules(by=by, rule_ids=["n1.two-units"], reason="The page has changed.")
    record = Rule.objects.get(rule_id="n1.two-units", state="draft").to_record()
    change_rule(by=by, rule=replace(record, params=replace(record.params, max_units=1)))
    submit_rules(by=by, rule_ids=["n1.two-units"])


def read_again(by: User, source_id: str = ITS_SOURCE) -> None:
    reread_source(by=by, source_id=source_id, read_on=timezone.localdate())


def loosened(world: time_machine.Traveller) -> tuple[Release, Release]:
    """Publish the looser rule with all that it needs. Return the releases before and after."""
    before = Release.objects.current()
    loosen(a_user(), approver=a_user(APPROVER), second=a_user("second"))
    world.shift(MINUTE)
    read_again(a_user("reader"))
    publisher = Person("publisher", "Publisher")
    assert publisher.publish() == ""
    after = Release.objects.current()
    assert before is not None
    assert after is not None
    return before, after


# --- The same day ---


def test_a_wrong_ban_is_corrected_on_the_day_on_which_it_was_read(world: time_machine.Traveller) -> None:
    before, after = loosened(world)
    assert (before.published_at.date(), after.published_at.date()) == (START.date(), START.date())
    assert Source.objects.get(pk=ITS_SOURCE).read_on == START.date()


@pytest.mark.parametrize("day", ["2026-11-24", "2027-12-31"])
def test_a_reading_in_the_future_is_refused_on_the_form(world: time_machine.Traveller, day: str) -> None:
    editor = Person("dora", "Editor")
    source = Source.objects.get(pk=ITS_SOURCE)
    answer = save(editor, f"/admin/catalog/source/{ITS_SOURCE}/change/", read_on=day)  # type: ignore[arg-type]
    assert f"it cannot have been read on {day}: that is in the future" in answer.content.decode()
    assert Source.objects.get(pk=ITS_SOURCE).read_on == source.read_on


# --- Cases ---


def accept(by: Person) -> str:
    from rules.cases import outcome_digest
    from rules.publishing.candidate import candidate

    (failing,) = candidate([ONE_ONLY]).failing
    answer = by.post(
        f"{PUBLISH}accept-case/", name=ONE_ONLY.name, reason="So.", shown=outcome_digest(failing.judged)
    )
    return "" if answer.status_code == 302 else answer.content.decode()


def test_an_author_accepts_no_failing_case_of_the_own_change(
    world: time_machine.Traveller, cases: list[Case]
) -> None:
    author = Person("dora", *ALL)
    loosen(author.user, approver=a_user(APPROVER))
    cases.append(ONE_ONLY)
    assert "Accept this failure" not in author.page()
    assert "you wrote something in the next release" in accept(author)
    first, second = Person("first", "Reviewer"), Person("second", "Reviewer")
    assert accept(first) == ""
    assert "needs a second reviewer, and you are the first" in accept(first)
    assert accept(second) == ""
    assert AcceptedCase.objects.get().counts


# --- Rolling back ---


def roll_back(by: Person, to: Release, **fields: str) -> str:
    path = f"{LIST}{to.pk}/roll-back/"
    answer = by.post(path, reason="It was wrong.", shown=str(Release.objects.current()), **fields)
    return "" if answer.status_code == 302 else answer.content.decode()


def test_a_milder_roll_back_takes_a_request_and_another_publisher(world: time_machine.Traveller) -> None:
    lenient = Release.objects.current()
    assert lenient is not None
    tighten(a_user())
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    one, other = Person("one", "Publisher"), Person("other", "Publisher")
    assert one.publish() == ""
    world.shift(MINUTE)

    assert "Request this roll-back" in one.page(f"{LIST}{lenient.pk}/roll-back/")
    assert "it takes two people" in roll_back(one, lenient)
    assert roll_back(one, lenient, request="yes") == ""
    assert "it takes two people" in roll_back(one, lenient)
    assert "one requested it at" in other.page(f"{LIST}{lenient.pk}/roll-back/")
    assert roll_back(other, lenient) == ""
    current = Release.objects.current()
    assert current is not None
    assert current.content_sha256 == lenient.content_sha256
    assert not SoloRelease.objects.exists()


@pytest.mark.parametrize("lost", [{"is_active": False}, {"groups": ()}])
def test_a_request_of_who_may_no_longer_roll_back_does_not_count(
    world: time_machine.Traveller, lost: dict[str, Any]
) -> None:
    lenient = Release.objects.get()
    tighten(a_user())
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    one, other, third = (Person(name, "Publisher") for name in ("one", "other", "third"))
    assert one.publish() == ""
    assert roll_back(one, lenient, request="yes") == ""
    if "groups" in lost:
        one.user.groups.clear()
    else:
        User.objects.filter(pk=one.user.pk).update(**lost)
    assert "it takes two people" in roll_back(other, lenient)
    # The request of another person who may does count, although the first one is older.
    assert roll_back(third, lenient, request="yes") == ""
    assert roll_back(other, lenient) == ""


def test_the_author_of_what_a_roll_back_brings_back_is_none_of_the_two(world: time_machine.Traveller) -> None:
    lenient = Release.objects.current()
    assert lenient is not None
    tighten(a_user("dora"))
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    assert Person("one", "Publisher").publish() == ""
    author = Person("editor", *ALL)
    assert roll_back(Person("one", "Publisher"), lenient, request="yes") == ""
    assert "editor wrote what would make answers less strict" in roll_back(author, lenient)
    # The page says so before, and neither requests nor rolls back.
    page = author.page(f"{LIST}{lenient.pk}/roll-back/")
    assert "editor wrote what would make answers less strict" in page
    assert "Request this roll-back" not in page


def test_the_author_of_what_a_roll_back_brings_back_is_not_offered_to_request_it(
    world: time_machine.Traveller,
) -> None:
    lenient = Release.objects.get()
    tighten(a_user("dora"))
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    assert Person("one", "Publisher").publish() == ""
    page = Person("editor", *ALL).page(f"{LIST}{lenient.pk}/roll-back/")
    assert "You wrote what would make answers less strict, so two other people" in page
    assert "Request this roll-back" not in page


def test_a_stricter_roll_back_goes_alone_and_waits_for_a_second_approval(
    world: time_machine.Traveller, cases: list[Case]
) -> None:
    strict, _ = loosened(world)
    publisher = Person("publisher", "Publisher")
    cases.append(replace(ONE_ONLY, expect=Expect(verdict="allowed")))
    assert roll_back(publisher, strict) == ""
    solo = SoloRelease.objects.get()
    assert solo.created_by == publisher.user
    words = "Published alone by publisher on"
    for person in (publisher, Person("viewer", "Viewer")):
        assert words in person.page()
        assert words in person.page("/admin/")
        assert "Approve release" not in person.page()
    refused = publisher.post(f"{PUBLISH}approve/", release=str(solo.release))
    assert "you published it or wrote in it" in refused.content.decode()
    other = Person("other", "Reviewer")
    assert other.post(f"{PUBLISH}approve/", release=str(solo.release)).status_code == 302
    assert words not in other.page()


def test_a_roll_back_is_asked_the_cases(world: time_machine.Traveller, cases: list[Case]) -> None:
    lenient = Release.objects.current()
    assert lenient is not None
    tighten(a_user())
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    one, other = Person("one", "Publisher"), Person("other", "Publisher")
    assert one.publish() == ""
    cases.append(replace(ONE_ONLY, given=replace(ONE_ONLY.given, airline="N1", route=("XA", "XB"))))
    assert roll_back(one, lenient, request="yes") == ""
    assert "block publishing" in roll_back(other, lenient)


# --- Emergency ---


def test_one_publisher_publishes_an_urgent_recall_alone(world: time_machine.Traveller) -> None:
    alone = Person("alone", *ALL)
    draft_recall(by=alone.user, recall=an_unread_recall())
    submit_recalls(by=alone.user, recall_ids=["xb-lynx-27k-2026"])
    assert "xb-lynx-27k-2026" in alone.page(f"{PUBLISH}alone/")
    done = alone.post(f"{PUBLISH}alone/", **shown_alone(), reason="Fires.", recall="xb-lynx-27k-2026")
    assert done.status_code == 302
    assert "xb-lynx-27k-2026" in {one.recall_id for one in compile_content().recalls}
    assert SoloRelease.objects.get().authors == [alone.user.pk]


def test_no_one_publishes_leniency_alone(world: time_machine.Traveller) -> None:
    alone = Person("alone", *ALL)
    loosen(alone.user)
    refused = alone.post(f"{PUBLISH}alone/", **shown_alone(), reason="Hurry.", rule=ONE_UNIT)
    assert "one person alone publishes only what makes no verdict less strict" in refused.content.decode()
    assert (Release.objects.count(), Rule.objects.filter(state="in_review").count()) == (1, 1)


def test_after_a_day_without_approval_only_stricter_releases_go(world: time_machine.Traveller) -> None:
    alone = Person("alone", *ALL)
    tighten(alone.user)
    done = alone.post(f"{PUBLISH}alone/", **shown_alone(), reason="Fires.", rule="n1.two-units")
    assert done.status_code == 302
    loosen(a_user(), approver=a_user(APPROVER), second=a_user("second"))
    world.shift(MINUTE)
    read_again(a_user("reader"))
    world.shift(gate.PATIENCE)
    publisher = Person("publisher", "Publisher")
    page = publisher.page()
    assert "Nothing less strict is published now: alone published release" in page
    assert "Publish exactly this" not in page
    assert "alone more than 24 hours ago" in publisher.publish()
    solo = str(SoloRelease.objects.get().release)
    assert publisher.post(f"{PUBLISH}approve/", release=solo).status_code == 302
    assert publisher.publish() == ""


# --- What decides nothing, and what does ---


def test_an_accepted_finding_and_a_disagreement_are_no_part_of_what_decides(
    world: time_machine.Traveller,
) -> None:
    before = compile_content()
    AcceptedFinding.objects.create(key="gap:s2", reason="So.", created_at=timezone.now(), created_by=a_user())
    assert compile_content() == before


def test_the_confidence_of_an_airline_passes_the_gate(world: time_machine.Traveller) -> None:
    changer = Person("changer", *ALL)
    airline = Airline.objects.get(pk="U3").to_record()
    change_airline(by=changer.user, airline=replace(airline, confidence="confirmed", sources=("intl-page",)))
    assert "you changed it or released its hold, so another person must publish it" in changer.publish()


# --- Attacks ---


def by_roles(*, author: str, first: str, second: str, reader: str, publisher: str) -> Callable[[Any], str]:
    def attack(world: time_machine.Traveller) -> str:
        people = {name: Person(name, *ALL) for name in {author, first, second, reader, publisher} - {"-"}}
        loosen(people[author].user)
        address = f"/admin/rules/rule/{Rule.objects.get(rule_id=ONE_UNIT, state='in_review').pk}"
        refusals = ""
        for name, action in ((first, approve_rules), (second, approve_rules_again)):
            if name != "-":
                try:
                    action(by=people[name].user, rule_ids=[ONE_UNIT])
                except ValueError as refused:
                    refusals += f"{refused} {address}"
        world.shift(MINUTE)
        if reader != "-":
            read_again(people[reader].user)
        return refusals + people[publisher].publish()

    return attack


OWN, AGAIN = "you cannot approve your own work", "second approval must be by another person"
NO_SECOND, UNREAD = "it needs a second approval", "the last reading of the evidence in release"
OWN_READING, OWN_PUBLISHING = (
    "its own author recorded the reading",
    "you wrote it, so another person must publish",
)
ATTACKS: list[tuple[str, Callable[[Any], str]]] = [
    (OWN, by_roles(author="a", first="a", second="-", reader="-", publisher="a")),
    (OWN, by_roles(author="a", first="b", second="a", reader="a", publisher="a")),
    (AGAIN, by_roles(author="a", first="b", second="b", reader="b", publisher="b")),
    (NO_SECOND, by_roles(author="a", first="b", second="-", reader="b", publisher="b")),
    (NO_SECOND, by_roles(author="a", first="b", second="-", reader="c", publisher="c")),
    (UNREAD, by_roles(author="a", first="b", second="c", reader="-", publisher="b")),
    (UNREAD, by_roles(author="a", first="b", second="c", reader="-", publisher="c")),
    (OWN_READING, by_roles(author="a", first="b", second="c", reader="a", publisher="b")),
    (OWN_READING, by_roles(author="a", first="b", second="c", reader="a", publisher="a")),
    (OWN_PUBLISHING, by_roles(author="a", first="b", second="c", reader="b", publisher="a")),
    (OWN_PUBLISHING, by_roles(author="a", first="b", second="c", reader="c", publisher="a")),
    (UNREAD, by_roles(author="a", first="b", second="c", reader="-", publisher="a")),
]


@pytest.mark.parametrize(("sentence", "attack"), ATTACKS, ids=range(len(ATTACKS)))
def test_one_person_with_all_roles_gets_no_leniency_out(
    world: time_machine.Traveller, sentence: str, attack: Callable[[Any], str]
) -> None:
    first = Release.objects.current()
    assert sentence in attack(world)
    assert Release.objects.current() == first


def test_a_withdrawal_alone_is_refused(world: time_machine.Traveller) -> None:
    alone = Person("alone", *ALL)
    withdraw_rules(by=alone.user, rule_ids=[ONE_UNIT], reason="Over.")
    submit_rules(by=alone.user, rule_ids=[ONE_UNIT])
    base = str(Release.objects.current())
    refused = alone.post(f"{PUBLISH}alone/", **shown_alone(), reason="Hurry.", rule=ONE_UNIT)
    assert "makes no verdict less strict" in refused.content.decode()
    later = f"{START + datetime.timedelta(days=1):%Y-%m-%dT%H:%M}"
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    from rules.releases.ledger import canonical_text, digest

    shown = digest(canonical_text(compile_content()))
    planned = alone.post(f"{PUBLISH}plan/", note="Later.", base=base, content_sha256=shown, due=later)
    assert NO_SECOND in planned.content.decode()
