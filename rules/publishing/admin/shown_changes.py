"""What differs between two contents, as a page shows it: by kind, with links, in readable words.

Called by the screens of releases.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.urls import NoReverseMatch, reverse

from catalog.tables.history import FieldChange
from rules.engine.document import Content, Problem
from rules.impact.figures import share
from rules.impact.matrix import ChangedBy, Matrix, changed_by, matrix
from rules.impact.measurements import MeasuredChanges
from rules.impact.of_release import AnswersChanged, answers_changed
from rules.next_release import REVISED
from rules.publishing.record_words import RecordWords
from rules.publishing.release_notes import KINDS, WORDS
from rules.releases.comparison import RecordChange, Tally, compare, tally

MOST_SHOWN = 100
"""How many records of one kind are shown; the rest is counted."""

MODELS = {
    "countries": "catalog_country",
    "jurisdictions": "catalog_jurisdiction",
    "sources": "catalog_source",
    "airlines": "catalog_airline",
    "devices": "catalog_device",
    "rules": "rules_rule",
    "recalls": "recalls_recall",
    "disagreements": "rules_disagreement",
}
"""The admin's names of the kinds of records, in the order of a document."""

ORDER = [*REVISED, *(kind for kind in MODELS if kind not in REVISED)]
"""The kinds of records in the order of a page: those that affect travelers first."""

SINGULAR = {
    "country": "countries",
    "jurisdiction": "jurisdictions",
    "source": "sources",
    "airline": "airlines",
    "device": "devices",
    "rule": "rules",
    "recall": "recalls",
    "disagreement": "disagreements",
}


class ShownField(NamedTuple):
    """One field in words, before and after."""

    name: str
    before: str
    after: str


class ShownRecord(NamedTuple):
    """One record that differs, and the address of its screen, empty if there is none.

    `before` and `after` are how it reads; "" where it is absent.
    """

    id: str
    address: str
    change: str
    fields: list[ShownField]
    before: str = ""
    after: str = ""


class ShownKind(NamedTuple):
    """The records of one kind: a line with their counts, those that are shown, and how many are not."""

    name: str
    summary: str
    records: list[ShownRecord]
    more: int


def shown_changes(changes: Iterable[RecordChange], words: RecordWords | None = None) -> list[ShownKind]:
    """Return changes by kind, those that affect travelers first; with `words` also how records read."""
    by_kind: dict[str, list[RecordChange]] = {}
    for change in changes:
        by_kind.setdefault(change.kind, []).append(change)
    return [
        ShownKind(
            name=KINDS.get(kind, kind).capitalize(),
            summary=summary(tally(by_kind[kind])),
            records=_records(kind, by_kind[kind][:MOST_SHOWN], words),
            more=max(0, len(by_kind[kind]) - MOST_SHOWN),
        )
        for kind in ORDER
        if kind in by_kind
    ]


def differences(before: Content, after: Content) -> list[ShownKind]:
    """Return what differs between two contents, for a page."""
    return shown_changes(compare(before, after), RecordWords(before, after))


def summary(counts: Tally | None) -> str:
    """Return counts in words: `rules: 2 added, 1 withdrawn`."""
    if counts is None:
        return "not counted"
    lines = []
    for kind in ORDER:
        if of_kind := counts.get(kind):
            parts = [f"{of_kind[sign]:,} {word}" for sign, word in WORDS.items() if sign in of_kind]
            lines.append(f"{KINDS.get(kind, kind)}: {', '.join(parts)}")
    return "; ".join(lines) or "nothing"


def address(kind: str, record_id: str) -> str:
    """Return the address of a record's screen, or of the list that finds it; empty if there is none."""
    try:
        if kind in REVISED:
            return f"{reverse(f'admin:{MODELS[kind]}_changelist')}?q={record_id}"
        return reverse(f"admin:{MODELS[kind]}_change", args=[record_id])
    except (KeyError, NoReverseMatch):
        return ""


def shown_problem(problem: Problem) -> tuple[str, str, str]:
    """Return where a problem is, the address of that screen, and the reason."""
    kind, _, record_id = problem.where.partition(" ")
    return problem.where, address(SINGULAR.get(kind, ""), record_id), problem.reason


def _records(kind: str, changes: Sequence[RecordChange], words: RecordWords | None) -> list[ShownRecord]:
    read = {} if words is None else words.of(kind, [change.id for change in changes])
    return [_record(change, *read.get(change.id, ("", ""))) for change in changes]


def _record(change: RecordChange, before: str, after: str) -> ShownRecord:
    return ShownRecord(
        id=change.id,
        # A withdrawn rule still has a screen; a row of the catalog that is gone has none.
        address=""
        if change.change == "removed" and change.kind not in REVISED
        else address(change.kind, change.id),
        change=WORDS[change.change],
        fields=[_field(field) for field in change.fields],
        before=before,
        after=after,
    )


def _field(field: FieldChange) -> ShownField:
    name = field.field.removeprefix("when.").removeprefix("params.").replace("_", " ").replace(".", ", ")
    return ShownField(name, _words(field.before), _words(field.after))


def _words(value: Any) -> str:
    if value is None or value in ([], (), "", {}):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_words(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{name.replace('_', ' ')}: {_words(one)}" for name, one in value.items())
    return str(value)


class ShownRadius(NamedTuple):
    """How answers would change: how many each way, or that it must be measured first."""

    matrix: Matrix
    by: list[ChangedBy]
    """The same by airline and by country."""
    flipped: int
    share: str
    """Which part of all answers this is; empty if none changes."""
    lenient: int
    unlisted: bool
    """Whether answers about units change that no catalog lists."""
    unlisted_lenient: bool
    beyond: bool
    """Whether something becomes less strict that no single question shows."""
    size: int
    measured: bool
    address: str
    """The address of a stored measurement; empty if there is none."""


def shown_radius(radius: MeasuredChanges, *contents: Content | None) -> ShownRadius:
    """Return a blast radius for a page. `contents` have the names of airlines and countries."""
    result, row = radius.result, radius.measurement
    answers = None if result is None else answers_changed(result)
    return ShownRadius(
        matrix=matrix(answers.ways if answers else ()),
        by=[] if answers is None else by_airline_and_country(answers, *contents),
        flipped=0 if result is None else result.flipped,
        share="" if result is None else share(result.flipped, result.questions),
        lenient=0 if result is None else result.lenient,
        unlisted=result is not None and bool(result.unlisted),
        unlisted_lenient=result is not None and any(way.lenient for way in result.unlisted),
        beyond=result is not None and any(cause.beyond for cause in result.causes),
        size=radius.size,
        measured=result is not None,
        address=reverse("admin:rules_impact", args=[row.pk]) if row else "",
    )


def by_airline_and_country(answers: AnswersChanged, *contents: Content | None) -> list[ChangedBy]:
    """Return changed answers by airline and by country, under the names that some contents have for them."""
    known = [content for content in contents if content is not None]
    airlines = {one.airline: one.name for content in known for one in content.airlines}
    countries = {one.code: one.name for content in known for one in content.countries}
    return [
        changed_by("airline", answers.airlines, airlines),
        changed_by("country", answers.countries, countries),
    ]
