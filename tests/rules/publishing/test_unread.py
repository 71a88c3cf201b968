"""What one person alone tells travelers in a new rule or recall: nothing in their own words."""

from typing import Any

import pytest
import time_machine
from msgspec.structs import replace

from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls
from recalls.models import Recall
from recalls.serials import AffectedSerials
from rules.engine.facts import Params, Rule, When
from rules.models import Release
from rules.publishing.unread import unread_words
from tests.rules.publishing.test_alone import current, me
from tests.rules.publishing.test_gate import MINUTE, Person, cases, clock, published, world
from tests.rules.publishing.test_gate_attacks import alone
from tests.support.factories import a_rule, a_source, a_user, an_unread_recall
from tests.support.ledger import world_content
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "me", "published", "world"]

SUMMARY = (
    "Northwing (N1, Northland) limits each passenger to 1 power bank in any compartment, on all its flights."
)
UNKNOWN_SERVER = "the release has no official page of evil.example"
LOOKUP = AffectedSerials(
    scope="lookup_required", identifier="serial", explicit_list_url="https://evil.example/check"
)
RECALL = an_unread_recall()
NAME = RECALL.recall_id


def a_limit(**changes: Any) -> Rule:
    """Return a new rule of an airline, in the program's words."""
    rule = a_rule(
        rule_id="n1.one-unit",
        when=When(),
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        summary=SUMMARY,
    )
    return replace(rule, **changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"title": "All is fine"}, [f"recall {NAME}: its title has to be “{RECALL.title}”"]),
        ({"hazard": "none"}, [f"recall {NAME}: its hazard has to be “{RECALL.hazard}”"]),
        ({"remedy": "Keep using it on board."}, [f"recall {NAME}: its remedy has to be “{RECALL.remedy}”"]),
        ({"authority": "Evil"}, [f"recall {NAME}: the release does not know the authority “Evil”"]),
        (
            {"notice_url": "https://evil.example/"},
            [f"recall {NAME}: {UNKNOWN_SERVER}"],
        ),
        ({"affected_serials": LOOKUP}, [f"recall {NAME}: {UNKNOWN_SERVER}"]),
        (
            {"affected_serials": replace(RECALL.affected_serials, identifier="call_1_555")},
            [f"recall {NAME}: no recall of the release goes by the identifier “call_1_555”"],
        ),
        (
            {"affected_serials": replace(RECALL.affected_serials, format_hint="Call +1-555", values=("x",))},
            [f"recall {NAME}: it cannot have values yet", f"recall {NAME}: it cannot have format hint yet"],
        ),
        (
            {"affected_serials": replace(RECALL.affected_serials, colour_condition="only green ones")},
            [f"recall {NAME}: it cannot have colour condition yet"],
        ),
        (
            {"notice_url": "https://northwing.example@evil.example/"},
            [f"recall {NAME}: the release has no official page of northwing.example@evil.example"],
        ),
    ],
)
def test_a_recall_says_what_the_program_would_say_and_links_to_known_servers(
    changes: dict[str, Any], said: list[str]
) -> None:
    before = world_content()
    after = replace(before, recalls=(*before.recalls, replace(RECALL, **changes)))
    assert unread_words(before, after, {("recalls", NAME)}, before) == said
    assert unread_words(before, after, set(), before) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"summary": "Take as many as you like."}, [f"rule n1.one-unit: its summary has to be “{SUMMARY}”"]),
        ({"authority": "Evil"}, ["its summary has to be", "does not know the authority “Evil”"]),
    ],
)
def test_a_rule_says_what_the_program_would_say(changes: dict[str, Any], said: list[str]) -> None:
    before = world_content()
    after = replace(before, rules=(*before.rules, a_limit(**changes)))
    found = unread_words(before, after, {("rules", "n1.one-unit")}, before)
    assert len(found) == len(said)
    assert all(words in one for one, words in zip(found, said, strict=True))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"url": "https://evil.example/"}, [f"source new-page: {UNKNOWN_SERVER}"]),
        (
            {"read_url": "https://evil.example/"},
            [f"source new-page: {UNKNOWN_SERVER}"],
        ),
        ({"authority": "Evil"}, ["source new-page: the release does not know the authority “Evil”"]),
    ],
)
def test_a_new_page_is_one_of_a_known_authority_on_a_known_server(
    changes: dict[str, Any], said: list[str]
) -> None:
    before = world_content()
    after = replace(
        before,
        sources=(*before.sources, a_source(id="new-page", **changes)),
        rules=(*before.rules, a_limit(sources=("new-page",))),
    )
    assert unread_words(before, after, {("rules", "n1.one-unit")}, before) == said


def test_a_page_of_news_or_of_a_copy_makes_no_server_known() -> None:
    before = world_content()
    url = "https://code.example/northwing"
    for more in ({"kind": "news", "url": url}, {"read_url": url}, {"basis": "secondary_read", "url": url}):
        known = replace(before, sources=(*before.sources, a_source(id="more", **more)))
        after = replace(known, recalls=(*before.recalls, replace(RECALL, notice_url=url)))
        said = unread_words(known, after, {("recalls", NAME)}, known)
        assert said == [f"recall {NAME}: the release has no official page of code.example"]


def test_a_record_that_the_release_has_already_was_read() -> None:
    before = world_content()
    assert unread_words(before, before, {("rules", one.rule_id) for one in before.rules}, before) == []


def other_words(by: Person) -> str:
    """Let a person submit a recall with words of their own, and return its id."""
    draft_recall(by=by.user, recall=replace(RECALL, remedy="Keep using it on board."))
    submit_recalls(by=by.user, recall_ids=[NAME])
    return NAME


@pytest.mark.usefixtures("fresh_desk")
def test_one_person_alone_does_not_publish_their_own_words(me: Person, world: time_machine.Traveller) -> None:
    said = alone(me, recall=other_words(me))
    assert "travelers would read as official what only one person has read" in said
    assert "its remedy has to be “Stop using it, and do what the notice says.”" in said
    assert (Release.objects.count(), Recall.objects.get(recall_id=NAME).state) == (1, "in_review")


@pytest.mark.usefixtures("fresh_desk")
def test_words_that_another_person_approved_go_out_alone(me: Person, world: time_machine.Traveller) -> None:
    approve_recalls(by=a_user(APPROVER), recall_ids=[other_words(me)])
    assert alone(me, recall=NAME) == ""
    assert NAME in {one.recall_id for one in current().recalls}


@pytest.mark.usefixtures("fresh_desk")
def test_words_that_another_person_wrote_go_out_alone(me: Person, world: time_machine.Traveller) -> None:
    assert alone(me, recall=other_words(Person("other", "Editor"))) == ""
    assert NAME in {one.recall_id for one in current().recalls}


@pytest.mark.usefixtures("fresh_desk")
def test_what_waits_for_its_second_approval_makes_no_server_known(
    me: Person, world: time_machine.Traveller
) -> None:
    elsewhere = "https://evil.example/notice"
    other = Person("other", "Editor")
    draft_recall(by=other.user, recall=replace(RECALL, notice_url=elsewhere))
    submit_recalls(by=other.user, recall_ids=[NAME])
    assert alone(me, recall=NAME) == ""
    again = replace(RECALL, recall_id="again", notice_url=elsewhere)
    draft_recall(by=me.user, recall=again)
    submit_recalls(by=me.user, recall_ids=["again"])
    world.shift(MINUTE)
    assert "recall again: the release has no official page of evil.example" in alone(me, recall="again")
