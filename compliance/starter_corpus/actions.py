"""The actions of corpus proposals, their only writers: the update proposes, editors accept or decline.

Nothing here approves or publishes. A proposal is written through the actions that editors use, so it is
checked as theirs are. All actions raise the errors of `catalog.errors`.
"""

import datetime
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection, transaction
from msgspec import to_builtins

from catalog.editorial.audit.actions import log
from catalog.editorial.pending.actions import hold, hold_deletions, open_change_set
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, ReasonMissing, Refused, WrongState
from catalog.models import Airline, PendingChange, Source
from catalog.tables.actions.accounts import program_account
from catalog.tables.actions.best_effort import try_each
from catalog.tables.actions.inserting import require_recorded
from compliance.starter_corpus.comparing import Compared, Difference, compare
from compliance.starter_corpus.kinds import KIND_OF, KINDS, Change, Kind
from compliance.starter_corpus.models import UNDECIDED, CorpusProposal, ProposalState
from compliance.starter_corpus.recorded import UPDATER, fingerprint, occupation, recorded_now
from compliance.starter_corpus.seeding import SEED_LOCK, load_first_cases


class Proposed(NamedTuple):
    """The result of an update: the comparison, the proposals, and the refused records with the reasons."""

    compared: Compared
    done: tuple[Difference, ...]
    refused: tuple[tuple[Difference, str], ...]


@transaction.atomic
def propose(folder: Path, *, now: datetime.datetime, kinds: Sequence[Kind] = KINDS) -> Proposed:
    """Propose everything new in the corpus of a folder; after a failure nothing is proposed.

    Where no verdict case was ever recorded, those of the corpus are loaded first: they were asked already.
    A conflict is proposed as such and changes nothing. A record with an open revision is skipped; the next
    update proposes it. Raises `CannotLoad` for a file that cannot be read.
    """
    with connection.cursor() as cursor:
        # The seed and two updates wait for each other.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEED_LOCK])
    load_first_cases(folder)
    by = program_account(UPDATER)
    compared = compare(folder, kinds)
    done: list[Difference] = []
    refused: list[tuple[Difference, str]] = []
    for kind in kinds:
        of_kind = compared.of(kind)
        conflicts = [one for one in of_kind if one.conflict]
        _keep(conflicts, compared.corpus, ProposalState.CONFLICT, by=by, now=now)
        free = [one for one in of_kind if not one.conflict and not one.occupied]
        alike = attrgetter("change", "exists", "reason")
        for _, group in groupby(sorted(free, key=alike), key=alike):
            state, written, not_written = _write(kind, list(group), by)
            _keep(written, compared.corpus, state, by=by, now=now)
            done += written
            refused += not_written
    return Proposed(compared, tuple(done), tuple(refused))


@transaction.atomic
def accept(
    *,
    by: User,
    proposal_id: int,
    seen: str,
    now: datetime.datetime,
    together: list[PendingChange] | None = None,
) -> CorpusProposal:
    """Carry out a proposal: write the record in place, or open the draft of a conflict.

    Facts wait in a change set, whose author is the editor: in one of its own, or in the
    one that the caller opens of all that is `together`. `seen` is the `fingerprint` of what the editor saw.
    Raises `WrongState` if that has changed.
    """
    row = _undecided(proposal_id)
    kind = KIND_OF[row.kind]
    if seen != fingerprint(row):
        raise WrongState(str(row), "has changed since you looked; look again")
    here, proposed = recorded_now(kind, row.record_id), row.proposed(kind.table.record_type)
    if row.state == ProposalState.OPEN and here != row.found(kind.table.record_type):
        raise WrongState(
            str(row),
            "was changed here since this was proposed; take over by hand what is right, and decline it",
        )
    writer, state = by, ProposalState.ACCEPTED
    if kind.has_revisions:
        # The update is the author of its drafts, so the editor who accepts one may approve it.
        writer, state = program_account(UPDATER), ProposalState.DRAFTED
        if occupied := occupation(kind, row.record_id):
            raise WrongState(str(row), occupied)
    found = kind.table.model.objects.identified([row.record_id]).exists()
    change: Change = row.change  # type: ignore[assignment]
    difference = Difference(kind, row.record_id, change, here, proposed, row.reason, exists=found)
    held: list[PendingChange] = []
    if kind.waits:
        held = _hold(kind, writer, difference)
    else:
        _draft_or_change(kind, writer, [difference])
    row.state = state
    if state == ProposalState.ACCEPTED:
        row.decided_at, row.decided_by = now, by
    row.save(update_fields=["state", "decided_at", "decided_by"])
    _log(row, by=by, now=now, action=EditorAction.CONFIRM, reason=row.reason)
    if together is None:
        open_change_set(held, by=by, subject=f"proposal of the corpus: {row}", reason=row.reason)
    else:
        together += held
    return row


