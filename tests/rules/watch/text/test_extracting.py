"""The text of a page is what a traveler can read on it, wherever the page hides it."""

import contextlib
import os
import time

import pytest

from rules.watch.text import Unreadable, extract, fingerprint, occurs_in
from tests.rules.watch.text.bodies import page

LIMIT = b"<p>One power bank of 100 Wh for each traveler.</p>"


def text_of(body: bytes, media_type: str = "text/html", charset: str | None = None) -> str:
    return extract(body, media_type, charset).text


def reason_of(body: bytes, media_type: str = "text/html", charset: str | None = None) -> str:
    with pytest.raises(Unreadable) as refused:
        extract(body, media_type, charset)
    return refused.value.reason


@pytest.mark.parametrize(
    "words",
    [
        "New from 1 March 2027: power banks may not be charged on board.",  # a notice above the main part
        "Up to 100 Wh | 20 pieces | [No] |",  # a picture says no
        "100 to 160 Wh | 2 pieces | [cross] | [check]",  # a picture without words
        "What each traveler may bring",
        "At most 2 g in each cell.",  # a list of definitions
        "Only from the socket at your seat.",  # opens at a click
        "Take out the battery before you hand over the bag.",  # an accordion
        "Power banks must not be put overhead.",  # hidden from readers of the screen
        "20,000 mAh 74 Wh",  # two boxes side by side
        "or in the seat pocket",  # a list in a list
        "Damaged or recalled batteries stay at home.",  # beside the main part
        "One spare battery of up to 300 Wh for a mobility aid.",  # a dialog
        "Call us about batteries of more than 100 Wh: +1 555 0100",  # a limit in the footer
        "Spare batteries fly in the cabin, never in the hold.\nTape their contacts.",
        "Above 160 Wh ask our cargo desk",  # the mark of a footnote is no figure of the limit
    ],
)
def test_what_carries_a_limit_is_read_wherever_it_stands(words: str) -> None:
    assert occurs_in(words, text_of(page("harbor_air")))


@pytest.mark.parametrize(
    "words",
    ["Manage booking", "Skip to content", "cookies", "999 Wh", "Hotels in port towns", "Press", "JavaScript"],
)
def test_menus_banners_scripts_and_offers_are_not(words: str) -> None:
    assert not occurs_in(words, text_of(page("harbor_air")))


def test_a_page_of_layout_tables_and_open_tags_reads_as_its_readers_read_it() -> None:
    assert text_of(page("meridian_old")).split("\n") == [
        "Dangerous goods in baggage",
        "Batteries for cameras and telephones go with you, not in checked bags",
        "Limits for spare batteries:",
        "Watt hours | Pieces",
        "0 - 100 | as many as you need",
        "101 - 160 | 2, ask us first",
        "Power banks are spare batteries",
        "They stay switched off",
        "Questions? Write to our desk.",
    ]


def test_a_page_that_calls_itself_one_big_header_is_read() -> None:
    assert text_of(page("all_in_the_header")).startswith("Power banks\nOne power bank of up to 100 Wh")


def test_a_page_that_only_scripts_would_show_says_what_it_tells_search_engines() -> None:
    assert text_of(page("shell_with_answers")).split("\n")[1:] == [
        "Can I bring a power bank?",
        "Yes, two of up to 100 Wh.",
        "Keep them in sight.",
        "And above 160 Wh?",
        "No & never.",
    ]


@pytest.mark.parametrize(
    ("name", "charset", "words"),
    [
        ("tsubame_ja", "Shift_JIS", "100Wh超160Wh以下 ○(お一人様2個まで)"),
        ("tsubame_ja", "EUC-JP", "座席の上の棚には入れないでください"),
        ("tsubame_ja", "ISO-2022-JP", "座席の上の棚には入れないでください"),
        ("longyun_zh", "GBK", "超过160Wh的不得登机"),
        ("longyun_zh", "gb2312", "充电宝只能随身携带"),
        ("formosa_tw", "Big5", "100至160瓦小時最多兩個"),
        ("hanbit_ko", "EUC-KR", "160Wh 이하는 2개까지 승인 후"),
        ("hanbit_ko", "UTF-16", "160Wh 이하는 2개까지 승인 후"),
    ],
)
def test_pages_of_asia_read_right_in_their_old_encodings(name: str, charset: str, words: str) -> None:
    written = page(name, charset=charset)
    assert occurs_in(words, text_of(written))
    assert occurs_in(words, text_of(written, charset=charset))
    # The encoding is no part of what a page says.
    assert fingerprint(text_of(written)) == fingerprint(text_of(page(name)))


@pytest.mark.parametrize("name", ["tsubame_ja", "longyun_zh", "formosa_tw", "hanbit_ko"])
def test_a_server_that_calls_a_unicode_page_latin_is_not_believed(name: str) -> None:
    body = page(name).replace(b"charset", b"data")
    assert text_of(body, charset="ISO-8859-1") == text_of(page(name))
    assert text_of(body, charset="no-such-charset") == text_of(page(name))


@pytest.mark.parametrize(
    ("name", "charset"), [("longyun_zh", "gbk"), ("formosa_tw", "big5"), ("hanbit_ko", "euc-kr")]
)
def test_an_old_page_that_names_no_encoding_is_read_by_its_language(name: str, charset: str) -> None:
    body = page(name, charset=charset).replace(b"charset", b"data")
    assert text_of(body) == text_of(page(name))


