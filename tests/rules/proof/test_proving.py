"""Proving a release part by part: killed, run twice, with what was proved before, and what it blocks."""

import datetime
import json
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from msgspec.structs import replace
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from rules import tasks
from rules.editing.actions import approve_rules, draft_rule, submit_rules, withdraw_rules
from rules.engine.facts import Params, When
from rules.models import ProofPart, ProvedSet, Release, ReleaseProof, Rule
from rules.proof import selectors
from rules.proof.actions import proving, workers
from rules.proof.checking import sets as proved_sets
from rules.proof.checking.findings import Tally
from rules.proof.checking.flights import RuleSet
from rules.proof.checking.judging import Ground
from rules.publishing import gate
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import roll_back_release
from rules.publishing.refusals import PromiseBroken
from tests.support.factories import a_user
from tests.support.releasing import NOON
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows")

HOUR = datetime.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _no_queue(settings: Settings) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True


@pytest.fixture
def editor(db: None) -> User:
    """Who wrote the test world, which is published."""
    publish_release(by=a_user("publisher"), note="The first.", now=NOON, cases=())
    return a_user()


def _publish_with(editor: User, rule_id: str, **changes: Any) -> Release:
    """Publish a rule like the one about one unit on S2, with some changes."""
    like = Rule.objects.get(rule_id="s2.one-unit").to_record()
    draft_rule(by=editor, rule=replace(like, rule_id=rule_id, **changes))
    submit_rules(by=editor, rule_ids=[rule_id])
    approve_rules(by=a_user(APPROVER), rule_ids=[rule_id])
    return publish_release(by=a_user("publisher"), note="News.", now=NOON + HOUR, cases=())


def _prove() -> ReleaseProof:
    release = Release.objects.current()
    assert release is not None
    return proving.work_off(proving.begin(release, now=NOON))


def test_a_release_is_proved_and_states_what_was_compared(editor: User) -> None:
    proof = _prove()
    assert (proof.state, proof.differing, proof.broken, proof.found) == ("done", 0, 0, [])
    assert proof.sets > 3
    assert proof.cells > 50 * proof.sets
    statement = json.loads(proof.statement)
    assert statement["questions"] == str(proof.questions)
    assert statement["release_sha256"] == Release.objects.get().sha256
    assert statement["since"] == "2026-11-20"
    assert not {"ruleset_version", "items"} & statement.keys()
    assert not ProofPart.objects.exists()
    known = selectors.proof_of(Release.objects.get().sha256)
    assert known is not None
    assert known.is_clean


