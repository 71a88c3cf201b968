"""An installation of the test world, and the next corpus: what the tests of proposals begin with."""

import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone
from msgspec.structs import replace

from catalog.tables.actions.accounts import program_account
from compliance.models import CorpusProposal
from compliance.starter_corpus.actions import Proposed, propose
from compliance.starter_corpus.seeding import load
from rules.editing.actions import approve_rules, change_rule, revise_rules, submit_rules
from rules.models import Rule
from rules.publishing.actions.releases import publish_release
from tests.compliance.starter_corpus.folders import Row, change_rows, write_world
from tests.support.factories import a_user


def install(folder: Path) -> None:
    """Seed the test world and publish it."""
    load(write_world(folder))
    # To the database all of a test is one instant, and what editors do comes after the release.
    an_hour_ago = timezone.now() - datetime.timedelta(hours=1)
    publish_release(by=program_account("command-line"), note="First.", now=an_hour_ago, cases=())


def update(folder: Path) -> Proposed:
    """Propose what a folder says."""
    return propose(folder, now=timezone.now())


def row_of(rows: list[Row], key: str, record_id: str) -> Row:
    (row,) = [row for row in rows if row[key] == record_id]
    return row


def say(folder: Path, record_id: str, **changes: Any) -> None:
    """Have the next corpus say something else of a rule."""
    change_rows(folder, "rules.json", lambda rows: row_of(rows, "rule_id", record_id).update(changes))


def say_of_airline(folder: Path, code: str, **changes: Any) -> None:
    change_rows(folder, "airline_policies.json", lambda rows: row_of(rows, "airline", code).update(changes))


def proposal(record_id: str) -> CorpusProposal:
    """Return the newest proposal of a record."""
    return CorpusProposal.objects.filter(record_id=record_id).latest("pk")


def approve(rule_id: str) -> None:
    """Lead a draft to its approval."""
    submit_rules(by=a_user(), rule_ids=[rule_id])
    approve_rules(by=a_user("reviewer"), rule_ids=[rule_id])


def edit(rule_id: str, summary: str) -> None:
    """Change a rule here, up to its approval."""
    revise_rules(by=a_user(), rule_ids=[rule_id], reason="Read again.")
    rule = Rule.objects.identified([rule_id]).get().to_record()
    change_rule(by=a_user(), rule=replace(rule, summary=summary))
    approve(rule_id)
