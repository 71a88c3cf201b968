"""The screens of releases: looking at them, publishing exactly what was shown, and rolling back."""

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from catalog.devices.actions import record_device
from catalog.models import Source
from catalog.sources.actions import reread_source
from checks.hostile.forms import Form
from rules.analysis.report import refresh
from rules.cases import Case, Expect, Given
from rules.editing.actions import (
    approve_rules,
    change_rule,
    draft_rule,
    draft_rules,
    revise_rules,
    submit_rules,
)
from rules.engine.facts import Params
from rules.models import AcceptedCase, HeldBack, PlannedRelease, Release, Rule, Selection
from rules.publishing.actions.plans import carry_out_plans
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.actions.requests import request_publishing
from rules.publishing.actions.selections import KEPT, keep_selection
from tests.support.desk.publishing import answered, shown_alone
from tests.support.desk.visiting import TOKEN
from tests.support.factories import a_device, a_rule, a_user
from tests.support.revision_kinds import RULES
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("fresh_desk")


NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
LIST = "/admin/rules/release/"
PUBLISH = f"{LIST}publish/"
GROUPS = ("Editor", "Reviewer", "Publisher", "Viewer", "Partner manager")

FAILING = Case(
    file="routes.yaml",
    name="Two units on Northwing travel.",
    given=Given(on=NOW.date(), model_id="lynx-27k", route=("XA", "XB"), airline="N1", quantity=2),
    expect=Expect(verdict="allowed"),
)
"""In the first release they do. `one_unit` changes that."""


class Browser:
    """Somebody of a group, signed in."""

    def __init__(self, group: str, name: str = "") -> None:
        self.user = User.objects.create_user(name or f"a {group}".lower(), is_staff=True)
        self.user.groups.add(Group.objects.get(name=group))
        self.client = Client(enforce_csrf_checks=True, headers={"accept": "text/html"})
        self.client.force_login(self.user)

    def page(self, path: str) -> str:
        response = self.client.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return response.content.decode()

    def post(self, path: str, *, seen: str = PUBLISH, **fields: Any) -> HttpResponse:
        """Send fields with the token of a page that was seen."""
        token = TOKEN.search(self.page(seen) if seen.startswith("/") else seen)
        assert token is not None
        return answered(self.client, self.client.post(path, {**fields, "csrfmiddlewaretoken": token[1]}))


def form_on(page: str) -> dict[str, str]:
    """Return what the form that publishes would send as it stands on a page."""
    start = page.index(f'action="{PUBLISH}"')
    form = page[page.rindex("<form", 0, start) : page.index("</form>", start)]
    return {name: values[-1] for name, values in Form(form + "</form>").fields.items()}


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """The verdict cases in force; a test may add some."""
    found: list[Case] = []
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: tuple(found))
    return found


