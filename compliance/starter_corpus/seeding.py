"""Loads the starter corpus: from files of records to approved rows, through the actions that editors use.

All or nothing: the first bad row ends the load with its file, its row and the reason, and leaves no trace.
Existing rows keep the editors' content, so loading again changes nothing. `manage.py seed` calls this.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection, transaction

from catalog import records
from catalog.airlines.actions import record_airlines
from catalog.airports.actions import record_airport_facts
from catalog.devices.actions import record_devices
from catalog.errors import Refused
from catalog.models import Airline, AirportFact, Country, Device, Jurisdiction, Source
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.places.iso_3166 import iso_countries
from catalog.sources.actions import record_sources
from catalog.tables.actions.accounts import program_account
from catalog.tables.recorded import Recorded
from compliance.starter_corpus.files import Rows, read, read_cases
from recalls.editing.actions import approve_recalls, draft_recalls, submit_recalls
from recalls.models import Recall
from recalls.records import Recall as RecallRecord
from rules.analysis.actions import accept_findings
from rules.analysis.checks import Acceptance
from rules.case_editing.actions import approve_cases, draft_cases, submit_cases
from rules.cases import Case
from rules.disagreements.actions import (
    approve_disagreements,
    draft_disagreements,
    submit_disagreements,
)
from rules.editing.actions import approve_rules, draft_rules, submit_rules
from rules.engine import facts
from rules.engine.disagreements import Disagreement as DisagreementRecord
from rules.engine.document import problems
from rules.models import AcceptedFinding, Disagreement, Rule, VerdictCase
from rules.next_release import compile_content

AUTHOR = "starter-corpus"
APPROVER = "starter-corpus-review"
"""The accounts that load the rows."""

SEED_LOCK = 20_261_120
"""An arbitrary number that must not change: two loads into one database wait for each other by it."""


class Loaded(NamedTuple):
    """The result of one file.

    `new` are the ids of the written rows, `differing` those of kept rows whose content differs from the file.
    """

    name: str
    new: tuple[str, ...]
    kept: int
    differing: tuple[str, ...]
    seconds: float


class _Table(NamedTuple):
    """One kind of record: its rows in the files, its table, and how new rows are written.

    `kind` is its name in `problems`.
    """

    kind: str
    rows: Rows
    model: type[Recorded]
    write: Callable[[list[Any]], None]


@transaction.atomic
def load(folder: Path) -> list[Loaded]:
    """Load the files of a folder and return the result of each.

    Raises `CannotLoad`; then nothing is written.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEED_LOCK])
    tables = _tables(folder, author=program_account(AUTHOR), approver=program_account(APPROVER))
    loaded = [_load(table) for table in tables]
    new = {table.kind: set(result.new) for table, result in zip(tables, loaded, strict=True)}
    if any(new.values()):
        _refuse_unpublishable(tables, new)
    return loaded


