"""Two texts side by side: an editor sees every word that differs, and little else."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.watch.text import Row, Run, fingerprint, side_by_side
from tests.rules.watch.text.written import PAGES, cosmetically_edited

REAL = ("changed", "added", "removed")


def words(runs: tuple[Run, ...], *, marked: bool | None = None) -> str:
    return "".join(run.text for run in runs if marked is None or run.marked is marked)


def test_a_changed_line_stands_next_to_its_old_one_with_its_words_marked() -> None:
    (row,) = side_by_side("Up to 100 Wh | Yes, two", "Up to 160 Wh | Yes, one")
    assert row.kind == "changed"
    assert [run.text for run in row.left if run.marked] == ["100", "two"]
    assert [run.text for run in row.right if run.marked] == ["160", "one"]


def test_a_lost_negation_is_marked_by_itself() -> None:
    (row,) = side_by_side("You must not charge them.", "You must charge them.")
    assert words(row.left, marked=True).strip() == "not"
    assert words(row.right, marked=True) == ""


def test_in_japanese_and_chinese_single_characters_are_marked() -> None:
    (row,) = side_by_side("お一人様2個まで持ち込めます", "お一人様1個まで持ち込めます")
    assert (words(row.left, marked=True), words(row.right, marked=True)) == ("2", "1")
    (row,) = side_by_side("超过160Wh的可以携带", "超过160Wh的禁止携带")
    assert (words(row.left, marked=True), words(row.right, marked=True)) == ("可以", "禁止")


def test_new_and_lost_paragraphs_stand_alone_where_they_are() -> None:
    before = "Rules\nSmart bags are welcome.\nTape the contacts."
    after = "Rules\nTape the contacts.\nNo more than five devices."
    assert [row.kind for row in side_by_side(before, after)] == ["same", "removed", "same", "added"]


def test_long_unchanged_stretches_are_counted_with_some_lines_around_each_difference() -> None:
    common = [f"Paragraph {number} of the page" for number in range(40)]
    rows = side_by_side("\n".join([*common, "100 Wh"]), "\n".join([*common, "160 Wh"]))
    assert [row.kind for row in rows] == ["folded", "same", "same", "same", "changed"]
    assert rows[0] == Row(kind="folded", lines=37)


def test_looks_and_noise_are_folded_apart_from_what_matters() -> None:
    before = "Rules\n\u201cSpare\u201d batteries\nUp to 100 Wh\nLast updated: 3 June 2026"
    after = 'Rules\n"Spare"  batteries\nUp to 160 Wh\nLast updated: 14 June 2026\n1,200 views'
    rows = side_by_side(before, after)
    assert [(row.kind, row.noise, row.lines) for row in rows] == [
        ("same", False, 1),
        ("folded", True, 1),
        ("changed", False, 1),
        ("folded", True, 2),
    ]


def test_the_same_text_has_nothing_to_show() -> None:
    assert side_by_side("One\nTwo", "One\nTwo") == (Row(kind="folded", lines=2),)
    assert side_by_side("One two", "One\ntwo") == (Row(kind="folded", lines=2, noise=True),)
    assert side_by_side("", "") == ()


@given(PAGES, PAGES, st.data())
def test_it_shows_a_difference_exactly_where_fingerprints_differ(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    old, new = "\n".join(before), cosmetically_edited(after, data)
    real = any(row.kind in REAL for row in side_by_side(old, new))
    assert real is (fingerprint(old) != fingerprint(new))


@given(PAGES, PAGES)
def test_no_word_is_lost_from_either_side(before: list[str], after: list[str]) -> None:
    rows = side_by_side("\n".join(before), "\n".join(after))
    shown = [words(row.left) for row in rows if row.left]
    assert [line for line in before if line in shown] == shown
    folded = sum(row.lines for row in rows if row.kind == "folded")
    assert len(shown) + folded == len(before)
    assert sum(1 for row in rows if row.right) + folded == len(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\n" * 20_000, "b\na\n" * 19_999),
        ("word " * 80_000, "word " * 79_999 + "other"),
        ("携帯電源百個持込可" * 40_000, "携帯電源二個持込可" * 40_000),
        ("\n".join(f"{n % 7} a" for n in range(20_000)), "\n".join(f"{n % 11} a" for n in range(20_000))),
        ("", "Power banks stay at home.\n" * 15_000),
    ],
)  # fmt: skip
def test_long_texts_take_seconds_at_most(before: str, after: str) -> None:
    started = time.process_time()
    assert side_by_side(before, after)
    assert time.process_time() - started < 4