def test_one_broken_byte_does_not_spoil_a_page() -> None:
    body = page("longyun_zh", charset="gbk").replace(b"<h2>", b"<h2>\xff")
    assert occurs_in("充电宝只能随身携带", text_of(body))


@pytest.mark.parametrize(
    ("name", "reason"), [("denied", "bot_wall"), ("challenge", "bot_wall"), ("shell", "bot_wall")]
)
def test_walls_are_told_from_pages(name: str, reason: str) -> None:
    assert reason_of(page(name)) == reason


def test_a_wall_that_repeats_an_address_about_batteries_is_a_wall() -> None:
    body = page("denied").replace(b"baggage", b"lithium-batteries-100-wh")
    assert reason_of(body) == "bot_wall"


@pytest.mark.parametrize(
    "words",
    [
        b"<p>Please enable JavaScript to see prices.</p>" + LIMIT,
        b"<p>Access denied to the cockpit, says our captcha.</p>" + LIMIT,
        b"<p>Are you a robot? Then carry your batteries in the cabin.</p>",
        LIMIT + b"<script>var _cf_chl_opt, _Incapsula_Resource, captcha;</script>",
        b"<p>"
        + b"Every bag is weighed before the security check, just a moment before you board. " * 8
        + b"captcha</p>",
    ],
)
def test_a_page_that_speaks_of_walls_is_a_page(words: bytes) -> None:
    assert text_of(b"<html><body>" + words)


@pytest.mark.parametrize(
    ("body", "media_type", "reason"),
    [
        (b"", "text/html", "no_text"),
        (b"<html><body><div id=app></div></body></html>", "text/html", "no_text"),
        (b"<p>Loading, please wait ...</p>", "text/html", "no_text"),
        (b"\n \n", "text/plain", "no_text"),
        (b"{}", "application/json", "not_text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "text/html", "not_text"),
        (b"\x89PNG\r\n\x1a\n", "image/png", "not_text"),
        (bytes(5_000), "text/plain", "not_text"),
        (b"<html><p>text", "application/pdf", "broken_pdf"),
        (b"<div>" * 100_000 + LIMIT, "text/html", "broken_page"),
    ],
)
def test_what_has_no_text_says_why(body: bytes, media_type: str, reason: str) -> None:
    assert reason_of(body, media_type) == reason


def test_plain_text_is_taken_as_it_is() -> None:
    found = extract("Power banks:\n  2 × 100 Wh\n".encode(), "text/plain; charset=utf-8", None)
    assert found.text == "Power banks:\n  2 × 100 Wh\n"
    assert found.extractor.startswith("plain+")


def test_a_body_without_a_media_type_is_read_where_it_is_a_page() -> None:
    assert text_of(b"<!doctype html><html>" + LIMIT, "") == "One power bank of 100 Wh for each traveler."
    assert reason_of(b"MZ\x90\x00", "application/octet-stream") == "not_text"


def test_the_extractor_is_named_with_its_version() -> None:
    assert extract(LIMIT, "text/html", None).extractor.startswith("lxml-")


@pytest.mark.parametrize(
    "markup",
    [
        b"<p>x 1" * 700_000,
        b"x<br>" * 800_000,
        b"<table><tr>" + b"<td>x" * 700_000,
        b"<table><tr><td>" * 300 + LIMIT,
        b"<p title='" + b"a" * 4_000_000 + b"'>" + LIMIT,
        b"<div class='" + b" cookie" * 600_000 + b"'>" + LIMIT,
        b"<p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">" + LIMIT,
        b"<b>" * 900 + b"</i>" * 500_000 + LIMIT,
        b"<" * 2_000_000 + LIMIT,
        b"<!--" * 500_000 + LIMIT,
        b"&lt;" * 500_000 + LIMIT,
        b"\0" * 10 + LIMIT + b"\x01\x02",
        b"<script type='application/ld+json'>" + b"[" * 1_000_000,
        b"</p></div></table>" * 200_000 + LIMIT,
        b"<table><table><tr><table></tr><td></table><tr><td>"
        + LIMIT
        + b"</table></table></table></table></td>",
        b"a" * 4_000_000,
        os.urandom(200_000),
    ],
)
def test_no_markup_hangs_or_breaks_it(markup: bytes) -> None:
    started = time.process_time()
    with contextlib.suppress(Unreadable):
        found = extract(markup, "text/html", None)
        assert 0 < len(found.text) <= 400_000
        assert found.cut or len(found.text) < 400_000
    assert time.process_time() - started < 5


def test_a_text_beyond_the_limit_is_cut_and_says_so() -> None:
    found = extract(b"<p>A line about power banks.</p>" * 20_000, "text/html", None)
    assert (len(found.text), found.cut) == (400_000, True)
    assert not extract(LIMIT, "text/html", None).cut


def test_a_change_in_one_place_moves_nothing_else_in_or_out() -> None:
    before = text_of(page("harbor_air")).split("\n")
    after = text_of(
        page("harbor_air").replace(b"2 pieces", b"1 piece").replace(b"<li>Carry them on you", b"<li>x")
    ).split("\n")
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 2
