"""A quote is found wherever its words stand, and nowhere else."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.watch.text import occurs_in
from tests.rules.watch.text.written import PAGES, cosmetically_edited, sentences, words_of

OCCURS = [
    ("100 Wh", "Batteries of 100 Wh may fly."),
    ("100Wh", "Batteries of 100 Wh may fly."),
    ("100 Wh", "50, 100 Wh"),
    ("100 Wh", "up to 100¹ Wh in the cabin"),
    ("is 100", "The limit is 100."),
    ("up to 100 Wh yes", "Up to 100 Wh | Yes | No"),
    ("power banks must not be used", "Power banks must\nnot be used"),
    ("POWER BANKS", "Power banks"),
    ("rechargeable batteries", "re-\nchargeable bat\u00adteries"),
    ("carry-on bags", "carry\u2011on bags"),
    ('a "spare" battery', "a \u201cspare\u201d battery"),
    ("100 - 160 Wh", "100\u2013160Wh"),
    ("fire risk", "\ufb01re risk"),
    ("100Wh以下", "容量が１００Ｗｈ 以下のもの"),
    ("2個まで", "お一人様2個まで"),
    ("每人2个", "每 人 2 个充电宝"),
    ("cover the terminals", "• Cover the\n• terminals"),
    ("a (b) c*", "x a (b) c* y"),
]

OCCURS_NOT = [
    ("100 Wh", "up to 1100 Wh"),
    ("100 Wh", "up to 1,100 Wh"),
    ("100 Wh", "up to 1.100 Wh"),
    ("100 Wh", "up to 1 100 Wh"),
    ("100 Wh", "up to 1\u202f100 Wh"),
    ("100 Wh", "100 Whatever"),
    ("limit is 100", "The limit is 100.5 Wh"),
    ("limit is 100", "The limit is 100,000 mAh"),
    ("two", "the network"),
    ("on", "carry-on"),
    ("must be used", "must not be used"),
    ("power bank", "powerbank"),
    ("00Wh以下", "100Wh以下"),
    ("2個まで", "12個まで"),
    ("1½ g", "1 g"),
    ("10 0 Wh", "100 Wh"),
    ("", "Power banks"),
    (" ...", "Power banks ..."),
]


@pytest.mark.parametrize(("words", "text"), OCCURS)
def test_words_are_found_however_a_page_sets_them(words: str, text: str) -> None:
    assert occurs_in(words, text)


@pytest.mark.parametrize(("words", "text"), OCCURS_NOT)
def test_other_words_are_not_taken_for_them(words: str, text: str) -> None:
    assert not occurs_in(words, text)


@given(PAGES, st.data())
def test_each_sentence_stands_in_its_page_after_any_cosmetic_edit(
    page: list[str], data: st.DataObject
) -> None:
    for line in page:
        assert occurs_in(line, "\n".join(page))
        assert occurs_in(line, cosmetically_edited([line], data))


@given(sentences(), st.data())
def test_no_sentence_stands_where_one_of_its_figures_is_another(line: str, data: st.DataObject) -> None:
    figures = [word for word in words_of(line) if word[0].isdigit()]
    assume(figures)
    figure = data.draw(st.sampled_from(figures))
    other = data.draw(st.sampled_from([f"1{figure}", f"{figure}0", f"{figure},000", "17", "161"]))
    assume(other != figure)
    assert not occurs_in(line, line.replace(figure, other))


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_words_can_be_looked_for_in_any_text(words: str, text: str) -> None:
    assert occurs_in(words, text) in (True, False)


def test_a_quote_in_a_long_text_is_found_at_once() -> None:
    text = "A line about nothing in particular.\n" * 11_000 + "Two power banks of 100 Wh each."
    assert occurs_in("power banks of 100 Wh", text)
    assert not occurs_in("a a a a a a a a a a a a a a b", "a " * 200_000)
