"""A fingerprint changes with what a page says, and with nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.watch.text import fingerprint
from tests.rules.watch.text.written import NOISE_LINES, PAGES, cosmetically_edited, sentences, words_of

pytestmark = pytest.mark.filterwarnings("error")

SAME = [
    ("A  spare\u00a0battery", "A spare battery"),
    ("A spare battery", "A spare\nbattery"),
    ("\u201cPower bank\u201d \u2013 a spare", '"Power bank" - a spare'),
    ("power bat\u00adteries\u200b", "power batteries"),
    ("１００Ｗｈ以下", "100Wh以下"),
    ("100 Wh", "100Wh"),
    ("o\ufb00er", "offer"),
    ("caf\u0065\u0301", "café"),
    ("• Cover the terminals", "Cover the terminals"),
    ("PowerCore\u2122 10000", "PowerCore 10000"),
    ("Rules\nLast updated: 3 June 2026", "Rules\nLast updated: 14 July 2027 08:30 UTC"),
    ("Rules. This page was last updated on 3 June 2026.", "Rules. This page was last updated on 4 May 2026."),
    ("Rules\nLast modified\n3 June 2026", "Rules\nLast modified\n4 June 2026"),
    ("Regeln\nStand: 1. Mai 2026", "Regeln\nStand: 12. Juni 2026"),
    ("Règles\nDernière mise à jour le 3 juin 2026", "Règles\nDernière mise à jour le 14 août 2026"),
    ("Reglas\nÚltima actualización: 3 de junio de 2026", "Reglas\nÚltima actualización: 4 de mayo de 2026"),
    ("規則\n最終更新日：2026年6月3日", "規則\n最終更新日：2026年7月13日"),
    ("规定\n更新时间：2026-06-03 10:00", "规定\n更新时间：2026-11-03 09:12"),
    ("규정\n최종 수정일: 2026. 6. 3.", "규정\n최종 수정일: 2026. 11. 13."),
    ("Rules\n© 2024-2025 Harbor Air. Imprint", "Rules\n© 2024-2026 Harbor Air. Imprint"),
    ("Rules\n1,204 views", "Rules\n1,377 views"),
    ("规定\n浏览次数：1204", "规定\n浏览次数：1377"),
    ("Rules\n4 min read", "Rules\n5 min read"),
    ("Rules\nWe use cookies to make this site better.", "Rules"),
    ("Rules\nShare on Facebook", "Rules"),
    ("Rules\nSession ID: a81bc81bdead4e5d", "Rules\nSession ID: 7d4448409dc011d1"),
    ("Sunday, 22 November 2026\nRules of batteries", "Monday, 23 November 2026\nRules of batteries"),
]  # fmt: skip

DIFFERENT = [
    ("Up to 100 Wh", "Up to 160 Wh"),
    ("Up to 100 Wh", "Up to 100 mWh"),
    ("Up to 100 mWh", "Up to 100 MWh"),
    ("two spare batteries", "one spare battery"),
    ("You must charge", "You must not charge"),
    ("Smart bags are allowed", "Smart bags are not allowed"),
    ("Power banks", "Power banks\nPower banks stay in the cabin"),
    ("100 Wh | Yes\n160 Wh | No", "100 Wh | Yes"),
    ("100 Wh | Yes | | No", "100 Wh | | Yes | No"),
    ("20000 mAh | ○", "20000 mAh | ×"),
    ("20000 mAh | ✓", "20000 mAh | ✗"),
    ("1 100 Wh", "11 00 Wh"),
    ("100¹ Wh", "1001 Wh"),
    ("10² cells", "102 cells"),
    ("1½ g", "11/2 g"),
    ("Heading one\nNo limit\nHeading two\n100 Wh", "Heading two\nNo limit\nHeading one\n100 Wh"),
    ("From 1 March 2027 power banks stay at home", "From 2 March 2027 power banks stay at home"),
    ("Effective\n1 March 2027", "Effective\n1 April 2027"),
    ("In force from:\nMonday, 1 March 2027", "In force from:\nThursday, 1 April 2027"),
    ("自2026年6月28日起施行", "自2026年7月28日起施行"),
    ("We use cookies. Power banks of 100 Wh may fly.", "We use cookies. Power banks of 160 Wh may fly."),
    ("© 2026 Harbor Air\nTwo batteries", "© 2026 Harbor Air\nThree batteries"),
    ("每人2个充电宝", "每人1个充电宝"),
    ("配터리 2개", "배터리 2개"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_looks_and_noise_leave_it_as_it_is(before: str, after: str) -> None:
    assert fingerprint(before) == fingerprint(after)


@pytest.mark.parametrize(("before", "after"), DIFFERENT)
def test_figures_units_negations_rows_and_order_change_it(before: str, after: str) -> None:
    assert fingerprint(before) != fingerprint(after)


def test_it_is_a_sha_256() -> None:
    assert re.fullmatch("[0-9a-f]{64}", fingerprint("Power banks"))


@given(PAGES, st.data())
def test_no_cosmetic_edit_of_any_page_changes_it(page: list[str], data: st.DataObject) -> None:
    assert fingerprint(cosmetically_edited(page, data)) == fingerprint("\n".join(page))


@given(PAGES, st.data())
def test_any_other_word_or_figure_in_any_line_changes_it(page: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(page) - 1))
    words = words_of(page[number])
    word = data.draw(st.sampled_from(words))
    other = data.draw(
        st.sampled_from([*words_of(data.draw(sentences())), "not", "7", "161"]).filter(
            lambda one: one != word
        )
    )
    edited = [*page]
    edited[number] = edited[number].replace(word, other, 1)
    assert fingerprint(cosmetically_edited(edited, data)) != fingerprint("\n".join(page))


@given(PAGES, sentences(), st.data())
def test_a_new_or_a_removed_line_changes_it(page: list[str], line: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(page)))
    longer = [*page[:position], line, *page[position:]]
    assert fingerprint(cosmetically_edited(longer, data)) != fingerprint("\n".join(page))


@given(PAGES, st.data())
def test_lines_in_another_order_change_it(page: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(page))
    same = shuffled == page
    assert (fingerprint("\n".join(shuffled)) == fingerprint("\n".join(page))) is same


@given(st.text(), st.sampled_from(NOISE_LINES))
def test_any_text_at_all_has_one_and_spaces_around_it_do_not_matter(text: str, noise: str) -> None:
    assert fingerprint(f" {text}\n\n") == fingerprint(text)
    assert len(fingerprint(f"{text}\n{noise}")) == 64


@pytest.mark.parametrize("digit", "0123456789")
@given(sentence=sentences())
def test_every_digit_counts(digit: str, sentence: str) -> None:
    figures = re.findall(r"\d", sentence)
    for place, figure in enumerate(figures):
        if figure != digit:
            count = iter(range(len(figures)))
            edited = re.sub(r"\d", lambda found: digit if next(count) == place else found[0], sentence)  # noqa: B023
            assert fingerprint(edited) != fingerprint(sentence)
