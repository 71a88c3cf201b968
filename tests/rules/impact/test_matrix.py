"""Changed answers as a matrix: it says what was measured, and what is less strict is to the right."""

import json
from collections import Counter
from collections.abc import Iterable

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine.document import Content
from rules.impact.matrix import ALWAYS, MOST_SHOWN, ORDER, WORDS, Cell, changed_by, matrix
from rules.impact.of_release import MOST_KEPT, answers_changed, kept_details, read_details
from rules.impact.survey import Count, Row, Rows
from tests.rules.impact.changing import changes
from tests.rules.impact.test_survey import PHASES, measured

OUTCOMES = st.sampled_from(ORDER)
WAYS = st.dictionaries(
    st.tuples(OUTCOMES, OUTCOMES).filter(lambda way: way[0] != way[1]), st.integers(1, 10**15), max_size=20
).map(lambda found: tuple(Count(*way, count) for way, count in found.items()))


@given(changes())
@settings(max_examples=15, deadline=None, phases=PHASES)
def test_the_sums_of_the_matrix_are_what_was_measured(change: tuple[Content, Content]) -> None:
    result = measured(*change)
    shown = matrix(result.ways)
    assert shown.total == sum(shown.totals) == sum(row.total for row in shown.rows) == result.flipped
    assert added(cell for row in shown.rows for cell in row.cells)["less strict"] == result.lenient
    for rows in (result.airlines, result.countries):
        by = changed_by("airline", rows, {})
        for row, of_one in zip((*by.shown, *by.folded), rows.rows, strict=True):
            assert row.total == sum(cell.answers for cell in row.cells) == of_one.flipped
            assert added(row.cells)["less strict"] == of_one.lenient
    # Each answer is about one flight of one airline.
    assert sum(row.flipped for row in result.airlines.rows) == result.flipped


def added(cells: Iterable[Cell]) -> Counter[str]:
    found = Counter[str]()
    for cell in cells:
        found[cell.direction] += cell.answers
    return found


@given(WAYS)
def test_each_count_is_in_the_cell_of_its_answers_and_in_no_other(ways: tuple[Count, ...]) -> None:
    shown = matrix(ways)
    names = {word: name for name, word in WORDS.items()}
    cells = {
        (names[row.before], names[column]): cell.answers
        for row in shown.rows
        for column, cell in zip(shown.columns, row.cells, strict=True)
    }
    assert {way: count for way, count in cells.items() if count} == {
        (way.before, way.after): way.count for way in ways
    }
    assert [names[row.before] for row in shown.rows] == [names[one] for one in shown.columns]
    assert {*ALWAYS} <= {names[one] for one in shown.columns}


def test_what_is_less_strict_is_to_the_right_of_what_stays_the_same() -> None:
    shown = matrix([])
    for place, row in enumerate(shown.rows):
        directions = [cell.direction for cell in row.cells]
        assert directions == [
            *["stricter"] * place,
            "unchanged",
            *["less strict"] * (len(shown.rows) - place - 1),
        ]


def test_no_answer_is_as_strict_as_one_that_lacks_a_fact() -> None:
    shown = matrix([Count("not_answered", "insufficient", 3), Count("not_answered", "allowed", 2)])
    row = next(row for row in shown.rows if row.before == "no answer")
    assert row.cells == (
        Cell(0, "stricter", "→ banned"),
        Cell(3, "as strict", "→ insufficient"),
        Cell(0, "unchanged", "→ no answer"),
        Cell(0, "less strict", "→ conditional"),
        Cell(2, "less strict", "→ allowed"),
    )


@given(st.integers(0, 60), st.integers(0, 1000))
def test_the_rows_with_the_most_changes_are_shown_and_the_others_folded(kept: int, more: int) -> None:
    rows = tuple(Row(f"A{number}", (Count("banned", "allowed", 100 - number),)) for number in range(kept))
    by = changed_by("airline", Rows(kept + more, rows), {"A0": "Alpha"})
    assert [row.total for row in (*by.shown, *by.folded)] == [row.flipped for row in rows]
    assert (len(by.shown), by.more) == (min(kept, MOST_SHOWN), more)
    assert not kept or by.shown[0].name == "Alpha (A0)"


@given(changes())
@settings(max_examples=5, deadline=None, phases=PHASES)
def test_what_a_release_keeps_is_read_again_as_it_was_measured(change: tuple[Content, Content]) -> None:
    result = measured(*change)
    details = json.loads(json.dumps(kept_details(result)))
    assert read_details(details) == answers_changed(result)
    assert len(msgspec.json.encode(details)) < 10_000
    assert len(details["answers"]["airlines"]["rows"]) <= MOST_KEPT


def test_a_release_that_was_compared_with_none_keeps_nothing() -> None:
    assert kept_details(None) == {}
    assert read_details({"left": 0}) is None
