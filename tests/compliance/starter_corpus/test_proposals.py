"""What becomes of proposals, in the test world: accepted, declined, replaced, refused, in conflict."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.actions import change_airline
from catalog.devices.actions import delete_device
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import ReasonMissing, WrongState
from catalog.models import Airline, AuditEntry, Device, Source
from catalog.tables.actions.accounts import program_account
from compliance.models import CorpusProposal, ProposalState
from compliance.starter_corpus import preview
from compliance.starter_corpus.actions import accept, decline
from compliance.starter_corpus.comparing import compare
from compliance.starter_corpus.recorded import UPDATER, fingerprint
from compliance.starter_corpus.seeding import load
from rules.editing.actions import change_rule, discard_rules, revise_rules
from rules.engine import facts
from rules.impact.actions.measuring import measure_publishing, work_off
from rules.models import Rule
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from tests.compliance.starter_corpus.folders import change_rows, write_world
from tests.compliance.starter_corpus.installing import (
    approve,
    edit,
    install,
    proposal,
    row_of,
    say,
    say_of_airline,
    update,
)
from tests.support.desk.approving import approve_what_waits
from tests.support.factories import a_user

RULE, OTHER_RULE = "n1.two-units", "s2.one-unit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the next corpus, which so far says what the seeded one said."""
    return write_world(tmp_path / "next")


@pytest.fixture
def installed(db: None, tmp_path: Path) -> None:
    """An installation that was seeded with the test world and published it."""
    install(tmp_path / "first")


def publish() -> None:
    """Publish what is agreed, after it was measured."""
    by, now = program_account("command-line"), timezone.now()
    work_off(measure_publishing(by=by, now=now))
    publish_release(by=by, note="News.", now=now, cases=())


def agree(record_id: str, by: User | None = None) -> CorpusProposal:
    row = proposal(record_id)
    return accept(by=by or a_user(), proposal_id=row.pk, seen=fingerprint(row), now=timezone.now())


def summary_of(rule_id: str) -> str:
    """Return what the next release would say."""
    (rule,) = [rule for rule in compile_content().rules if rule.rule_id == rule_id]
    return rule.summary


@pytest.mark.usefixtures("installed")
class TestRecordsChangedInPlace:
    def test_an_accepted_one_is_written_in_the_name_of_who_accepted_it_once_another_person_approves(
        self, folder: Path
    ) -> None:
        say_of_airline(folder, "N1", summary="One unit.")
        update(folder)
        assert Airline.objects.get(pk="N1").policy.summary != "One unit."
        agree("N1", by=a_user("edda"))
        assert Airline.objects.get(pk="N1").policy.summary != "One unit."
        approve_what_waits()
        policy = Airline.objects.get(pk="N1").policy
        assert (policy.summary, policy.changed_by) == ("One unit.", a_user("edda"))
        assert proposal("N1").state == ProposalState.ACCEPTED
        entry = AuditEntry.objects.get(kind="proposal", subject="airlines N1")
        assert (entry.verb, entry.done_by) == (EditorAction.CONFIRM, a_user("edda"))

    def test_one_whose_record_was_edited_after_it_was_proposed_is_refused(self, folder: Path) -> None:
        say_of_airline(folder, "N1", summary="One unit.")
        update(folder)
        airline = Airline.objects.identified(["N1"]).records()[0]
        change_airline(by=a_user(), airline=replace(airline, notes=("Ours.",)))
        with pytest.raises(WrongState, match="was changed here since this was proposed"):
            agree("N1")
        assert Airline.objects.get(pk="N1").policy.notes == ["Ours."]

    def test_one_that_has_changed_since_a_person_looked_is_refused(self, folder: Path) -> None:
        say_of_airline(folder, "N1", summary="One unit.")
        update(folder)
        with pytest.raises(WrongState, match="look again"):
            accept(by=a_user(), proposal_id=proposal("N1").pk, seen="another", now=timezone.now())

    def test_a_declined_one_comes_again_only_when_the_corpus_says_something_else(self, folder: Path) -> None:
        say_of_airline(folder, "N1", summary="One unit.")
        update(folder)
        with pytest.raises(ReasonMissing):
            decline(by=a_user(), proposal_id=proposal("N1").pk, reason=" ", now=timezone.now())
        decline(by=a_user(), proposal_id=proposal("N1").pk, reason="It is two.", now=timezone.now())
        assert update(folder).done == ()
        say_of_airline(folder, "N1", summary="Two units.")
        assert [one.record_id for one in update(folder).done] == ["N1"]
        assert proposal("N1").state == ProposalState.OPEN

    def test_a_newer_corpus_replaces_what_no_one_has_decided(self, folder: Path) -> None:
        say_of_airline(folder, "N1", summary="One unit.")
        update(folder)
        say_of_airline(folder, "N1", summary="Three units.")
        update(folder)
        states = CorpusProposal.objects.filter(record_id="N1").order_by("pk").values_list("state", flat=True)
        assert list(states) == [ProposalState.REPLACED, ProposalState.OPEN]

    def test_a_new_source_is_recorded_at_once_because_drafts_cite_it(self, folder: Path) -> None:
        change_rows(
            folder,
            "sources.json",
            lambda rows: rows.append({**row_of(rows, "id", "northwing-page"), "id": "northwing-2027"}),
        )
        say(folder, RULE, sources=["northwing-2027"])
        done = update(folder)
        assert done.refused == ()
        assert Source.objects.get(pk="northwing-2027").created_by.username == UPDATER
        draft = Rule.objects.get(rule_id=RULE, state=State.DRAFT)
        assert draft.to_record().sources == ("northwing-2027",)

    def test_one_that_the_corpus_has_no_more_is_deleted_only_where_nothing_refers_to_it(
        self, folder: Path
    ) -> None:
        change_rows(folder, "devices.json", lambda rows: rows.remove(row_of(rows, "model_id", "lynx-27k")))
        update(folder)
        assert Device.objects.filter(pk="lynx-27k").exists()
        agree("lynx-27k")
        assert Device.objects.filter(pk="lynx-27k").exists()
        approve_what_waits()
        assert not Device.objects.filter(pk="lynx-27k").exists()

    def test_one_that_editors_deleted_does_not_come_back(self, folder: Path) -> None:
        delete_device(by=a_user(), model_id="lynx-27k")
        assert update(folder).done == ()
        change_rows(
            folder,
            "devices.json",
            lambda rows: row_of(rows, "model_id", "lynx-27k").update(notes="New notes."),
        )
        (conflict,) = update(folder).compared.conflicts
        assert (conflict.record_id, conflict.conflict) == ("lynx-27k", "was taken out here")
        assert not Device.objects.filter(pk="lynx-27k").exists()