def test_a_worker_that_dies_has_done_nothing_and_another_one_goes_on(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SETS_IN_A_PART", 2)
    proof = proving.begin(Release.objects.get(), now=NOON)
    died: list[bool] = []
    real = proved_sets.prove

    class Killed(BaseException):
        pass

    def dying(*given: Any) -> Any:
        if ProvedSet.objects.count() == 2 and not died:
            died.append(True)
            raise Killed
        return real(*given)

    monkeypatch.setattr(workers, "prove", dying)

    def work() -> None:
        while workers.work(proof.pk, seconds=0):
            pass

    with pytest.raises(Killed):
        work()
    assert ReleaseProof.objects.get().state == "running"
    assert ProvedSet.objects.count() == 2
    monkeypatch.setattr(workers, "prove", real)
    proof = proving.work_off(ReleaseProof.objects.get())
    assert len(died) == 1
    assert (proof.state, proof.differing) == ("done", 0)
    assert proof.sets == ProvedSet.objects.count()


def test_the_next_release_proves_only_what_is_new(editor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _prove()
    asked: list[str] = []
    real = proved_sets.prove

    def counting(ground: Ground, one: RuleSet) -> Tally:
        asked.append(one.key)
        return real(ground, one)

    monkeypatch.setattr(workers, "prove", counting)
    _publish_with(editor, "n1.one-unit", airline="N1", jurisdiction="XA")
    second = _prove()
    assert (second.state, second.differing, second.broken) == ("done", 0, 0)
    assert 0 < len(asked) < second.sets
    assert ProvedSet.objects.count() == first.sets + len(asked)


def test_the_same_release_is_proved_once_and_again_by_another_program(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = proving.begin(Release.objects.get(), now=NOON)
    assert proving.begin(Release.objects.get(), now=NOON + HOUR) == proof
    for module in (proving, workers, selectors):
        monkeypatch.setattr(module, "program_digest", lambda: "f" * 64)
    monkeypatch.setattr(proving, "ALONE_SECONDS", 0)
    assert tasks.take_up_proofs() == 1
    assert {one.state for one in ReleaseProof.objects.all()} == {"outdated", "running"}
    assert selectors.proof_of(Release.objects.get().sha256) is not None


def test_the_clock_begins_what_is_missing_and_goes_on(editor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "ALONE_SECONDS", 0)
    assert tasks.take_up_proofs() == 1
    turns = 1
    while tasks.take_up_proofs() and turns < 100:
        turns += 1
    assert 1 < turns < 100
    assert ReleaseProof.objects.get().state == "done"
    assert tasks.take_up_proofs() == 0


def test_publishing_sends_workers_after_the_commit_and_the_clock_sends_lost_ones_again(
    editor: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    sent: list[int] = []
    monkeypatch.setattr(workers.prove_release, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        release = _publish_with(editor, "n1.one-unit", airline="N1", jurisdiction="XA")
        assert not ReleaseProof.objects.exists()
    proof = ReleaseProof.objects.get()
    assert (proof.release, proof.state) == (release, "queued")
    assert sent == [proof.pk] * proving.SENT_AT_ONCE
    with django_capture_on_commit_callbacks(execute=True):
        proving.take_up_all(now=NOON + HOUR + datetime.timedelta(seconds=5))
    assert len(sent) == proving.SENT_AT_ONCE
    with django_capture_on_commit_callbacks(execute=True):
        proving.take_up_all(now=NOON + 2 * HOUR)
    assert len(sent) == 2 * proving.SENT_AT_ONCE
    assert workers.work(proof.pk, seconds=0)


def test_what_cannot_be_compared_fails_with_a_reason_and_can_begin_again(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*given: Any) -> Any:
        raise RuntimeError("no memory")

    monkeypatch.setattr(workers, "_selection", failing)
    proof = _prove()
    assert (proof.state, proof.failure) == (
        "failed",
        "The selection of rules could not be compared: RuntimeError.",
    )
    monkeypatch.undo()
    assert proving.work_off(proving.again(proof, now=NOON)).state == "done"


@pytest.fixture
def lying_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that allows what is conditional."""
    real = Ground.by_engine
    monkeypatch.setattr(
        Ground,
        "by_engine",
        lambda self, leg, day, units: [
            answer._replace(verdict="allowed") if answer.verdict == "conditional" else answer
            for answer in real(self, leg, day, units)
        ],
    )


@pytest.mark.usefixtures("lying_engine")
def test_a_disagreement_is_counted_described_and_proved_again_next_time(
    editor: User, caplog: pytest.LogCaptureFixture
) -> None:
    proof = _prove()
    assert proof.differing > 0
    assert any(one["question"] for one in proof.found)
    assert "disagreements" in caplog.text
    assert ProvedSet.objects.count() < proof.sets


@pytest.mark.usefixtures("lying_engine")
def test_the_command_fails_and_shows_what_differs(editor: User, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="is not proved"):
        call_command("release", "prove")
    said = capsys.readouterr().out
    assert "difference" in said or "allowed" in said
    assert "is proved." not in said


def test_a_broken_promise_blocks_what_is_milder_and_nothing_stricter(editor: User) -> None:
    first = Release.objects.get()
    banned = When(watt_hour_over=Decimal(90), watt_hour_up_to=Decimal(95))
    planted = _publish_with(
        editor,
        "s2.none-of-90",
        when=banned,
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(90)),
    )
    gate.refuse_broken(planted)  # A proof that has not finished blocks nothing.
    with pytest.raises(CommandError, match="is not proved"):
        call_command("release", "prove")
    proof = ReleaseProof.objects.get(release=planted)
    assert proof.differing == 0
    assert proof.broken > 0
    with pytest.raises(PromiseBroken, match="more energy is never milder"):
        gate.refuse_broken(planted)
    with pytest.raises(PromiseBroken, match="nothing less strict"):
        roll_back_release(by=a_user("third"), to=str(first), reason="Go back.", now=NOON + 2 * HOUR, cases=())
    # So is a publication that withdraws a rule.
    saved = transaction.savepoint()
    withdraw_rules(by=editor, rule_ids=["s2.one-unit"], reason="Gone.")
    submit_rules(by=editor, rule_ids=["s2.one-unit"])
    approve_rules(by=a_user(APPROVER), rule_ids=["s2.one-unit"])
    with pytest.raises(PromiseBroken):
        publish_release(by=a_user("publisher"), note="Milder.", now=NOON + 2 * HOUR, cases=())
    transaction.savepoint_rollback(saved)
    # What is stricter passes: it does not ask for promises.
    stricter = replace(Rule.objects.get(rule_id="s2.one-unit").to_record(), rule_id="n1.one-unit")
    draft_rule(by=editor, rule=replace(stricter, airline="N1", jurisdiction="XA"))
    submit_rules(by=editor, rule_ids=["n1.one-unit"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.one-unit"])
    publish_release(by=a_user("publisher"), note="Stricter.", now=NOON + 2 * HOUR, cases=())


def test_the_command_proves_the_current_release(editor: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("release", "prove")
    said = capsys.readouterr().out
    assert "is proved." in said
    assert "broken promises      0" in said
    with pytest.raises(CommandError, match="no release"):
        call_command("release", "prove", "2020-01-01")


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "done"},
        {"state": "failed"},
        {"state": "odd"},
        {"state": "running"},
        {"finished": NOON},
        {"program_sha256": "x"},
    ],
)
def test_the_database_refuses_impossible_proofs(editor: User, columns: dict[str, Any]) -> None:
    proof = proving.begin(Release.objects.get(), now=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        ReleaseProof.objects.filter(pk=proof.pk).update(**columns)
