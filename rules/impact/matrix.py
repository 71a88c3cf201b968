"""Changed answers as a matrix: a row for each answer before, a column for each answer after. Pure.

Answers that stay as they are were not counted one by one, so the cells on the diagonal have no number.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from rules.impact.survey import Count, Outcome, Row, Rows
from rules.impact.survey.outcomes import milder

ORDER: tuple[Outcome, ...] = ("banned", "insufficient", "not_answered", "conditional", "allowed")
"""The strictest answer first, so that what becomes less strict is to the right of the diagonal."""

ALWAYS = tuple(one for one in ORDER if one != "not_answered")
"""The answers that each matrix has. `not_answered` is there if a change begins or ends with it."""

WORDS: Mapping[Outcome, str] = {
    "banned": "banned",
    "insufficient": "insufficient",
    "not_answered": "no answer",
    "conditional": "conditional",
    "allowed": "allowed",
}

MOST_SHOWN = 5
"""How many airlines, and how many countries, are shown at once; the rest is folded."""

Direction = Literal["less strict", "stricter", "as strict", "unchanged"]


class Cell(NamedTuple):
    """How many answers change from its row to its column, and whether they become less strict."""

    answers: int
    direction: Direction
    column: str


class MatrixRow(NamedTuple):
    """The answers that were `before`, by what they are after, and how many of them change."""

    before: str
    cells: tuple[Cell, ...]
    total: int


class Matrix(NamedTuple):
    """Changed answers. `totals` are the sums of the columns, `total` of all cells."""

    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    totals: tuple[int, ...]
    total: int


class Way(NamedTuple):
    """A way in which answers change: a column of `ChangedBy`."""

    before: str
    after: str
    direction: Direction


class ChangedRow(NamedTuple):
    """An airline or a country, and how many of its answers go each way, in the order of the ways."""

    name: str
    cells: tuple[Cell, ...]
    total: int


class ChangedBy(NamedTuple):
    """Changed answers by airline or by country. `more` are only counted."""

    facet: str
    ways: tuple[Way, ...]
    shown: tuple[ChangedRow, ...]
    folded: tuple[ChangedRow, ...]
    more: int


def matrix(ways: Iterable[Count]) -> Matrix:
    """Return how many answers change from what to what."""
    counted = Counter[tuple[Outcome, Outcome]]()
    for way in ways:
        counted[way.before, way.after] += way.count
    ends = {one for pair in counted for one in pair}
    kinds = [one for one in ORDER if one in ALWAYS or one in ends]
    rows = tuple(
        MatrixRow(
            WORDS[before],
            tuple(
                Cell(counted[before, after], direction(before, after), f"→ {WORDS[after]}") for after in kinds
            ),
            sum(counted[before, after] for after in kinds),
        )
        for before in kinds
    )
    return Matrix(
        columns=tuple(WORDS[one] for one in kinds),
        rows=rows,
        totals=tuple(sum(counted[before, after] for before in kinds) for after in kinds),
        total=counted.total(),
    )


def changed_by(facet: str, rows: Rows, names: Mapping[str, str]) -> ChangedBy:
    """Return changed answers by airline or country, those with the most first; `names` by their codes."""
    ends = {(way.before, way.after) for row in rows.rows for way in row.ways}
    ways = sorted(ends, key=lambda way: (not milder(*way), ORDER.index(way[0]), ORDER.index(way[1])))
    found = [_row(row, ways, names) for row in rows.rows]
    return ChangedBy(
        facet=facet,
        ways=tuple(Way(WORDS[before], WORDS[after], direction(before, after)) for before, after in ways),
        shown=tuple(found[:MOST_SHOWN]),
        folded=tuple(found[MOST_SHOWN:]),
        more=rows.total - len(found),
    )


def direction(before: Outcome, after: Outcome) -> Direction:
    """Return whether an answer becomes less strict."""
    if before == after:
        return "unchanged"
    if milder(before, after):
        return "less strict"
    return "stricter" if milder(after, before) else "as strict"


def _row(row: Row, ways: Sequence[tuple[Outcome, Outcome]], names: Mapping[str, str]) -> ChangedRow:
    counted = {(way.before, way.after): way.count for way in row.ways}
    return ChangedRow(
        f"{names[row.name]} ({row.name})" if row.name in names else row.name,
        tuple(
            Cell(counted.get(way, 0), direction(*way), f"{WORDS[way[0]]} → {WORDS[way[1]]}") for way in ways
        ),
        row.flipped,
    )