@pytest.mark.usefixtures("installed")
class TestRules:
    def test_a_proposal_is_a_draft_that_others_approve(self, folder: Path) -> None:
        say(folder, RULE, summary="Said in new words.")
        update(folder)
        (entry,) = AuditEntry.objects.filter(subject=RULE, verb=EditorAction.REVISE)
        assert entry.done_by.username == UPDATER
        assert entry.reason.startswith("Changed in the starter corpus of ")
        assert summary_of(RULE) != "Said in new words."
        approve(RULE)
        assert summary_of(RULE) == "Said in new words."

    def test_a_new_rule_keeps_its_reason_in_the_log(self, folder: Path) -> None:
        change_rows(
            folder,
            "rules.json",
            lambda rows: rows.append({**row_of(rows, "rule_id", RULE), "rule_id": "n1.further"}),
        )
        update(folder)
        entry = AuditEntry.objects.get(subject="n1.further", verb=EditorAction.DRAFT)
        assert entry.reason.startswith("New in the starter corpus of ")

    def test_a_discarded_draft_is_not_drafted_again(self, folder: Path) -> None:
        say(folder, RULE, summary="Said in new words.")
        update(folder)
        discard_rules(by=a_user(), rule_ids=[RULE], reason="It is not so.")
        assert update(folder).done == ()

    def test_a_newer_corpus_rewrites_a_draft_that_no_person_has_written_in(self, folder: Path) -> None:
        say(folder, RULE, summary="Said in new words.")
        update(folder)
        say(folder, RULE, summary="Said once more.")
        update(folder)
        (draft,) = Rule.objects.filter(rule_id=RULE, state=State.DRAFT)
        assert draft.summary == "Said once more."

    def test_a_draft_that_an_editor_has_written_in_is_left_alone_and_named(self, folder: Path) -> None:
        say(folder, RULE, summary="Said in new words.")
        update(folder)
        draft = Rule.objects.get(rule_id=RULE, state=State.DRAFT)
        change_rule(by=a_user(), rule=replace(draft.to_record(), summary="Better words."))
        say(folder, RULE, summary="Said once more.")
        (left,) = update(folder).compared.left_alone
        assert (left.record_id, left.occupied) == (RULE, f"revision 2 is a draft of {UPDATER}")
        assert Rule.objects.get(rule_id=RULE, state=State.DRAFT).summary == "Better words."

    def test_what_was_left_alone_is_proposed_once_no_one_is_at_work_on_it(self, folder: Path) -> None:
        revise_rules(by=a_user(), rule_ids=[RULE], reason="We are at it.")
        say(folder, RULE, summary="Said in new words.")
        assert update(folder).done == ()
        discard_rules(by=a_user(), rule_ids=[RULE], reason="Nothing to do.")
        assert [one.record_id for one in update(folder).done] == [RULE]

    def test_a_conflict_opens_no_draft_until_a_person_takes_it(self, folder: Path) -> None:
        edit(RULE, "Ours.")
        say(folder, RULE, summary="Theirs.")
        update(folder)
        row = proposal(RULE)
        assert row.state == ProposalState.CONFLICT
        assert (row.found(facts.Rule).summary, row.proposed(facts.Rule).summary) == ("Ours.", "Theirs.")
        assert not Rule.objects.filter(state=State.DRAFT).exists()
        agree(RULE)
        draft = Rule.objects.get(rule_id=RULE, state=State.DRAFT)
        assert (draft.summary, draft.created_by.username) == ("Theirs.", UPDATER)
        assert summary_of(RULE) == "Ours."
        # Who took it may approve it: the update is its only author.
        approve(RULE)
        assert summary_of(RULE) == "Theirs."

    def test_an_edit_is_no_conflict_where_the_corpus_says_nothing_new(self, folder: Path) -> None:
        edit(RULE, "Ours.")
        assert update(folder).compared.differences == ()

    def test_an_edit_that_says_what_the_corpus_says_is_no_conflict(self, folder: Path) -> None:
        edit(RULE, "Both.")
        say(folder, RULE, summary="Both.")
        assert update(folder).compared.differences == ()

    def test_one_that_cites_what_is_not_recorded_is_refused_by_name_and_others_are_not(
        self, folder: Path
    ) -> None:
        say(folder, RULE, sources=["nowhere"])
        say(folder, OTHER_RULE, summary="Said in new words.")
        done = update(folder)
        assert [(one.record_id, why) for one, why in done.refused] == [
            (RULE, "names the source `nowhere`, which is not recorded")
        ]
        assert [one.record_id for one in done.done] == [OTHER_RULE]

    def test_all_of_it_can_be_measured_before_anyone_decides(self, folder: Path) -> None:
        say(folder, RULE, params={"max_units": 1})
        say_of_airline(folder, "S2", summary="Said in new words.")
        update(folder)
        found = preview.all_of_it()
        assert found is not None
        rules = {rule.rule_id: rule for rule in found.content.rules}
        airlines = {airline.airline: airline for airline in found.content.airlines}
        assert rules[RULE].params.max_units == 1
        assert airlines["S2"].summary == "Said in new words."
        assert summary_of(RULE) != ""

    def test_published_together_it_is_what_the_corpus_says(self, folder: Path) -> None:
        say(folder, RULE, params={"max_units": 1})
        say_of_airline(folder, "S2", summary="Said in new words.")
        update(folder)
        agree("S2")
        approve_what_waits()
        approve(RULE)
        publish()
        assert compare(folder).differences == ()
        content = compile_content()
        assert {rule.rule_id: rule for rule in content.rules}[RULE].params.max_units == 1


