"""The kinds of records of the starter corpus, and the actions that write a proposal of each.

Each kind comes after those that it refers to. Another kind needs only one more entry.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db.models import Model

from catalog.airlines.bulk import AIRLINES
from catalog.airports.bulk import AIRPORT_FACTS
from catalog.bulk.tables import Table
from catalog.devices.bulk import DEVICES
from catalog.editorial.bulk import RevisionTable
from catalog.editorial.permissions import permission
from catalog.editorial.workflow import EditorAction
from catalog.models import Airline, AirlinePolicy, AirportFact, Device, Jurisdiction, Source
from catalog.places.bulk import JURISDICTIONS
from catalog.sources.actions import delete_source
from catalog.sources.bulk import SOURCES
from compliance.starter_corpus.files import Rows, cases_of, read, read_cases
from recalls.editing.actions import draft_recalls, withdraw_recalls
from recalls.editing.bulk import RECALLS
from rules.analysis.actions import accept_findings, reopen_finding
from rules.analysis.checks import Acceptance
from rules.case_editing.actions import draft_cases, withdraw_cases
from rules.case_editing.bulk import CASES
from rules.disagreements.actions import draft_disagreements, withdraw_disagreements
from rules.disagreements.bulk import DISAGREEMENTS
from rules.editing.actions import draft_rules, withdraw_rules
from rules.editing.bulk import RULES
from rules.models import AcceptedFinding

Change = Literal["new", "changed", "gone"]

_IN_PLACE: Mapping[Change, EditorAction] = {
    "new": EditorAction.DRAFT,
    "changed": EditorAction.CHANGE,
    "gone": EditorAction.DISCARD,
}
_REVISED: Mapping[Change, EditorAction] = {
    "new": EditorAction.DRAFT,
    "changed": EditorAction.REVISE,
    "gone": EditorAction.WITHDRAW,
}

Drafts = Callable[[User, list[Any], str], object]
Ends = Callable[[User, Sequence[str], str], object]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of record.

    `name` is the kind's name in a release document. A kind with revisions says how to `draft` a new record
    with a reason. A kind without revisions is written to its table when an editor accepts the proposal: facts
    wait in a change set for another person. `is_evidence` is recorded at once because
    drafts cite it. `end` removes records; None if the table does, or nothing. `changed_in` are the tables
    whose rows say who changed a record in place. `editor_actions` are the actions whose permission an editor
    needs to accept a proposal.
    """

    name: str
    file: str
    table: Table
    draft: Drafts | None = None
    end: Ends | None = None
    is_evidence: bool = False
    changed_in: tuple[type[Model], ...] = ()
    editor_actions: Mapping[Change, EditorAction] = field(default_factory=lambda: _IN_PLACE)

    @property
    def waits(self) -> bool:
        """Whether an accepted proposal of this kind waits in a change set."""
        return bool(self.table.deciding)

    @property
    def removes(self) -> bool:
        """Whether records of this kind can be removed."""
        return self.end is not None or self.table.remove is not None

    @property
    def has_revisions(self) -> bool:
        """Whether a proposal of this kind is a draft revision."""
        return isinstance(self.table, RevisionTable)

    def rows(self, folder: Path) -> Rows:
        """Return the corpus's records. Raises `CannotLoad`."""
        if self.table is CASES:
            return read_cases(folder)
        return read(folder / self.file, self.table.record_type, self.table.key)

    def is_in(self, folder: Path) -> bool:
        """Return whether an update compares this kind.

        A corpus without verdict cases ends none. Where none was ever recorded, they are loaded, not proposed.
        """
        if self.table is not CASES:
            return True
        return cases_of(folder).is_dir() and CASES.model.objects.exists()

    def id_of(self, record: Any) -> str:
        """Return the id of a record."""
        return str(getattr(record, self.table.key))

    def permission(self, change: Change) -> str:
        """Return the permission that accepting such a proposal needs."""
        return permission(self.editor_actions[change], self.table.model)


def _each(end: Callable[[User, str], object]) -> Ends:
    def all_of_them(by: User, ids: Sequence[str], reason: str) -> None:
        for record_id in ids:
            end(by, record_id)

    return all_of_them


def _accept_again(by: User, acceptances: list[Acceptance]) -> None:
    for one in acceptances:
        reopen_finding(by=by, key=one.key)
    accept_findings(by=by, acceptances=acceptances)


FINDINGS = Table(
    model=AcceptedFinding,
    record_type=Acceptance,
    key="key",
    record=lambda by, acceptances: accept_findings(by=by, acceptances=acceptances),
    change=_accept_again,
)

KINDS: tuple[Kind, ...] = (
    Kind(
        name="jurisdictions",
        file="jurisdictions.json",
        table=JURISDICTIONS,
        changed_in=(Jurisdiction,),
    ),
    Kind(
        name="sources",
        file="sources.json",
        table=SOURCES,
        end=_each(lambda by, name: delete_source(by=by, source_id=name)),
        is_evidence=True,
        changed_in=(Source,),
    ),
    Kind(
        name="airlines",
        file="airline_policies.json",
        table=AIRLINES,
        changed_in=(Airline, AirlinePolicy),
    ),
    Kind(
        name="airports",
        file="airports.json",
        table=AIRPORT_FACTS,
        changed_in=(AirportFact,),
    ),
    Kind(
        name="devices",
        file="devices.json",
        table=DEVICES,
        changed_in=(Device,),
    ),
    Kind(
        name="rules",
        file="rules.json",
        table=RULES,
        draft=lambda by, rules, reason: draft_rules(by=by, rules=rules, reason=reason),
        end=lambda by, ids, reason: withdraw_rules(by=by, rule_ids=ids, reason=reason),
        editor_actions=_REVISED,
    ),
    Kind(
        name="recalls",
        file="recalls.json",
        table=RECALLS,
        draft=lambda by, recalls, reason: draft_recalls(by=by, recalls=recalls, reason=reason),
        end=lambda by, ids, reason: withdraw_recalls(by=by, recall_ids=ids, reason=reason),
        editor_actions=_REVISED,
    ),
    Kind(
        name="disagreements",
        file="disagreements.json",
        table=DISAGREEMENTS,
        draft=lambda by, found, reason: draft_disagreements(by=by, disagreements=found, reason=reason),
        end=lambda by, ids, reason: withdraw_disagreements(by=by, disagreement_ids=ids, reason=reason),
        editor_actions=_REVISED,
    ),
    Kind(
        name="cases",
        file="cases",
        table=CASES,
        draft=lambda by, cases, reason: draft_cases(by=by, cases=cases, reason=reason),
        end=lambda by, names, reason: withdraw_cases(by=by, names=names, reason=reason),
        editor_actions=_REVISED,
    ),
    Kind(
        name="findings",
        file="accepted_findings.json",
        table=FINDINGS,
        end=_each(lambda by, name: reopen_finding(by=by, key=name)),
        # A changed reason of an accepted finding means accepting it again.
        editor_actions={
            "new": EditorAction.ACCEPT,
            "changed": EditorAction.ACCEPT,
            "gone": EditorAction.REOPEN,
        },
    ),
)

KIND_OF = {kind.name: kind for kind in KINDS}