@pytest.fixture(scope="module")
def changed_rows(world_rows: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test world, published, and a rule that was changed since."""
    with django_db_blocker.unblock():
        yesterday = NOW - datetime.timedelta(days=1)
        publish_release(by=a_user(), note="The first.", now=yesterday, cases=())
        approve("Three is a crowd.", a_user())
        connection.check_constraints()


@pytest.fixture
def world(changed_rows: None, db: None, cases: list[Case]) -> User:
    """The editor of all that."""
    return a_user()


def approve(text: str, editor: User, rule_id: str = "n1.two-units") -> None:
    RULES.revise(rule_id, by=editor, reason="News.")
    RULES.rewrite(rule_id, text, by=editor)
    RULES.submit(rule_id, by=editor)
    RULES.approve(rule_id, by=a_user(APPROVER))


def one_unit(editor: User) -> None:
    """Let Northwing take one unit, so that a case fails that passed."""
    revise_rules(by=editor, rule_ids=["n1.two-units"], reason="News.")
    record = Rule.objects.get(rule_id="n1.two-units", state="draft").to_record()
    change_rule(by=editor, rule=replace(record, params=replace(record.params, max_units=1)))
    RULES.submit("n1.two-units", by=editor)
    RULES.approve("n1.two-units", by=a_user(APPROVER))


def current() -> Release:
    release = Release.objects.current()
    assert release is not None
    return release


def test_a_publisher_publishes_what_the_page_shows_with_one_button(world: User) -> None:
    publisher = Browser("Publisher")
    page = publisher.page(PUBLISH)
    assert "Rules: 1 changed" in page
    assert "Three is a crowd." in page
    fields = form_on(page)
    assert fields["note"].startswith("Rules: 1 changed (n1.two-units).")

    answer = publisher.post(PUBLISH, **(fields | {"note": "Northwing writes it otherwise."}))

    release = current()
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}{release.pk}/change/")
    assert (release.note, release.published_by) == ("Northwing writes it otherwise.", publisher.user)
    page_text = publisher.page(answer["Location"])
    for words in ("is published", "verified just now", "Three is a crowd.", release.sha256, "a publisher"):
        assert words in page_text
    assert "Nothing has changed since" in publisher.page(PUBLISH)


def test_anyone_who_was_slower_is_told_who_was_faster_and_loses_no_word(world: User) -> None:
    slow, fast = Browser("Publisher", "slow"), Browser("Publisher", "fast")
    seen = slow.page(PUBLISH)
    publish_release(by=fast.user, note="Faster.", now=NOW)
    approve("Four is too.", world, "s2.one-unit")

    answer = slow.post(PUBLISH, seen=seen, **(form_on(seen) | {"note": "My own words."}))

    page = answer.content.decode()
    assert answer.status_code == 409
    assert re.search(
        r"Nothing was published: fast published release \S+ at \d+ \w+ \d+, [\d:]+ UTC, after this was", page
    )
    assert Release.objects.count() == 2
    # The page shows how things stand now, and its button publishes that.
    assert "Four is too." in page
    assert "Three is a crowd." not in page
    assert form_on(page)["note"] == "My own words."
    assert slow.post(PUBLISH, seen=page, **form_on(page)).status_code == 302
    assert current().note == "My own words."


def test_rows_that_changed_after_they_were_shown_are_not_published(world: User) -> None:
    publisher = Browser("Publisher")
    seen = publisher.page(PUBLISH)
    approve("Another text.", world, "s2.one-unit")

    answer = publisher.post(PUBLISH, seen=seen, **(form_on(seen) | {"note": "My own words."}))

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Nothing was published: rows have changed since this page was shown" in page
    assert Release.objects.count() == 1
    assert "Another text." in page
    assert form_on(page)["note"] == "My own words."


def test_a_note_is_asked_for(world: User) -> None:
    publisher = Browser("Publisher")
    answer = publisher.post(PUBLISH, **(form_on(publisher.page(PUBLISH)) | {"note": " "}))
    assert answer.status_code == 400
    assert "Release note: This field is required." in answer.content.decode()
    assert Release.objects.count() == 1


@pytest.mark.parametrize(
    ("note", "status", "sentence"),
    [
        ("News\x0bof models.", 409, "the release note has a control character, U+000B, after “News”"),
        ("\u200b\ufeff", 409, "a release needs a note"),
        ("x" * 2001, 400, "at most 2000 characters (it has 2001)"),
    ],
)
def test_a_note_that_readers_could_not_read_is_refused_and_stays_in_the_form(
    world: User, note: str, status: int, sentence: str
) -> None:
    publisher = Browser("Publisher")
    fields = form_on(publisher.page(PUBLISH))
    answer = publisher.post(PUBLISH, **(fields | {"note": note}))
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert form_on(answer.content.decode())["note"].strip() == note
    assert Release.objects.count() == 1


@pytest.mark.parametrize(
    ("reason", "status", "sentence"),
    [
        ("Fires.", 409, "there is no such rule"),
        ("Fires\x0bon board.", 409, "the reason has a control character, U+000B, after “Fires”"),
        ("y" * 2001, 409, "the reason has 2,001 characters, and 2,000 are the most"),
        (" ", 400, "a release needs a reason that says why"),
    ],
)
def test_what_is_refused_alone_keeps_its_reason_and_its_ticks(
    world: User, reason: str, status: int, sentence: str
) -> None:
    publisher = Browser("Publisher")
    RULES.revise("n1.two-units", by=world, reason="News.")
    RULES.rewrite("n1.two-units", "Two, at most.", by=world)
    RULES.submit("n1.two-units", by=world)
    sent: dict[str, Any] = {**shown_alone(), "reason": reason, "rule": ["n1.two-units", "n1.none"]}
    answer = publisher.post(f"{PUBLISH}alone/", **sent)
    page = answer.content.decode()
    assert answer.status_code == status
    assert f"Nothing was published: {sentence}" in page or sentence in page
    assert f">{reason}</textarea>" in page
    assert 'value="n1.two-units" checked' in page
    assert Release.objects.count() == 1


def test_who_measures_first_finds_ticks_and_reason_again(world: User) -> None:
    publisher = Browser("Publisher")
    RULES.revise("n1.two-units", by=world, reason="News.")
    RULES.rewrite("n1.two-units", "Two, at most.", by=world)
    RULES.submit("n1.two-units", by=world)
    sent = {**shown_alone(), "reason": "Fires.", "rule": ["n1.two-units"]}
    assert publisher.post(f"{PUBLISH}measure-alone/", **sent).status_code == 302
    page = publisher.page(f"{PUBLISH}alone/")
    assert ">Fires.</textarea>" in page
    assert 'value="n1.two-units" checked' in page


def test_where_nothing_can_be_published_alone_the_page_says_why_and_has_no_button(world: User) -> None:
    publisher = Browser("Publisher")
    alone = f'action="{PUBLISH}alone/"'
    # What rewords a rule is offered, and refused with a sentence: a stricter one beside it may go.
    assert alone in publisher.page(f"{PUBLISH}alone/")
    page = publisher.page(PUBLISH)
    assert publisher.post(PUBLISH, seen=page, **form_on(page)).status_code == 302
    page = publisher.page(f"{PUBLISH}alone/")
    assert "No rule and no recall is approved or in review, so there is nothing to choose." in page
    assert alone not in page
    assert re.search(r"Publish alone\s*</button>", page) is None


def test_while_a_request_waits_no_other_one_is_offered(world: User) -> None:
    publisher = Browser("Publisher")
    shown = Shown(str(current()), form_on(publisher.page(PUBLISH))["content_sha256"])
    request_publishing(by=publisher.user, note="News.", shown=shown, now=NOW)
    page = publisher.page(PUBLISH)
    assert "A request to publish waits already" in page
    assert "Publish exactly this" not in page
    assert f'action="{PUBLISH}alone/"' not in publisher.page(f"{PUBLISH}alone/")


def test_who_may_not_publish_is_told_who_does(world: User) -> None:
    page = Browser("Reviewer").page(PUBLISH)
    assert "Only a publisher can publish this." in page
    assert "Publish exactly this" not in page


def test_a_typed_note_is_shown_when_another_person_has_published_it_all(world: User) -> None:
    slow, fast = Browser("Publisher", "slow"), Browser("Publisher", "fast")
    seen = slow.page(PUBLISH)
    publish_release(by=fast.user, note="Faster.", now=NOW)
    page = slow.post(PUBLISH, seen=seen, **(form_on(seen) | {"note": "My own words."})).content.decode()
    assert "Nothing has changed since" in page
    assert "My own words." in page


def test_a_typed_reason_stays_in_the_form_when_accepting_a_case_is_refused(
    world: User, cases: list[Case]
) -> None:
    cases.append(FAILING)
    one_unit(world)
    reviewer = Browser("Reviewer")
    sent = {"name": FAILING.name, "reason": "So they say now.", "shown": "0" * 64}
    refused = reviewer.post(f"{PUBLISH}accept-case/", **sent)
    assert refused.status_code == 409
    assert "So they say now.</textarea>" in " ".join(refused.content.decode().split())


def test_a_release_that_says_the_same_is_not_offered_for_a_roll_back(world: User) -> None:
    first, publisher = current(), Browser("Publisher")
    publish_release(by=a_user("another publisher"), note="The second.", now=NOW)
    address = f"{LIST}{first.pk}/roll-back/"
    page = publisher.page(address)
    assert danger(page)
    assert publisher.post(address, seen=page, reason="So.", shown=str(current())).status_code == 302
    page = publisher.page(f"{LIST}{first.pk}/change/")
    assert "It says the same as the current release, so there is nothing to roll back." in page
    assert address not in page
    page = publisher.page(address)
    assert "there is nothing to do" in page
    assert not danger(page)
    refused = publisher.post(address, seen=page, reason="My reason.", shown=str(current())).content.decode()
    assert "My reason.</textarea>" in " ".join(refused.split())


def test_what_blocks_publishing_is_listed_with_links_and_there_is_no_button(
    world: User, cases: list[Case]
) -> None:
    cases.append(FAILING)
    one_unit(world)
    page = Browser("Publisher").page(PUBLISH)
    assert "1 verdict case checked" in page
    assert FAILING.name in page
    assert "expected the verdict allowed, gets" in page
    assert "Publish exactly this" not in page
    assert "Publishing is blocked.</strong> What is chosen cannot be published until this is settled." in page
    assert "<li>1 verdict case fails: correct or take back the cause, or" in page
    assert "Accept this failure" not in page

    record_device(by=world, device=a_device(model_id="new-1", watt_hour=None, watt_hour_basis="unknown"))
    Source.objects.update(basis="general_knowledge")
    page = Browser("Viewer").page(PUBLISH)
    assert "that no release may contain" in page
    assert "rests on no source that was read" in page


ALSO_FAILING = replace(FAILING, name="The same question under another name.")


def test_failing_cases_are_accepted_together_with_one_reason_all_or_none(
    world: User, cases: list[Case]
) -> None:
    cases.append(FAILING)
    one_unit(world)
    first, second = Browser("Reviewer", "first"), Browser("Reviewer", "second")
    assert "Accept several together" not in first.page(PUBLISH)
    cases.append(ALSO_FAILING)
    ticked = re.findall(r'name="case" value="([^"]+)"', first.page(PUBLISH))
    assert [one.partition(" ")[2] for one in ticked] == [FAILING.name, ALSO_FAILING.name]

    attempts: list[tuple[dict[str, Any], int, str]] = [
        ({"case": ticked, "reason": "  "}, 400, "a reason is required"),
        ({"reason": "So they say now."}, 409, "tick the cases that may fail"),
        ({"case": [ticked[0], f"{'0' * 64} {ALSO_FAILING.name}"], "reason": "So."}, 409, "in another way"),
    ]
    for sent, status, said in attempts:
        refused = first.post(f"{PUBLISH}accept-cases/", **sent)
        page = refused.content.decode()
        assert (refused.status_code, said in page) == (status, True), page
        assert f"{sent['reason'].strip()}</textarea>" in " ".join(page.split())
        assert not AcceptedCase.objects.exists()

    for by in (first, second):
        done = by.post(f"{PUBLISH}accept-cases/", case=ticked, reason="So they say now.")
        assert done.status_code == 302
    assert AcceptedCase.objects.exclude(agreed_by=None).count() == 2
    assert set(AcceptedCase.objects.values_list("reason", flat=True)) == {"So they say now."}


def test_no_author_of_what_is_new_accepts_cases_together(world: User, cases: list[Case]) -> None:
    cases.extend([FAILING, ALSO_FAILING])
    author = Browser("Reviewer", "author")
    one_unit(author.user)
    reviewer = Browser("Reviewer", "first")
    ticked = re.findall(r'name="case" value="([^"]+)"', reviewer.page(PUBLISH))
    assert len(ticked) == 2
    assert 'name="case"' not in author.page(PUBLISH)
    refused = author.post(f"{PUBLISH}accept-cases/", case=ticked, reason="So they say now.")
    assert "you wrote something in the next release" in refused.content.decode()
    assert not AcceptedCase.objects.exists()


def test_two_reviewers_accept_a_case_that_fails_newly(world: User, cases: list[Case]) -> None:
    cases.append(FAILING)
    one_unit(world)
    first, second = Browser("Reviewer", "first"), Browser("Reviewer", "second")
    publisher = Browser("Publisher")

    def accept(by: Browser) -> HttpResponse:
        page = by.page(PUBLISH)
        assert "Two reviewers must accept it." in page
        start = page.index('action="/admin/rules/release/publish/accept-case/"')
        fields = Form('<form method="post">' + page[start : page.index("</form>", start)]).fields
        return by.post(f"{PUBLISH}accept-case/", seen=page, **fields | {"reason": "So they say now."})

    def waits(by: Browser) -> tuple[bool, bool]:
        refresh(datetime.datetime.now(datetime.UTC))
        page = by.page("/admin/")
        return "cases that block every release" in page, "cases that block publishing" in page

    assert (waits(first), waits(publisher)) == ((True, True), (True, False))
    assert accept(first).status_code == 302
    assert (waits(first), waits(second)) == ((True, False), (True, True))
    page = first.page(PUBLISH)
    assert "waiting for a second reviewer" in page
    assert "Accept this failure" not in page
    assert "Publish exactly this" not in publisher.page(PUBLISH)
    assert accept(second).status_code == 302
    assert waits(publisher) == (False, False)
    page = publisher.page(PUBLISH)
    assert "Accepted by first and second" in page
    assert "Two reviewers must accept it" not in page
    assert publisher.post(PUBLISH, seen=page, **form_on(page)).status_code == 302
    page_text = publisher.page(f"{LIST}{current().pk}/change/")
    assert "Accepted by first and second" in page_text

    assert second.post(f"{PUBLISH}reopen-case/", name=FAILING.name).status_code == 302
    assert not AcceptedCase.objects.exists()
    refused = second.post(f"{PUBLISH}reopen-case/", name=FAILING.name)
    assert (refused.status_code, "this case is not accepted" in refused.content.decode()) == (409, True)


def test_publishing_is_planned_for_later_and_called_off(world: User) -> None:
    publisher = Browser("Publisher")
    page = publisher.page(PUBLISH)
    later = f"{NOW + datetime.timedelta(days=1):%Y-%m-%dT%H:%M}"

    refused = publisher.post(f"{PUBLISH}plan/", seen=page, **(form_on(page) | {"due": ""}))
    assert refused.status_code == 400
    assert "Publish at (UTC): This field is required." in refused.content.decode()
    assert publisher.post(f"{PUBLISH}plan/", seen=page, **form_on(page) | {"due": later}).status_code == 302

    (plan,) = PlannedRelease.objects.all()
    assert f"{plan.due:%Y-%m-%dT%H:%M}" == later
    page = publisher.page(PUBLISH)
    assert "planned to publish at" in page
    assert "rule n1.two-units" in page
    # What is planned goes out at its time: it is not ticked for now.
    assert ticks(page) == {"rules:n1.two-units": False}
    assert "At present it could not go" not in page
    approve("Another text.", world)
    assert "At present it could not go" in publisher.page(PUBLISH)
    assert publisher.post(f"{PUBLISH}cancel/", plan=plan.pk).status_code == 302
    assert PlannedRelease.objects.get().state == "canceled"
    assert publisher.post(f"{PUBLISH}cancel/", plan=plan.pk).status_code == 409


def test_a_plan_that_failed_is_shown_until_it_is_closed_or_planned_again(world: User) -> None:
    publisher = Browser("Publisher")
    page = publisher.page(PUBLISH)
    later = NOW + datetime.timedelta(hours=1)
    publisher.post(f"{PUBLISH}plan/", seen=page, **form_on(page) | {"due": f"{later:%Y-%m-%dT%H:%M}"})
    approve("Another text.", world)
    carry_out_plans(now=later)
    publish_release(by=world, note="By hand.", now=later + datetime.timedelta(minutes=1))
    approve("A third text.", world)

    page = Browser("Viewer").page(PUBLISH)
    assert "A planned publishing could not go" in page
    assert "rule n1.two-units has a newer revision than the planned one" in page
    assert "Close this plan" not in page
    page = publisher.page(PUBLISH)
    again = re.search(r'href="([^"]+again=[^"]+)"', page)
    assert again is not None
    page = publisher.page(again[1].replace("&amp;", "&"))
    assert ticks(page) == {"rules:n1.two-units": True}
    later += datetime.timedelta(days=1)
    sent = form_on(page) | {"due": f"{later:%Y-%m-%dT%H:%M}"}
    assert publisher.post(f"{PUBLISH}plan/", seen=page, **sent).status_code == 302
    assert sorted(PlannedRelease.objects.values_list("state", flat=True)) == ["canceled", "planned"]
    assert "A planned publishing could not go" not in publisher.page(PUBLISH)


def ticks(page: str) -> dict[str, bool]:
    """Return what the page offers to choose, and whether it is ticked."""
    return {
        name: bool(checked)
        for name, checked in re.findall(r'type="checkbox" name="take" value="([^"]+)"( checked)?', page)
    }


def choose(browser: Browser, *units: str, page: str = PUBLISH) -> str:
    """Tick some units, and return the address to which this leads."""
    answer = browser.post(f"{PUBLISH}choose/", seen=page, take=units)
    assert answer.status_code == 302
    return answer["Location"].removesuffix("#choose")


def test_a_publisher_chooses_what_goes_out_without_a_script(world: User) -> None:
    approve("One unit only.", world, "s2.one-unit")
    publisher = Browser("Publisher")
    page = publisher.page(PUBLISH)
    assert ticks(page) == {"rules:n1.two-units": True, "rules:s2.one-unit": True}
    assert "Rules: 2 changed" in page

    page = publisher.page(choose(publisher, "rules:s2.one-unit"))
    assert ticks(page) == {"rules:n1.two-units": False, "rules:s2.one-unit": True}
    assert "Rules: 1 changed" in page
    assert publisher.post(PUBLISH, seen=page, **form_on(page)).status_code == 302

    states = dict(Rule.objects.filter(revision=2).values_list("rule_id", "state"))
    assert states == {"n1.two-units": "approved", "s2.one-unit": "published"}
    assert ticks(publisher.page(PUBLISH)) == {"rules:n1.two-units": True}
    nothing = publisher.page(choose(publisher))
    assert "Nothing is chosen" in nothing
    assert "Publish exactly this" not in nothing


def test_what_was_chosen_stays_chosen_after_a_refusal_and_a_measurement(world: User) -> None:
    approve("One unit only.", world, "s2.one-unit")
    publisher = Browser("Publisher")
    page = publisher.page(choose(publisher, "rules:s2.one-unit"))
    refused = publisher.post(PUBLISH, seen=page, **form_on(page) | {"note": " "})
    assert refused.status_code == 400
    assert ticks(refused.content.decode()) == {"rules:n1.two-units": False, "rules:s2.one-unit": True}
    choice = form_on(page)["choice"]
    sent = publisher.post(f"{PUBLISH}measure-chosen/", seen=page, choice=choice)
    assert sent.status_code == 302
    back = re.search(r'href="([^"]+)">go back to the page', publisher.page(sent.headers["Location"]))
    assert back is not None
    assert ticks(publisher.page(back[1].replace("&amp;", "&")))["rules:n1.two-units"] is False


def test_the_address_of_a_choice_is_short_lasts_and_can_be_given_to_a_colleague(world: User) -> None:
    approve("One unit only.", world, "s2.one-unit")
    publisher, colleague = Browser("Publisher"), Browser("Viewer")
    address = choose(publisher, "rules:s2.one-unit")
    for browser in (publisher, publisher, colleague):
        page = browser.page(address)
        assert ticks(page) == {"rules:n1.two-units": False, "rules:s2.one-unit": True}
    assert choose(colleague, "rules:s2.one-unit") == address
    page = publisher.page(address)
    assert publisher.post(PUBLISH, seen=page, **form_on(page)).status_code == 302
    # What is out is no longer ticked, and the page says why.
    page = publisher.page(address)
    assert "1 of the changes that were ticked here no longer waits" in page
    assert "Nothing is chosen" in page


def test_a_choice_that_is_not_kept_any_more_says_so_and_publishes_nothing(world: User) -> None:
    approve("One unit only.", world, "s2.one-unit")
    publisher = Browser("Publisher")
    page = publisher.page(choose(publisher, "rules:s2.one-unit"))
    Selection.objects.update(kept=NOW - 2 * KEPT)
    keep_selection(["rules:n1.two-units"], now=NOW)
    assert Selection.objects.count() == 1
    answer = publisher.post(PUBLISH, seen=page, **form_on(page))
    assert answer.status_code == 409
    assert "this choice: is not kept any more" in answer.content.decode()
    assert Release.objects.count() == 1
    for reference in ("no-choice", "plan-7", "request-x", "plan-", "0" * 200):
        gone = publisher.client.get(f"{PUBLISH}?choice={reference}")
        assert gone.status_code == 404
        assert "is not kept any more" in gone.content.decode()


def test_nothing_is_ticked_with_one_button_and_what_does_not_wait_is_never_kept(world: User) -> None:
    publisher = Browser("Publisher")
    sent = publisher.post(f"{PUBLISH}choose/", take=["rules:n1.two-units"], nothing="")
    page = publisher.page(sent["Location"])
    assert ticks(page) == {"rules:n1.two-units": False}
    publisher.page(choose(publisher, "rules:n1.two-units", "rules:none", "x" * 5000))
    assert sorted(Selection.objects.values_list("names", flat=True)) == [[], ["rules:n1.two-units"]]


def test_two_thousand_ticks_are_chosen_published_and_looked_at_again(world: User) -> None:
    template = Rule.objects.get(rule_id="s2.one-unit").to_record()
    rules = [replace(template, rule_id=f"s2.{'long-' * 10}{number:04}") for number in range(2000)]
    draft_rules(by=world, rules=rules)
    ids = [rule.rule_id for rule in rules]
    submit_rules(by=world, rule_ids=ids)
    approve_rules(by=a_user(APPROVER), rule_ids=ids)
    publisher = Browser("Publisher")
    page = publisher.page(choose(publisher, *(f"rules:{one}" for one in ids)))
    assert "Rules: 2,000 added" in page
    assert ticks(page)["rules:n1.two-units"] is False
    assert publisher.post(PUBLISH, seen=page, **form_on(page)).status_code == 302
    assert Rule.objects.filter(state="published", rule_id__in=ids).count() == 2000
    assert ticks(publisher.page(PUBLISH)) == {"rules:n1.two-units": True}


def test_the_page_says_what_begins_by_itself(world: User) -> None:
    rule = a_rule(
        rule_id="n1.later",
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        effective_from=NOW.date() + datetime.timedelta(days=40),
    )
    draft_rule(by=world, rule=rule)
    RULES.submit(rule.rule_id, by=world)
    RULES.approve(rule.rule_id, by=a_user(APPROVER))
    publisher = Browser("Publisher")
    says = "All of these begin later"
    assert says not in publisher.page(PUBLISH)
    page = publisher.page(choose(publisher, "rules:n1.later"))
    assert says in page
    assert f"{rule.effective_from:%-d %B %Y}" in page
    assert "rule n1.later begins" in page
    assert "approved, and not planned" in page


def test_a_publisher_rolls_back_and_releases_what_is_held_back(world: User, cases: list[Case]) -> None:
    first = current()
    record_device(by=a_user("a cataloger"), device=a_device(model_id="new-1", sources=("lynx-page",)))
    reread_source(by=a_user("reader"), source_id="lynx-page", read_on=NOW.date())
    publish_release(by=a_user("another publisher"), note="The second.", now=NOW)
    second = current()
    cases.append(FAILING)
    publisher = Browser("Publisher")
    address = f"{LIST}{first.pk}/roll-back/"
    assert address in publisher.page(f"{LIST}{first.pk}/change/")
    assert "Roll back" not in publisher.page(f"{LIST}{second.pk}/change/")
    page = publisher.page(address)
    assert "Three is a crowd." in page
    assert "1 verdict case of today checked against this content: all pass." in page

    assert publisher.post(address, seen=page, reason="", shown=str(second)).status_code == 400
    stale = publisher.post(address, seen=page, reason="Wrong.", shown=str(first))
    assert stale.status_code == 409
    assert "published release" in stale.content.decode()
    # A banned model would no longer be known, so another publisher requests it first.
    requester = Browser("Publisher", "requester")
    assert (
        requester.post(address, seen=address, reason="So.", shown=str(second), request="yes").status_code
        == 302
    )
    # Each of them is offered what can succeed, and only the second person finds it on the desk.
    assert ("Request this roll-back" in page, danger(page)) == (True, False)
    offered = requester.page(address)
    assert ("Request this roll-back" in offered, danger(offered)) == (False, False)
    assert "You requested it, so another publisher has to do it." in offered
    assert danger(publisher.page(address))
    waits = f"Roll-back to release {first}, which another publisher requested"
    assert waits in publisher.page("/admin/")
    assert waits not in requester.page("/admin/")

    done = publisher.post(address, seen=page, reason="Two were right.", shown=str(second))

    assert done.status_code == 302
    release = current()
    assert (release.content_sha256, release.published_by) == (first.content_sha256, publisher.user)
    page_text = publisher.page(done["Location"])
    assert f"Rolls back to {first}: Two were right." in page_text
    assert "by requester" in page_text
    assert "1 checked, all of them pass" in page_text
    assert "1 record of the catalog is held back" in page_text
    assert waits not in publisher.page("/admin/")
    page = publisher.page(PUBLISH)
    assert "Nothing has changed since" in page
    assert "Release the hold on new-1" in page
    assert publisher.post(f"{PUBLISH}let-go/", kind="devices", record="new-1").status_code == 302
    assert not HeldBack.objects.exists()
    assert publisher.post(f"{PUBLISH}let-go/", kind="devices", record="new-1").status_code == 409
    assert "Models: 1 added" in publisher.page(PUBLISH)


def danger(page: str) -> bool:
    """Return whether a page has the button that rolls back."""
    return re.search(r"<button[^>]*>\s*Roll back to", page) is not None


def action_forms(first: Release) -> dict[str, dict[str, str]]:
    """Return the address of each button with what it sends."""
    return {
        PUBLISH: {"note": "News.", "base": str(current()), "content_sha256": "0" * 64},
        f"{PUBLISH}plan/": {
            "note": "News.",
            "base": "",
            "content_sha256": "0" * 64,
            "due": "2099-01-01T00:00",
        },
        f"{PUBLISH}cancel/": {"plan": "1"},
        f"{PUBLISH}let-go/": {"kind": "devices", "record": "new-1"},
        f"{PUBLISH}accept-case/": {"name": "A case.", "reason": "So.", "shown": "0" * 64},
        f"{PUBLISH}reopen-case/": {"name": "A case."},
        f"{LIST}{first.pk}/roll-back/": {"reason": "So.", "shown": "another"},
    }


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_may_do_its_own_and_nothing_else(world: User, group: str) -> None:
    first = current()
    publish_release(by=world, note="The second.", now=NOW)
    read_only_pages = [LIST, PUBLISH, f"{LIST}{first.pk}/change/", f"{LIST}{first.pk}/document/"]
    browser, viewer = Browser(group), Browser("Viewer", "somebody who may look")
    seen = viewer.page(PUBLISH)
    desk = group != "Partner manager"
    for path in read_only_pages:
        assert browser.client.get(path).status_code == (200 if desk else 403), path
    mine = {
        "Publisher": {PUBLISH, *(f"{PUBLISH}{name}/" for name in ("plan", "cancel", "let-go"))},
        "Reviewer": {f"{PUBLISH}{name}-case/" for name in ("accept", "reopen")},
    }.get(group, set())
    if group == "Publisher":
        mine |= {f"{LIST}{first.pk}/roll-back/"}
    token = TOKEN.search(seen)
    assert token is not None
    browser.client.cookies["csrftoken"] = viewer.client.cookies["csrftoken"].value
    for path, fields in action_forms(first).items():
        answer = answered(
            browser.client, browser.client.post(path, {**fields, "csrfmiddlewaretoken": token[1]})
        )
        # Whoever may is refused by the verb, for none of this can be done; others do not get as far.
        assert answer.status_code == (409 if path in mine else 403), path
        assert browser.client.post(path, fields).status_code == 403, path
    assert Release.objects.count() == 2
    # A button is on the page for those who may use it.
    if desk and group != "Publisher":
        assert "Roll back" not in browser.page(f"{LIST}{first.pk}/change/")
        assert browser.client.get(f"{LIST}{first.pk}/roll-back/").status_code == 403


def test_buttons_are_posts(world: User) -> None:
    browser = Browser("Publisher")
    for name in ("plan", "cancel", "let-go"):
        assert browser.client.get(f"{PUBLISH}{name}/").status_code == 405
    assert browser.client.get(f"{LIST}99999/change/").status_code == 404
    assert browser.client.get(f"{LIST}99999/roll-back/").status_code == 404


def test_the_document_is_downloaded_byte_for_byte(world: User) -> None:
    release = current()
    answer = Browser("Viewer").client.get(f"{LIST}{release.pk}/document/")
    assert answer.content.decode() == release.document
    assert answer["Content-Disposition"] == f'attachment; filename="release-{release}.json"'


def test_the_list_tells_what_each_release_brought_without_reading_a_document(
    world: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        approve(f"Text {number}.", world)
        publish_release(by=world, note=f"Number {number}.", now=NOW)
    browser = Browser("Viewer")
    with django_assert_max_num_queries(14) as queries:
        page = browser.page(LIST)
    assert page.count("rules: 1 changed") == 3
    assert "(current)" in page
    assert not any('"document"' in query["sql"] for query in queries.captured_queries)


def test_a_program_at_the_desk_is_told_apart_what_is_forbidden_what_came_too_late_and_what_it_left_out(
    world: User,
) -> None:
    reviewer, publisher = Browser("Reviewer"), Browser("Publisher")
    token = TOKEN.search(publisher.page(PUBLISH))
    assert token is not None
    cookie = publisher.client.cookies["csrftoken"].value

    def refused(by: Browser, button: str, **fields: str) -> tuple[int, str]:
        by.client.cookies["csrftoken"] = cookie
        fields |= {"csrfmiddlewaretoken": token[1]}
        answer = by.client.post(f"{PUBLISH}{button}/", fields, headers={"accept": "*/*"})
        return answer.status_code, answer.json()["code"]

    assert refused(reviewer, "let-go", kind="devices", record="x") == (403, "FORBIDDEN")
    assert refused(publisher, "let-go", kind="devices", record="x") == (409, "CONFLICT")
    assert refused(reviewer, "accept-case", name="A case.", shown="0") == (400, "BAD_REQUEST")
    assert refused(publisher, "alone", rule="n1.one", reason=" ") == (400, "BAD_REQUEST")
