"""The way of a newer starter corpus to a release: its drafts pass the gate like those of people.

These tests install the corpus in an empty database, so they do not begin with the test world.
"""

from pathlib import Path

import msgspec
import pytest

from rules.cases import Case
from rules.editing.actions import approve_rules, submit_rules
from rules.models import Release, Rule
from tests.compliance.starter_corpus.folders import write_world
from tests.compliance.starter_corpus.installing import install, say, update
from tests.rules.publishing.test_gate import NO_SECOND, ONE_UNIT, Person, cases, clock
from tests.rules.publishing.test_gate_every_way import Clock, calls
from tests.rules.publishing.test_gate_over_http import EVERY_ROLE, TWO_UNITS, publish

__all__ = ["calls", "cases", "clock"]

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.mark.parametrize("milder", [True, False])
def test_an_update_of_the_corpus_makes_drafts_that_pass_the_gate(
    db: None, clock: Clock, cases: list[Case], tmp_path: Path, calls: list[str], milder: bool
) -> None:
    install(tmp_path / "first")
    first, folder = Release.objects.current(), write_world(tmp_path / "next")
    rule_id, units = (ONE_UNIT, 2) if milder else (TWO_UNITS, 1)
    params = msgspec.to_builtins(Rule.objects.get(rule_id=rule_id).to_record().params)
    say(folder, rule_id, params=params | {"max_units": units})
    update(folder)
    assert Release.objects.current() == first
    me = Person("mallory", *EVERY_ROLE)
    submit_rules(by=me.user, rule_ids=[rule_id])
    approve_rules(by=me.user, rule_ids=[rule_id])
    refusal = publish(me)
    assert NO_SECOND in refusal if milder else refusal == ""
    assert calls.count("pass_") == 2
