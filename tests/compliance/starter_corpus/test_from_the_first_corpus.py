"""From the first starter corpus to the present one, with what editors did in between.

The first corpus is seeded and published once for all tests; each takes back what it changes.
"""

import datetime
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import DjangoDbBlocker

from catalog.airlines.actions import change_airline, record_airline
from catalog.editorial.workflow import State
from catalog.models import Airline, Source
from catalog.sources.actions import change_source
from catalog.tables.actions.accounts import program_account
from compliance.models import CorpusProposal, ProposalState
from compliance.starter_corpus.actions import accept
from compliance.starter_corpus.comparing import Compared, compare
from compliance.starter_corpus.kinds import KINDS
from compliance.starter_corpus.recorded import UPDATER, fingerprint
from compliance.starter_corpus.release import starter_content
from compliance.starter_corpus.seeding import load
from rules.case_editing.selectors import cases_in_force
from rules.cases import load_cases
from rules.disagreements.actions import approve_disagreements, submit_disagreements
from rules.disagreements.models import Disagreement
from rules.editing.actions import (
    approve_rules,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.engine.document import ID_FIELD, Content, problems
from rules.models import Release, Rule
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from tests.compliance.starter_corpus.first_corpus import (
    KEYS,
    STARTER_CORPUS,
    digest,
    digests,
    write_first_corpus,
)
from tests.support.desk.approving import approve_what_waits
from tests.support.factories import a_user

REVIEWER = "reviewer"


@pytest.fixture(scope="module")
def first_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    write_first_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def _installed(
    first_corpus: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """An installation that was seeded with the first corpus and published it."""
    with django_db_blocker.unblock(), transaction.atomic():
        load(first_corpus)
        # To the database all of a test is one instant, and what editors do comes after the release.
        an_hour_ago = timezone.now() - datetime.timedelta(hours=1)
        publish_release(by=program_account("command-line"), note="Corpus", now=an_hour_ago, cases=())
        # Deferred checks run here, not again after each test.
        connection.check_constraints()
        yield
        transaction.set_rollback(True)


class Before(NamedTuple):
    """What was there before the update."""

    release: Release | None
    content: Content
    differing: set[tuple[str, str]]
    rows: dict[str, list[dict[str, Any]]]
    rows_after_dying: dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="class")
def before(_installed: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Before]:
    """An update that died half way, and the next one, which proposed everything.

    Its proposals stay for one class: processes that share tests run those of a file in any order.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        release, content, rows = Release.objects.current(), compile_content(), all_rows()
        differing = {(one.kind.name, one.record_id) for one in compared().differences}
        # Rules come after what they cite, so by then sources and airlines are written.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("compliance.starter_corpus.kinds.draft_rules", _die)
            with pytest.raises(KeyboardInterrupt):
                update("--propose")
        rows_after_dying = all_rows()
        update("--propose")
        connection.check_constraints()
        yield Before(release, content, differing, rows, rows_after_dying)
        transaction.set_rollback(True)


def _die(**_: Any) -> None:
    raise KeyboardInterrupt


pytestmark = [pytest.mark.usefixtures("_installed"), pytest.mark.django_db]


def update(*arguments: str) -> str:
    output = io.StringIO()
    call_command("corpus", "update", *arguments, stdout=output)
    return output.getvalue()


def update_with_conflicts(*arguments: str) -> str:
    """Update where a person is needed, which the exit status says."""
    output = io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command("corpus", "update", *arguments, stdout=output)
    assert error.value.returncode == 1
    return output.getvalue()


def all_rows() -> dict[str, list[dict[str, Any]]]:
    """Return every column of every row of every table."""
    return {
        model._meta.label: sorted(model._default_manager.values(), key=lambda row: repr(row))
        for model in apps.get_models()
    }


def compared() -> Compared:
    return compare(STARTER_CORPUS)


def expected(name: str) -> tuple[set[str], set[str], set[str]]:
    """Return which records of a file are new, changed and gone, by the files alone."""
    small = json.loads(Path(__file__).with_name("first_corpus.json").read_text())[name]
    return set(small["not_there_yet"]), set(small["was"]), set(small["only_then"])


def revise(rule_id: str, by: User, **changes: Any) -> None:
    """Change a rule here, all the way to its approval."""
    revise_rules(by=by, rule_ids=[rule_id], reason="We read it again.")
    draft = Rule.objects.identified([rule_id]).get()
    change_rule(by=by, rule=replace(draft.to_record(), **changes))
    submit_rules(by=by, rule_ids=[rule_id])
    approve_rules(by=a_user(REVIEWER), rule_ids=[rule_id])


def retire(rule_id: str) -> None:
    """Take a rule out here, all the way to the approval."""
    withdraw_rules(by=a_user(), rule_ids=[rule_id], reason="It never was so.")
    submit_rules(by=a_user(), rule_ids=[rule_id])
    approve_rules(by=a_user(REVIEWER), rule_ids=[rule_id])


def agree_to_everything() -> None:
    """Accept what is proposed in place, and lead all drafts of the update to their approval."""
    for proposal in CorpusProposal.objects.filter(state=ProposalState.OPEN):
        accept(by=a_user(), proposal_id=proposal.pk, seen=fingerprint(proposal), now=timezone.now())
    approve_what_waits()
    drafts = Rule.objects.filter(state=State.DRAFT, created_by__username=UPDATER)
    rule_ids = list(drafts.values_list("rule_id", flat=True))
    submit_rules(by=a_user(), rule_ids=rule_ids)
    approve_rules(by=a_user(REVIEWER), rule_ids=rule_ids)
    others = Disagreement.objects.filter(state=State.DRAFT, created_by__username=UPDATER)
    ids = list(others.values_list("disagreement_id", flat=True))
    submit_disagreements(by=a_user(), disagreement_ids=ids)
    approve_disagreements(by=a_user(REVIEWER), disagreement_ids=ids)


def differing_from_a_fresh_seed(content: Content) -> dict[tuple[str, str], str]:
    """Return which records are not what a fresh seed of the present corpus would publish."""
    differing = {}
    for kind, key in ID_FIELD.items():
        fresh, here = (
            {getattr(one, key): one for one in getattr(side, kind)} for side in (starter_content(), content)
        )
        for name in fresh.keys() | here.keys():
            if fresh.get(name) != here.get(name):
                differing[kind, name] = (
                    "removed" if name not in here else "changed" if name in fresh else "added"
                )
    return differing


def rules_of(*names: str) -> list[str]:
    """Return rules that the corpus changes, of these airlines, one of each."""
    _, changed, _ = expected("rules.json")
    return [min(rule for rule in changed if rule.startswith(f"{name}.")) for name in names]


def test_the_first_corpus_is_rebuilt_as_it_was(first_corpus: Path) -> None:
    rebuilt = {name: digest(json.loads((first_corpus / name).read_text()), key) for name, key in KEYS.items()}
    assert rebuilt == digests()


def test_a_dry_run_says_what_is_new_changed_and_gone_and_changes_no_row() -> None:
    before = all_rows()
    said = update()
    assert all_rows() == before
    new, changed, gone = expected("rules.json")
    assert len(new) > 100
    assert len(gone) > 20
    assert f"rules {len(new)} {len(changed)} {len(gone)} 0 0" in " ".join(said.split())
    assert "Nothing was written." in said


def test_each_record_that_differs_is_found_and_no_other() -> None:
    found = compared().differences
    for kind in KINDS:
        if kind.file in KEYS:
            new, changed, gone = expected(kind.file)
            of_kind = [one for one in found if one.kind == kind]
            assert {one.record_id for one in of_kind if one.change == "new"} == new
            assert {one.record_id for one in of_kind if one.change == "changed"} == changed
            assert {one.record_id for one in of_kind if one.change == "gone"} == gone
    assert not [one for one in found if one.conflict or one.occupied]


def test_what_editors_did_in_between_survives_it_all() -> None:
    changed, retired, in_work, kept = rules_of("ke", "dl", "ba", "lh")
    edited_airline = min(expected("airline_policies.json")[1])
    source = "tsa-lithium-100wh"
    revise(changed, a_user(), summary="What we read ourselves.")
    retire(retired)
    revise_rules(by=a_user(), rule_ids=[in_work], reason="We are at it.")
    airline = Airline.objects.identified([edited_airline]).records()[0]
    change_airline(by=a_user(), airline=replace(airline, summary="What we asked at the counter."))
    own = replace(airline, airline="ZZ", icao="ZZZ", name="Our own", changes=())
    record_airline(by=a_user(), airline=own)
    own_rule = replace(Rule.objects.get(rule_id=kept).to_record(), rule_id="zz.our-own", airline="ZZ")
    draft_rule(by=a_user(), rule=own_rule)
    submit_rules(by=a_user(), rule_ids=["zz.our-own"])
    approve_rules(by=a_user(REVIEWER), rule_ids=["zz.our-own"])
    page = Source.objects.identified([source]).records()[0]
    change_source(by=a_user(), source=replace(page, title="Read by us"))

    said = update_with_conflicts("--propose")

    assert f"rules {changed} was changed here:" in said
    assert "summary: here What we read ourselves. | corpus " in said
    assert f"rules {retired} was taken out here:" in said
    assert f"airlines {edited_airline} was changed here:" in said
    assert "summary: here What we asked at the counter." in said
    assert f"rules {in_work}: revision 2 is a draft of editor" in said
    conflicts = CorpusProposal.objects.filter(state=ProposalState.CONFLICT)
    assert set(conflicts.values_list("record_id", flat=True)) == {changed, retired, edited_airline}
    assert not CorpusProposal.objects.filter(record_id__in=[source, "ZZ", "zz.our-own", in_work]).exists()

    agree_to_everything()
    assert differing_from_a_fresh_seed(compile_content()) == {
        ("rules", changed): "changed",
        ("rules", retired): "removed",
        ("rules", in_work): "changed",
        ("rules", "zz.our-own"): "added",
        ("airlines", edited_airline): "changed",
        ("airlines", "ZZ"): "added",
        ("sources", source): "changed",
    }
    assert Rule.objects.identified([changed]).get().summary == "What we read ourselves."
    again = update_with_conflicts()
    assert f"rules {in_work}: revision 2 is a draft of editor" in again
    assert "Not decided yet: 3 conflict." in again


def test_the_seed_adds_nothing_to_what_is_published_but_the_first_verdict_cases() -> None:
    content = compile_content()
    call_command("seed", stdout=io.StringIO())
    assert cases_in_force() == load_cases()
    assert compile_content() == content

    before = all_rows()
    output = io.StringIO()
    call_command("seed", stdout=output)
    assert all_rows() == before
    assert "is published, so nothing is loaded" in output.getvalue()


def test_the_reason_tells_which_dated_changes_of_the_airline_are_new() -> None:
    reasons = {one.record_id: one.reason for one in compared().differences if one.kind.name == "rules"}
    assert "2026-10-02: By this date the page names the Anker models" in reasons["ac.named-anker-models"]
    assert reasons["ac.named-anker-models"].startswith("New in the starter corpus of 23 November 2026.")


def test_the_day_of_the_corpus_is_that_of_its_newest_reading() -> None:
    assert compared().corpus == datetime.date(2026, 11, 23)


class TestAfterAnUpdate:
    def test_each_record_gets_one_proposal_with_its_reason_and_nothing_is_agreed_or_published(
        self, before: Before
    ) -> None:
        proposals = list(CorpusProposal.objects.values_list("kind", "record_id"))
        assert sorted(proposals) == sorted(before.differing)
        assert all(CorpusProposal.objects.values_list("reason", flat=True))
        assert Release.objects.current() == before.release
        after, content = compile_content(), before.content
        assert (after.rules, after.airlines, after.devices) == (
            content.rules,
            content.airlines,
            content.devices,
        )
        drafts = Rule.objects.filter(state=State.DRAFT)
        new, changed, gone = expected("rules.json")
        assert set(drafts.filter(withdraws=False).values_list("rule_id", flat=True)) == new | changed
        assert set(drafts.filter(withdraws=True).values_list("rule_id", flat=True)) == gone
        updater = User.objects.get(username=UPDATER)
        assert not updater.is_active
        assert all(draft.authors == [updater.pk] for draft in drafts)

    def test_a_second_run_proposes_nothing(self, before: Before) -> None:
        rows = all_rows()
        said = update("--propose")
        assert "nothing new" in said
        assert all_rows() == rows

    def test_what_dies_half_way_leaves_nothing_and_the_next_run_does_all_of_it(self, before: Before) -> None:
        assert before.rows_after_dying == before.rows
        assert compared().differences == ()
        records = list(CorpusProposal.objects.values_list("kind", "record_id"))
        assert len(records) == len(set(records)) > 700

    def test_approved_and_accepted_it_is_what_a_fresh_seed_of_the_present_corpus_would_be(
        self, before: Before
    ) -> None:
        agree_to_everything()
        content = compile_content()
        assert problems(content) == []
        assert differing_from_a_fresh_seed(content) == {}
