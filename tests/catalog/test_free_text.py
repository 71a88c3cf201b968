"""What people write in their own words: no control characters, and reasons that say something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.free_text import MOST_OF_A_REASON, fault, is_visible, name_fault, reason_fault, writable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "At most 100 Wh.",
        "Two lines,\r\nand\ta tab.",
        "充電宝",
        "\U0001f469\u200d\U0001f52c",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\ufeffNews",
    ],
)
def test_words_of_every_language_are_text(text: str) -> None:
    assert (fault(text), writable(text)) == ("", text)


@pytest.mark.parametrize(
    "character", [*map(chr, [*range(9), 11, 12, *range(14, 32), *range(127, 160)]), "\uffff"]
)
def test_a_control_character_is_named_with_the_words_before_it(character: str) -> None:
    assert fault(f"Big News{character}of models.").startswith(
        f"has a control character, U+{ord(character):04X}, after “Big News”: "
    )
    assert fault(f"{character}News").startswith(
        f"has a control character, U+{ord(character):04X}, at its beginning: "
    )


def test_a_text_of_one_line_has_no_line_breaks() -> None:
    assert fault("Two\nlines", lines=False).startswith("has a control character, U+000A, after “Two”: ")


@given(st.text())
def test_what_is_writable_has_no_fault_and_the_rest_stays(text: str) -> None:
    assert fault(writable(text)) == ""
    assert writable(text) == text or fault(text)


def test_a_line_break_of_a_word_processor_becomes_a_space() -> None:
    assert writable("News\x0bof\x00 models.") == "News of models."


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u200d\ufeff", "\u2060\u00ad", "\u3164\u2800", "\u0301"])
def test_what_no_one_sees_says_nothing(text: str) -> None:
    assert not is_visible(text)


@pytest.mark.parametrize("text", ["x", "理由", "§", "7"])
def test_one_letter_or_sign_is_seen(text: str) -> None:
    assert is_visible(f"\u200b{text}")


def test_a_reason_may_have_two_thousand_characters() -> None:
    assert reason_fault("x" * MOST_OF_A_REASON + "  ") == ""
    assert reason_fault("x" * (MOST_OF_A_REASON + 1)) == "has 2,001 characters, and 2,000 are the most"
    # A browser sends each line break as two characters, and counts one.
    assert reason_fault("x\r\n" * (MOST_OF_A_REASON // 2)) == ""


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\u200b", "\u200e", "\u2028", "\u00ad", "\ufeff"])
def test_a_name_has_no_character_that_turns_or_hides_text(hidden: str) -> None:
    assert (
        name_fault(f"Acme{hidden}levarT")
        == f"has a character that is not seen, U+{ord(hidden):04X}: delete it"
    )


@pytest.mark.parametrize("control", ["\r", "\n", "\t", "\x00", "\x9b"])
def test_a_name_has_no_control_character(control: str) -> None:
    assert name_fault(f"Acme{control}Travel").startswith("has a control character")


@pytest.mark.parametrize("name", ["Acme Travel", "Café Ødegård", "می\u200cشود", "अ\u200dक", "旅行", "✈ 1"])
def test_a_name_in_any_language_has_no_fault(name: str) -> None:
    assert name_fault(name) == ""
