"""The filters of lists: by person, by kind of rule, by days in a state, by airline and place."""

import datetime

import pytest
import time_machine
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.bulk import AIRLINES
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose
from catalog.models import Airline, ChangeSet
from rules.editing import actions
from rules.models import Rule
from tests.support.desk.visiting import Visitor, listed, member
from tests.support.factories import a_device, a_rule, a_user
from tests.support.watched_pages import a_page, a_signal

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

RULES, SETS, SIGNALS = "/admin/rules/rule/", "/admin/catalog/changeset/", "/admin/rules/watchsignal/"


@pytest.fixture
def viewer(db: None) -> Visitor:
    return member("Viewer")


def ids(viewer: Visitor, query: str) -> set[str]:
    keys = listed(viewer, f"{RULES}?{query}")
    return set(Rule.objects.filter(pk__in=keys).values_list("rule_id", flat=True))


def test_rules_are_found_by_author_and_by_kind(viewer: Visitor) -> None:
    nora = a_user("nora")
    nora.is_staff = True
    nora.save()
    actions.draft_rules(by=nora, rules=[a_rule(rule_id="n1.by-nora")])
    assert ids(viewer, f"author={nora.pk}") == {"n1.by-nora"}
    assert f'<option value="{nora.pk}"' in viewer.page(RULES)

    limits = ids(viewer, "nature=limit")
    assert "n1.two-units" in limits
    assert "n1.by-nora" not in limits
    assert ids(viewer, "code_is=max_units") <= limits
    assert "n1.by-nora" in ids(viewer, "code_is=permit") == ids(viewer, "nature=permit")


def test_rules_are_found_by_any_number_of_days_in_their_state(viewer: Visitor) -> None:
    by = a_user("nora")
    now = timezone.now()
    with time_machine.travel(now - datetime.timedelta(days=40), tick=False):
        actions.draft_rules(by=by, rules=[a_rule(rule_id="n1.old"), a_rule(rule_id="n1.returned")])
        actions.submit_rules(by=by, rule_ids=["n1.returned"])
    with time_machine.travel(now - datetime.timedelta(days=7), tick=False):
        actions.return_rules(by=a_user("ravi"), rule_ids=["n1.returned"], reason="A typo.")
    actions.draft_rules(by=by, rules=[a_rule(rule_id="n1.new")])

    drafts = "state=draft&"
    assert ids(viewer, f"{drafts}days=40") == {"n1.old"}
    assert ids(viewer, f"{drafts}days=41") == set()
    assert ids(viewer, f"{drafts}days=7") == {"n1.old", "n1.returned"}
    assert ids(viewer, f"{drafts}days_up_to=6&author={by.pk}") == {"n1.new"}
    assert ids(viewer, f"{drafts}days=3&days_up_to=30") == {"n1.returned"}
    for wrong in ("-1", "1e3", "99999", "x", "²"):
        assert viewer.get(f"{RULES}?days={wrong}").status_code == 302


def test_change_sets_are_found_by_kind_airline_and_author(viewer: Visitor) -> None:
    by = a_user("nora")
    (northwing,) = Airline.objects.filter(pk="N1").records()
    first = propose(DEVICES, [a_device(model_id="lynx-new", model_name="New")], by=by, subject="a model")
    second = propose(
        AIRLINES, [replace(northwing, summary="Other.")], by=a_user("ravi"), subject="an airline"
    )
    assert first is not None
    assert second is not None
    assert listed(viewer, f"{SETS}?kind=device") == [first.pk]
    assert listed(viewer, f"{SETS}?airline=N1") == [second.pk]
    assert listed(viewer, f"{SETS}?author={by.pk}") == [first.pk]
    assert listed(viewer, f"{SETS}?days=0&kind=airline") == [second.pk]
    assert listed(viewer, f"{SETS}?days=1") == []
    assert ChangeSet.objects.count() == 2


def test_signals_are_found_by_the_rules_that_rest_on_their_page(viewer: Visitor) -> None:
    signal = a_signal(a_page(url="https://northwing.example/batteries", says="Batteries."))
    for query in ("airline=N1", "nature=limit", "code_is=max_units", "jurisdiction=XA", "days=0"):
        assert listed(viewer, f"{SIGNALS}?{query}") == [signal.pk], query
    for query in ("airline=S2", "nature=advice", "jurisdiction=XB", "days=2", f"author={viewer.user.pk}"):
        assert listed(viewer, f"{SIGNALS}?{query}") == [], query
