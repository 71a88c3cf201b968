"""The text of PDF files, which are read in a process of their own."""

import os
import zlib

import pytest

from rules.watch.text import Unreadable, extract, occurs_in
from rules.watch.text.paragraphs import paragraphs_of
from rules.watch.text.pdf import pdf_text
from tests.rules.watch.text.bodies import pdf

LINES = [
    "Part 175: lithium batteries",
    "Spare batteries of more than 100 Wh need the approval",
    "of the operator.",
]


def reason_of(body: bytes) -> str:
    with pytest.raises(Unreadable) as refused:
        extract(body, "application/pdf", None)
    return refused.value.reason


def test_a_file_is_read_and_its_extractor_named() -> None:
    found = extract(pdf(LINES), "application/pdf", None)
    assert occurs_in("more than 100 Wh need the approval of the operator", found.text)
    assert found.extractor.startswith("pypdf-")


def test_a_file_that_is_sent_as_a_page_is_read_too() -> None:
    assert "lithium" in extract(pdf(LINES), "text/html", None).text


def test_a_file_that_only_forbids_printing_is_read() -> None:
    assert "lithium" in extract(pdf(LINES, password=""), "application/pdf", None).text


@pytest.mark.parametrize(
    "body",
    [
        pdf(LINES, password="secret"),
        b"%PDF-1.7\n",
        b"%PDF-1.7\n" + os.urandom(4_000),
        pdf(LINES)[:300],
    ],
    ids=["locked", "empty", "noise", "half"],
)
def test_a_file_that_cannot_be_opened_is_broken(body: bytes) -> None:
    assert reason_of(body) == "broken_pdf"


def test_a_scan_has_no_text() -> None:
    assert reason_of(pdf([])) == "no_text"


def test_a_file_that_takes_too_long_is_ended() -> None:
    endless = pdf(["x"] * 400_000)
    with pytest.raises(Unreadable) as refused:
        pdf_text(endless, seconds=1)
    assert refused.value.reason == "took_too_long"


def test_a_bomb_of_zeros_fills_no_memory() -> None:
    packed = zlib.compress(bytes(100_000_000), 9)
    body = pdf(LINES)
    start, end = body.index(b"<< /Length"), body.index(b"\nendstream")
    head = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed)
    assert reason_of(body[:start] + head + packed + body[end:]) in ("broken_pdf", "took_too_long", "no_text")


def test_lines_that_were_broken_to_fit_are_joined_and_what_every_page_repeats_is_read_once() -> None:
    pages = [
        f"Circular 12 of us\nYou may carry {number} spare batteries of\nkind {number}.\nPage {number} of 4"
        for number in range(1, 5)
    ]
    assert paragraphs_of(pages).split("\n") == [
        "Circular 12 of us",
        *(f"You may carry {number} spare batteries of kind {number}." for number in range(1, 5)),
    ]


def test_a_limit_at_the_edge_of_every_page_stays() -> None:
    pages = [
        f"Power banks: {number}00 Wh\nText of this page, item {number}, and more." for number in range(1, 5)
    ]
    assert all(f"{number}00 Wh" in paragraphs_of(pages) for number in range(1, 5))
