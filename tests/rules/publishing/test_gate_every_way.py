"""Every way to a release passes the gate: a milder one by one person is refused, a stricter one goes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone
from msgspec.structs import replace

from rules.editing.actions import approve_rules, submit_rules
from rules.models import PlannedRelease, Release, Rule
from rules.publishing import gate
from rules.publishing.actions.plans import carry_out_plans
from tests.rules.publishing.test_gate import (
    MINUTE,
    NO_SECOND,
    ONE_UNIT,
    Person,
    cases,
    clock,
    loosen,
    loosened,
    published,
    roll_back,
    tighten,
    world,
)
from tests.rules.publishing.test_gate_over_http import (
    ALONE,
    EVERY_ROLE,
    LATER,
    TWO_PEOPLE,
    TWO_UNITS,
    alone,
    publish,
    said,
    shown,
)
from tests.support.factories import a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the calls of the gate."""
    found: list[str] = []

    def noting(name: str) -> Callable[..., Any]:
        real = getattr(gate, name)

        def call(*args: Any, **named: Any) -> Any:
            found.append(name)
            return real(*args, **named)

        return call

    for name in ("pass_", "pass_back"):
        monkeypatch.setattr(gate, name, noting(name))
    return found


def change(me: Person, *, milder: bool) -> str:
    """Let one person write a change, and another one approve it once. Return the rule."""
    (loosen if milder else tighten)(me.user)
    rule_id = ONE_UNIT if milder else TWO_UNITS
    approve_rules(by=a_user(APPROVER), rule_ids=[rule_id])
    return rule_id


def by_the_page(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    change(me, milder=milder)
    return publish(me)


def by_a_plan(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    """Carry out a plan that is in the table, whatever planning it refused."""
    change(me, milder=milder)
    PlannedRelease.objects.create(
        due=LATER, note="Later.", created_at=timezone.now(), created_by=me.user, **shown()
    )
    clock.move_to(LATER)
    carry_out_plans(now=LATER)
    return PlannedRelease.objects.get().failure


def by_the_command(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    change(me, milder=milder)
    return command("publish", note="News.")


def by_the_command_that_rolls_back(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    return command("roll-back", str(earlier(me, clock, milder=milder)), reason="It was wrong.")


def by_a_roll_back(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    return roll_back(me, earlier(me, clock, milder=milder))


def by_publishing_alone(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    (loosen if milder else tighten)(me.user)
    return alone(me, rule=ONE_UNIT if milder else TWO_UNITS)


def by_an_import(me: Person, clock: Clock, tmp_path: Path, milder: bool) -> str:
    """Import a rule at the desk, which writes a draft."""
    rule_id, units = (ONE_UNIT, 2) if milder else (TWO_UNITS, 1)
    record = Rule.objects.get(rule_id=rule_id).to_record()
    rules = [replace(record, params=replace(record.params, max_units=units))]
    file = SimpleUploadedFile("rules.json", msgspec.json.encode(rules))
    page = me.post("/admin/rules/rule/import/", file=file, reason="So.").content.decode()
    agreed = page.partition('name="agreed" value="')[2].partition('"')[0]
    assert said(me.post("/admin/rules/rule/import/", agreed=agreed)) == ""
    submit_rules(by=me.user, rule_ids=[rule_id])
    approve_rules(by=a_user(APPROVER), rule_ids=[rule_id])
    return publish(me)


def earlier(me: Person, clock: Clock, *, milder: bool) -> Release:
    """Let others publish a change. Return the release before it, which is milder or stricter than that."""
    before = Release.objects.current()
    assert before is not None
    if milder:
        tighten(a_user())
        approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
        assert publish(Person("other", "Publisher")) == ""
    else:
        loosened(clock)
    clock.shift(MINUTE)
    return before


def command(*args: str, **named: str) -> str:
    try:
        call_command("release", *args, **named)
    except CommandError as refused:
        return str(refused)
    return ""


WAYS: list[tuple[str, Callable[[Person, Clock, Path, bool], str]]] = [
    (NO_SECOND, by_the_page),
    (NO_SECOND, by_a_plan),
    (NO_SECOND, by_the_command),
    (TWO_PEOPLE, by_the_command_that_rolls_back),
    (TWO_PEOPLE, by_a_roll_back),
    (ALONE, by_publishing_alone),
    (NO_SECOND, by_an_import),
]
NAMES = [way.__name__ for _, way in WAYS]


@pytest.mark.parametrize(("sentence", "way"), WAYS, ids=NAMES)
def test_a_milder_release_by_one_person_is_refused(
    world: Clock, tmp_path: Path, sentence: str, way: Callable[..., str], calls: list[str]
) -> None:
    assert sentence in way(Person("mallory", *EVERY_ROLE), world, tmp_path, True)
    assert calls


@pytest.mark.parametrize(("sentence", "way"), WAYS, ids=NAMES)
def test_a_stricter_release_goes(
    world: Clock, tmp_path: Path, sentence: str, way: Callable[..., str], calls: list[str]
) -> None:
    before = Release.objects.current()
    assert way(Person("mallory", *EVERY_ROLE), world, tmp_path, False) == ""
    assert Release.objects.current() != before
    assert calls