def test_what_people_changed_before_the_first_release_is_not_taken_for_the_seed_s(
    db: None, tmp_path: Path, folder: Path
) -> None:
    """Where nothing says what the seed wrote, a difference is a conflict."""
    load(write_world(tmp_path / "first"))
    airline = Airline.objects.identified(["N1"]).records()[0]
    change_airline(by=a_user(), airline=replace(airline, summary="Ours, early."))
    publish_release(by=program_account("command-line"), note="First.", now=timezone.now(), cases=())
    (conflict,) = compare(folder).differences
    assert (conflict.record_id, conflict.conflict) == ("N1", "says something of its own here")


@pytest.mark.usefixtures("installed")
def test_a_file_that_cannot_be_read_has_an_exit_status_of_its_own(folder: Path) -> None:
    (folder / "rules.json").write_text("[1]")
    with pytest.raises(CommandError, match=r"Nothing was proposed\.") as error:
        call_command("corpus", "update", "--from", str(folder), stdout=io.StringIO())
    assert error.value.returncode == 2


def test_a_run_that_is_killed_half_way_leaves_nothing_and_doubles_nothing(
    committing_db: None, tmp_path: Path, folder: Path
) -> None:
    install(tmp_path / "first")
    say_of_airline(folder, "S2", summary="Said in new words.")
    say(folder, RULE, summary="Said in new words.")
    say(folder, OTHER_RULE, summary="Said in new words.")
    run = [sys.executable, "manage.py", "corpus", "update", "--propose", "--from", str(folder)]
    environment = os.environ | _settings()
    with transaction.atomic():
        # The run waits at this rule, when it has written the proposal of the airline.
        Rule.objects.select_for_update().get(rule_id=RULE)
        halfway = subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        _wait_until_it_waits(halfway)
        halfway.send_signal(signal.SIGKILL)
        halfway.communicate()
    assert not CorpusProposal.objects.exists()
    assert not Rule.objects.filter(state=State.DRAFT).exists()
    for _ in range(2):
        subprocess.run(run, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert sorted(CorpusProposal.objects.values_list("record_id", flat=True)) == ["S2", RULE, OTHER_RULE]
    assert Rule.objects.filter(state=State.DRAFT).count() == 2


def _settings() -> dict[str, str]:
    """Return where another process finds the database of this test."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return {"DATABASE_URL": database.geturl()}


def _wait_until_it_waits(run: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and run.poll() is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        time.sleep(0.1)
    run.kill()
    raise AssertionError(f"the run never came to the locked rule: {run.communicate()[0]!r}")
