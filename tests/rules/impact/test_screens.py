"""What would change, at the desk: measured, followed, narrowed, and shown to whoever may look at rules."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import Settings

from catalog.devices.bulk import DEVICES as MODELS
from catalog.editorial.pending.actions import propose, propose_deletion
from catalog.models import Device
from compliance.signin.groups import GROUPS
from rules.editing.actions import approve_rules, change_rule, revise_rules, submit_rules
from rules.impact.actions import measuring
from rules.models import ImpactMeasurement, Rule
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_device, a_user
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("fresh_desk")


PAGE = "/admin/rules/impactmeasurement/"
PUBLISHING = f"{PAGE}publishing/"
RULES = "/admin/rules/rule/"


@pytest.fixture
def boss(published_rows: None, db: None) -> Visitor:
    """A superuser; Southern Star's one unit, which is published, is to become two."""
    revise_rules(by=a_user(), rule_ids=["s2.one-unit"], reason="The page has changed.")
    record = draft().to_record()
    change_rule(by=a_user(), rule=replace(record, params=replace(record.params, max_units=2)))
    return Visitor(superuser=True)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Nothing is small; there is no queue, so a request measures, and one part only."""
    settings.CELERY_TASK_ALWAYS_EAGER = True
    monkeypatch.setattr(measuring, "SMALL", -1)
    monkeypatch.setattr(measuring, "PART", 1)
    monkeypatch.setattr("rules.impact.admin.measurements.SECONDS_OF_A_REQUEST", 0)


def draft() -> Rule:
    return Rule.objects.get(rule_id="s2.one-unit", state="draft")


def agree() -> None:
    submit_rules(by=a_user(), rule_ids=["s2.one-unit"])
    approve_rules(by=a_user(APPROVER), rule_ids=["s2.one-unit"])


def followed(visitor: Visitor, path: str, **fields: Any) -> str:
    """Press a button and return the page that it leads to in the end."""
    response = visitor.post(path, **fields)
    while response.status_code in {302, 307}:
        again = response.status_code == 307
        response = (
            visitor.post(response["Location"], **fields) if again else visitor.get(response["Location"])
        )
    assert response.status_code == 200
    return response.content.decode()


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_chosen_revisions_of_the_list_show_what_they_would_change(boss: Visitor) -> None:
    page = followed(boss, RULES, action="show_impact", _selected_action=str(draft().pk))
    text = text_of(page)
    assert re.search(r"([\d,]+) answers would change , of [\d,]+\. \1 of them would be less strict", text)
    assert "▲ less strict" in text
    assert "Southern Star (S2)" in text
    assert "Only here:" in text
    assert f'href="{RULES}{draft().pk}/change/"' in page


def test_who_approves_facts_sees_what_they_would_change(boss: Visitor) -> None:
    puma = Device.objects.get(pk="puma-50k").to_record()
    lower = replace(puma, watt_hour=Decimal("55.00"))
    new = a_device(model_id="puma-mini", brand="Puma", model_name="Puma Mini")
    found = propose(MODELS, [lower, new], by=a_user(), subject="a list", reason="Its label.")
    assert found is not None
    page = boss.page(f"/admin/catalog/changeset/{found.pk}/change/")
    assert f'name="changeset" value="{found.pk}"' in page
    assert "Measure the changes" in page
    text = text_of(followed(boss, f"{PAGE}drafts/", changeset=str(found.pk)))
    assert "puma-50k : says something from which answers can become less strict" in text
    assert "puma-mini : 8,028 answers" in text
    gone = propose_deletion(MODELS, "lynx-27k", by=a_user("other"))
    assert gone is not None
    assert "lynx-27k" in text_of(followed(boss, f"{PAGE}drafts/", changeset=str(gone.pk)))
    assert boss.post(f"{PAGE}drafts/", changeset="999999").status_code == 404


@pytest.mark.parametrize(
    "came_from", ["http://[::1", "http://testserver/admin/rules/rule/", "//other.example/admin/"]
)
def test_who_chose_nothing_gets_back_to_a_page_of_the_desk(boss: Visitor, came_from: str) -> None:
    fields = {"csrfmiddlewaretoken": boss.token()}
    answer = boss.client.post(f"{PAGE}drafts/", fields, headers={"referer": came_from})
    expected = "/admin/rules/rule/" if "testserver" in came_from else "/admin/"
    assert answer.headers["Location"] == expected


def test_a_draft_has_a_button_for_it_and_what_is_settled_has_none(boss: Visitor) -> None:
    button = 'action="/admin/rules/impactmeasurement/drafts/"'
    assert button in boss.page(f"{RULES}{draft().pk}/change/")
    settled = Rule.objects.filter(state="published").first()
    assert settled is not None
    assert button not in boss.page(f"{RULES}{settled.pk}/change/")


def test_what_becomes_less_strict_is_marked_by_word_and_shape(boss: Visitor) -> None:
    agree()
    revise_rules(by=a_user(), rule_ids=["n1.two-units"], reason="One.")
    stricter = Rule.objects.get(rule_id="n1.two-units", state="draft")
    record = stricter.to_record()
    change_rule(by=a_user(), rule=replace(record, params=replace(record.params, max_units=1)))
    page = followed(boss, f"{PAGE}drafts/", rule=[str(stricter.pk), str(draft_or_approved().pk)])
    matrix = page[page.index("<tbody>") : page.index("</tbody>")]
    directions = re.findall(r'(▲|▼)</span> [\d,]+<span class="impact-word">(less strict|stricter)<', matrix)
    assert {*directions} == {("▲", "less strict"), ("▼", "stricter")}


def draft_or_approved() -> Rule:
    return Rule.objects.filter(rule_id="s2.one-unit").latest("revision")


def test_the_page_can_be_narrowed_and_sorted(boss: Visitor) -> None:
    followed(boss, f"{PAGE}drafts/", rule=str(draft().pk))
    address = f"{PAGE}{ImpactMeasurement.objects.get().pk}/"
    everything = text_of(boss.page(address))
    of_one = text_of(boss.page(f"{address}?model=lynx-27k&sort=name"))
    assert "Only model lynx-27k" in of_one
    assert "Lynx 27K (lynx-27k)" in of_one
    one, all_of_them = (
        int(re.search(r"([\d,]+) answers would", text)[1].replace(",", ""))  # type: ignore[index]
        for text in (of_one, everything)
    )
    assert 0 < one < all_of_them
    assert "No answer would change." in text_of(boss.page(f"{address}?airline=N1"))
    assert "Sorted by changed · less strict · name" in everything


def test_what_is_agreed_is_measured_on_its_own_page_with_what_the_second_approval_lacks(
    boss: Visitor,
) -> None:
    agree()
    assert "This has not been measured today." in boss.page(PUBLISHING)
    text = text_of(followed(boss, PUBLISHING))
    assert "What makes answers less strict s2.one-unit :" in text
    assert re.search(r"rule s2\.one-unit: makes [\d,]+ answers less strict; it needs a second approval", text)


def test_a_large_one_is_followed_until_it_is_done_with_and_without_the_script(
    boss: Visitor, in_parts: None
) -> None:
    page = followed(boss, f"{PAGE}drafts/", rule=str(draft().pk))
    found = ImpactMeasurement.objects.get()
    assert f'max="{found.parts}" value="0"' in page
    assert "rules/impact.js" in page

    go_on = f"{PAGE}{found.pk}/go-on/"
    boss.client.defaults["HTTP_ACCEPT"] = "application/json"
    progress = json.loads(boss.post(go_on).content)
    boss.client.defaults["HTTP_ACCEPT"] = "text/html"
    assert progress == {"finished": False, "done": 1, "parts": found.parts}
    for _ in range(found.parts):
        boss.post(go_on)
    assert "answers would change" in boss.page(f"{PAGE}{found.pk}/")


def test_what_failed_says_why_and_what_was_overtaken_that_it_was(boss: Visitor, in_parts: None) -> None:
    followed(boss, f"{PAGE}drafts/", rule=str(draft().pk))
    found = ImpactMeasurement.objects.get()
    over: dict[str, Any] = {"document": None, "finished": timezone.now()}
    ImpactMeasurement.objects.update(
        state="failed", failure="The answers of S2 could not be compared.", **over
    )
    assert "The answers of S2 could not be compared." in boss.page(f"{PAGE}{found.pk}/")
    ImpactMeasurement.objects.update(state="outdated", failure="", **over)
    assert "Another release was published" in boss.page(f"{PAGE}{found.pk}/")


def test_nothing_chosen_is_said_and_measures_nothing(boss: Visitor) -> None:
    boss.post(f"{PAGE}drafts/")
    assert "Choose between 1 and" in boss.page("/admin/")
    assert not ImpactMeasurement.objects.exists()


@pytest.mark.parametrize("group", GROUPS)
def test_anyone_who_may_look_at_rules_may_look_here_and_no_one_else(boss: Visitor, group: str) -> None:
    followed(boss, f"{PAGE}drafts/", rule=str(draft().pk))
    key = ImpactMeasurement.objects.get().pk
    member = Visitor()
    member.user.groups.add(Group.objects.get(name=group))
    allowed = "rules.view_rule" in GROUPS[group]
    for page in (PAGE, PUBLISHING, f"{PAGE}{key}/"):
        assert (member.get(page).status_code == 200) == allowed, page
    pressed = [
        member.post(f"{PAGE}drafts/", rule=str(draft().pk)),
        member.post(f"{PAGE}{key}/go-on/"),
        member.post(PUBLISHING),
    ]
    assert [response.status_code for response in pressed] == [302 if allowed else 403] * 3


def test_nothing_happens_by_looking_or_without_a_token(boss: Visitor) -> None:
    for page in (PUBLISHING, f"{PAGE}drafts/", f"{PAGE}999/", f"{PAGE}999/change/"):
        boss.get(page)
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(User.objects.get(pk=boss.user.pk))
    assert forged.post(f"{PAGE}drafts/", {"rule": str(draft().pk)}).status_code == 403
    assert not ImpactMeasurement.objects.exists()


def test_a_page_costs_the_same_number_of_queries_however_much_it_shows(boss: Visitor) -> None:
    def cost(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            boss.page(page)
        return len(queries)

    followed(boss, f"{PAGE}drafts/", rule=str(draft().pk))
    small = ImpactMeasurement.objects.get()
    one = cost(PAGE)
    withdrawn = measuring.measure_revisions(by=a_user(), now=timezone.now(), revisions=_all_withdrawn())
    assert cost(f"{PAGE}{withdrawn.pk}/") <= cost(f"{PAGE}{small.pk}/") + 1 <= 16
    assert cost(PAGE) <= one <= 9


def _all_withdrawn() -> list[Rule]:
    """Return every rule as a revision that withdraws it, which nobody saves."""
    rows = list(Rule.objects.filter(state="published", effect="require"))
    for row in rows:
        row.withdraws = True
    return rows