@transaction.atomic
def decline(*, by: User, proposal_id: int, reason: str, now: datetime.datetime) -> CorpusProposal:
    """Keep the present record. The corpus proposes it again when its content changes."""
    if not reason.strip():
        raise ReasonMissing(str(proposal_id), "this needs a reason")
    row = _undecided(proposal_id)
    row.state, row.decided_at, row.decided_by = ProposalState.DECLINED, now, by
    row.save(update_fields=["state", "decided_at", "decided_by"])
    _log(row, by=by, now=now, action=EditorAction.DISMISS, reason=reason)
    return row


# --- Within a transaction ---


def _undecided(proposal_id: int) -> CorpusProposal:
    row = CorpusProposal.objects.select_for_update().filter(pk=proposal_id).first()
    if row is None:
        raise NotRecorded(str(proposal_id), "there is no such proposal")
    if row.state not in UNDECIDED:
        raise WrongState(str(row), f"is {ProposalState(row.state).label.lower()} already")
    return row


def _write(
    kind: Kind, group: list[Difference], by: User
) -> tuple[ProposalState, list[Difference], list[tuple[Difference, str]]]:
    """Write proposals of one change and one reason.

    Return the method, the records, and the refused ones with why.
    """
    if kind.has_revisions:
        state = ProposalState.DRAFTED
    elif kind.is_evidence and group[0].change == "new":
        state = ProposalState.RECORDED
    else:
        # Nothing is written before an editor accepts it.
        return ProposalState.OPEN, group, []
    act = partial(_draft_or_change, kind, by)
    try:
        with transaction.atomic():
            act(group)
    except Refused:
        tried = try_each(group, lambda one: act([one]))
        written = [one for one, refusal in tried if not refusal]
        return state, written, [(one, refusal) for one, refusal in tried if refusal]
    return state, group, []


def _hold(kind: Kind, by: User, proposed: Difference) -> list[PendingChange]:
    """Write what needs no approval, and return the rest, unsaved, for a change set."""
    if proposed.change == "gone":
        return hold_deletions(kind.table, [proposed.record_id], by=by) if kind.removes else []
    return hold(kind.table, [proposed.corpus], by=by, reason=proposed.reason)


def _draft_or_change(kind: Kind, by: User, group: Sequence[Difference]) -> None:
    """Write records as one author, by the right action: all have the same change and reason."""
    first, records = group[0], [one.corpus for one in group]
    if first.change == "gone":
        if kind.end is not None:
            kind.end(by, [one.record_id for one in group], first.reason)
        return
    _require_what_they_name(kind, records)
    if first.exists:
        kind.table.rewrite(by, records, first.reason)
    elif kind.draft is not None:
        kind.draft(by, records, first.reason)
    else:
        kind.table.record(by, records)


def _require_what_they_name(kind: Kind, records: Sequence[Any]) -> None:
    """Check references now.

    The database would refuse them only at the transaction's end, without naming a record.
    """
    if kind.has_revisions:
        named = {kind.id_of(one): one for one in records}
        airlines = {name: [one.airline] for name, one in named.items() if getattr(one, "airline", None)}
        require_recorded(Source, {name: getattr(one, "sources", ()) for name, one in named.items()})
        require_recorded(Airline, airlines)


def _keep(
    group: Sequence[Difference],
    corpus: datetime.date,
    state: ProposalState,
    *,
    by: User,
    now: datetime.datetime,
) -> None:
    """Record the proposals, and replace earlier ones of the same records."""
    if not group:
        return
    kind = group[0].kind.name
    earlier = CorpusProposal.objects.filter(kind=kind, record_id__in=[one.record_id for one in group])
    earlier.filter(state__in=UNDECIDED).update(state=ProposalState.REPLACED, decided_at=now, decided_by=by)
    CorpusProposal.objects.bulk_create(
        CorpusProposal(
            kind=kind,
            record_id=one.record_id,
            change=one.change,
            corpus=corpus,
            before=None if one.here is None else to_builtins(one.here),
            record=None if one.corpus is None else to_builtins(one.corpus),
            reason=f"{one.reason} It {one.conflict}." if one.conflict else one.reason,
            state=state,
            created_at=now,
            created_by=by,
        )
        for one in group
    )


def _log(row: CorpusProposal, *, by: User, now: datetime.datetime, action: EditorAction, reason: str) -> None:
    log(by=by, at=now, action=action, kind="proposal", subjects=[(str(row), None)], reason=reason)