@transaction.atomic
def load_first_cases(folder: Path) -> Loaded | None:
    """Load the verdict cases of a folder if none was ever recorded, whatever is published; else return None.

    So an installation that asked them as files asks the same ones as rows.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEED_LOCK])
    if VerdictCase.objects.exists():
        return None
    return _load(_cases(folder, author=program_account(AUTHOR), approver=program_account(APPROVER)))


def _cases(folder: Path, *, author: User, approver: User) -> _Table:
    def write(new: list[Case]) -> None:
        names = [case.name for case in new]
        draft_cases(by=author, cases=new)
        submit_cases(by=author, names=names)
        approve_cases(by=approver, names=names)

    return _Table("case", read_cases(folder), VerdictCase, write)


def _tables(folder: Path, *, author: User, approver: User) -> list[_Table]:
    """Return every kind of record, each after those that it refers to."""
    jurisdictions = read(folder / "jurisdictions.json", records.Jurisdiction, "code")
    sources = read(folder / "sources.json", records.Source, "id")
    airlines = read(folder / "airline_policies.json", records.Airline, "airline")
    facts_of_airports = read(folder / "airports.json", records.AirportFact, "id")
    devices = read(folder / "devices.json", records.Device, "model_id")
    rules = read(folder / "rules.json", facts.Rule, "rule_id")
    recalls = read(folder / "recalls.json", RecallRecord, "recall_id")
    disagreements = read(folder / "disagreements.json", DisagreementRecord, "id")
    accepted = read(folder / "accepted_findings.json", Acceptance, "key")

    def write_rules(new: list[facts.Rule]) -> None:
        draft_rules(by=author, rules=new)
        rule_ids = [rule.rule_id for rule in new]
        submit_rules(by=author, rule_ids=rule_ids)
        approve_rules(by=approver, rule_ids=rule_ids)

    def write_recalls(new: list[RecallRecord]) -> None:
        draft_recalls(by=author, recalls=new)
        recall_ids = [recall.recall_id for recall in new]
        submit_recalls(by=author, recall_ids=recall_ids)
        approve_recalls(by=approver, recall_ids=recall_ids)

    def write_disagreements(new: list[DisagreementRecord]) -> None:
        draft_disagreements(by=author, disagreements=new)
        ids = [disagreement.id for disagreement in new]
        submit_disagreements(by=author, disagreement_ids=ids)
        approve_disagreements(by=approver, disagreement_ids=ids)

    return [
        _Table("country", _countries(), Country, lambda new: record_countries(by=author, countries=new)),
        _Table(
            "jurisdiction",
            jurisdictions,
            Jurisdiction,
            lambda new: record_jurisdictions(by=author, jurisdictions=new),
        ),
        _Table("source", sources, Source, lambda new: record_sources(by=author, sources=new)),
        _Table("airline", airlines, Airline, lambda new: record_airlines(by=author, airlines=new)),
        _Table(
            "airport fact",
            facts_of_airports,
            AirportFact,
            lambda new: record_airport_facts(by=author, facts=new),
        ),
        _Table("device", devices, Device, lambda new: record_devices(by=author, devices=new)),
        _Table("rule", rules, Rule, write_rules),
        _Table("recall", recalls, Recall, write_recalls),
        _Table("disagreement", disagreements, Disagreement, write_disagreements),
        _cases(folder, author=author, approver=approver),
        _Table(
            "finding", accepted, AcceptedFinding, lambda new: accept_findings(by=approver, acceptances=new)
        ),
    ]


def _countries() -> Rows:
    rows = Rows("ISO 3166-1 countries", "code")
    for row, country in enumerate(iso_countries().values(), start=1):
        rows.add(row, country)
    return rows


def _load(table: _Table) -> Loaded:
    started = time.perf_counter()
    rows = table.rows
    kept = {
        getattr(record, rows.key): record for record in table.model.objects.identified(rows.records).records()
    }
    new = [record for record_id, record in rows.records.items() if record_id not in kept]
    try:
        table.write(new)
    except Refused as refused:
        raise rows.refusal(refused.record_id, refused.reason) from refused
    differing = tuple(record_id for record_id, record in kept.items() if record != rows.records[record_id])
    new_ids = tuple(getattr(record, rows.key) for record in new)
    return Loaded(rows.name, new_ids, len(kept), differing, time.perf_counter() - started)


def _refuse_unpublishable(tables: Sequence[_Table], new: Mapping[str, Collection[str]]) -> None:
    """Check the present content of the tables as a release.

    Raises `CannotLoad` for the first problem of a new row; `new` are their ids by the kind of record.
    """
    rows_of = {table.kind: table.rows for table in tables}
    for problem in problems(compile_content()):
        kind, _, record_id = problem.where.partition(" ")
        # Editors' rows may have problems of their own; they are not part of this load, and publishing reports
        # them.
        if record_id in new[kind]:
            raise rows_of[kind].refusal(record_id, problem.reason)
