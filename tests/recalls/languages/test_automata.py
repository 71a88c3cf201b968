"""The shortest identifiers of languages are found in each combination, or refused by a bound."""

import functools
import itertools
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from compliance.api.verdicts.bounds import MAX_SERIAL_CHARACTERS
from recalls import serials
from recalls.languages import automata
from recalls.languages.automata import (
    ASCII,
    CLEARABLE,
    Language,
    TooLarge,
    check,
    matched,
    misread,
    shortest,
)
from recalls.serials import LOOK_ALIKES, MAX_CHARACTERS, READINGS, compile_pattern, normalize

from .drawing import patterns

CALLS = 1_000_000
"""Less than a second of any processor, and some times what the hardest of these patterns needs."""


@functools.cache
def readings(identifier: str) -> tuple[str, ...]:
    """Return all look-alike readings of an identifier."""
    return tuple(map("".join, itertools.product(*(READINGS.get(letter, letter) for letter in identifier))))


@functools.cache
def fits(pattern: str, identifier: str) -> bool:
    """Return whether an identifier is in the language of a pattern, by RE2."""
    return compile_pattern(pattern).fullmatch(identifier) is not None


def in_language(language: Language, identifier: str) -> bool:
    """Return whether an identifier is in a language, by RE2."""
    if language == CLEARABLE:
        return identifier.isascii() and len(readings(identifier)) <= serials.MAX_READINGS
    read = readings(identifier) if language.kind == "misread" else (identifier,)
    return any(fits(language.pattern, one) for one in read)


def by_trying(languages: list[Language], characters: str, longest: int) -> dict[frozenset[Language], int]:
    """Return the length of the shortest identifier of each combination."""
    found: dict[frozenset[Language], int] = {}
    for length in range(1, longest + 1):
        for letters in itertools.product(characters, repeat=length):
            identifier = "".join(letters)
            found.setdefault(frozenset(one for one in languages if in_language(one, identifier)), length)
    return found


@given(patterns("AO", kinds=(".",)), patterns("AO", kinds=(r"\d",)))
def test_each_combination_is_found_with_a_shortest_identifier(one: str, other: str) -> None:
    languages = [matched(one), misread(one), matched(other), CLEARABLE]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(serials, "MAX_CHARACTERS", 3)
        patched.setattr(serials, "MAX_READINGS", 4)
        found = shortest(languages)
        # Classes of patterns name a few more; these are one character of each kind for most patterns.
        tried = by_trying(languages, "AO0SI1L8-_^]中" if "[" in one + other else "AO0SI1-中", 3)
        for inside, identifier in found.items():
            assert inside == {language for language in languages if in_language(language, identifier)}
            assert len(identifier) <= tried.get(inside, 3)
    assert found.keys() >= tried.keys()
    assert [len(identifier) for identifier in found.values()] == sorted(map(len, found.values()))


def test_intersection_union_and_complement_are_conditions_on_combinations() -> None:
    even, three = matched("(..)*"), matched("(...)*")
    found = shortest([even, three])
    assert {inside: len(identifier) for inside, identifier in found.items()} == {
        frozenset(): 1,
        frozenset({even}): 2,
        frozenset({three}): 3,
        frozenset({even, three}): 6,
    }


def test_without_languages_there_is_still_an_identifier() -> None:
    assert shortest([]) == {frozenset(): "A"}


def test_an_identifier_has_at_most_64_characters() -> None:
    assert MAX_CHARACTERS == MAX_SERIAL_CHARACTERS
    assert shortest([matched("0{64}")])[frozenset({matched("0{64}")})] == "0" * 64
    assert shortest([matched("0{65}")]).keys() == {frozenset()}


def test_an_identifier_with_too_many_readings_cannot_be_cleared() -> None:
    within, beyond = "I{7}", "I{7}O"
    assert 3**7 <= serials.MAX_READINGS < 3**7 * 2
    assert frozenset({matched(within), CLEARABLE}) in shortest([matched(within), CLEARABLE])
    assert frozenset({matched(beyond), CLEARABLE}) not in shortest([matched(beyond), CLEARABLE])


def test_each_letter_is_read_as_each_of_its_group() -> None:
    assert len(set("".join(LOOK_ALIKES))) == len("".join(LOOK_ALIKES))
    for group in LOOK_ALIKES:
        for letter, read_as in itertools.product(group, repeat=2):
            assert in_language(misread(read_as), letter)
            both = frozenset({matched(letter), misread(read_as)})
            assert both in shortest([matched(letter), misread(read_as)])


# --- Characters ---


def test_all_characters_of_normalized_ascii_are_tried_and_no_others() -> None:
    visible = {chr(code) for code in range(0x21, 0x7F)}
    assert set(ASCII) == {normalize(character) for character in visible}
    assert len(set(ASCII)) == len(ASCII)


def test_the_characters_for_all_others_are_normalized_and_stay_alone() -> None:
    others = "".join(map(chr, range(0x4E2D, 0x9FA6)))
    assert normalize(others) == others
    assert {unicodedata.category(character) for character in others} == {"Lo"}


def test_a_pattern_that_lists_a_character_beyond_ascii_has_another_for_the_rest() -> None:
    found = shortest([matched("[中Ж]"), matched("[^!-~]")])
    assert found[frozenset({matched("[^!-~]")})] == "丮"
    assert found[frozenset({matched("[^!-~]"), matched("[中Ж]")})] == "Ж"


# --- Bounds ---


def calls_of(work: Callable[[], Any]) -> int:
    """Return how many functions are called: the same work on every machine, however busy."""
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (".*A.{13}", "its automaton has more than 2,000 states"),
        (".*0.{60}", "its automaton has more than 2,000 states"),
        ("(.*A.{9}|.*B.{9})", "its automaton has more than 2,000 states"),
        ("((A|B)*A(A|B){12})+", "its automaton has more than 2,000 states"),
        ("(A?B?C?){700}", "more than 2,000 places"),
        ("((A{10}){10}){10}" * 3, "more than 2,000 places"),
    ],
)
def test_a_pattern_with_too_many_states_is_refused_at_once(pattern: str, said: str) -> None:
    compile_pattern(pattern)

    def refused() -> None:
        with pytest.raises(TooLarge, match=said):
            check(pattern)

    assert calls_of(refused) < CALLS


@pytest.mark.parametrize(
    "pattern",
    [
        ".*A.{9}",
        ".*0.{9}",
        "(.?){1000}",
        "(A?B?C?){300}",
        "[A-Z0-9]{1,1000}",
        "(A|AA|AAA)*",
        "(.*A.{5}|.*B.{6})",
    ],
)
def test_a_hard_pattern_within_the_bound_is_checked_soon(pattern: str) -> None:
    automata.places.cache_clear()
    check.cache_clear()
    assert calls_of(lambda: check(pattern)) < CALLS
