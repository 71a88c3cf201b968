"""The reader of patterns means what RE2 means, and refuses what it does not know."""

import contextlib
import functools
import json
import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recalls.languages.automata import Places, TooLarge
from recalls.languages.syntax import MAX_DEPTH, NotSupported, read
from recalls.serials import AffectedSerials, compile_pattern
from tests.support.starter import starter_content

from .drawing import patterns

NEAR = st.text("AO0I1LSB8-_中CGHZa \n\N{CYRILLIC CAPITAL LETTER A}", max_size=8)


def recorded(affected: AffectedSerials) -> list[str]:
    """Return the patterns of a recall."""
    every = affected.pattern, affected.not_affected_pattern, affected.necessary_pattern
    return [pattern for pattern in every if pattern is not None]


RECALLS = [recall.affected_serials for recall in starter_content().recalls]
CORPUS = sorted({pattern for affected in RECALLS for pattern in recorded(affected)})
SAMPLES = sorted(
    {
        sample
        for affected in RECALLS
        for sample in (*affected.values, *affected.affected_samples, *affected.unaffected_samples)
    }
)
OTHER_PARTS_OF_RE2 = {r"(?i)\Aab[c-e]+\z", r"^[[:upper:]]{2}\d{2,}[\w.-]?$"}
VECTORS = json.loads((Path(__file__).parents[1] / "serial_vectors.json").read_text())
OF_VECTORS = {
    vector["affected"][name]: [*vector["cases"]]
    for vector in VECTORS
    for name in ("pattern", "not_affected_pattern")
    if vector["affected"].get(name) is not None
}


@functools.lru_cache(maxsize=1)
def places_of(pattern: str) -> Places:
    """Return the automaton of a pattern, which many texts in a row are tried on."""
    return Places(read(pattern))


def matches(pattern: str, text: str) -> bool:
    """Return whether a text is in the language of a pattern."""
    places = places_of(pattern)
    state = 1
    for character in text:
        state = places.after(state) & places.with_letter(character)
    return places.ends(state)


# --- What it means ---


@given(patterns(), st.lists(NEAR, max_size=8))
def test_a_pattern_matches_what_it_matches_for_re2(pattern: str, texts: list[str]) -> None:
    compiled = compile_pattern(pattern)
    for text in ["", *texts]:
        assert matches(pattern, text) == (compiled.fullmatch(text) is not None), text


@given(patterns(), st.data())
def test_what_python_makes_of_a_pattern_is_matched(pattern: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(pattern.replace(r"\d", "[0-9]"), fullmatch=True))
    assert matches(pattern, text) == (compile_pattern(pattern).fullmatch(text) is not None)


@given(
    st.text(st.sampled_from("AB1|()[]{}?*+.^$-,\\dDwWsSzi:2P<> é中"), max_size=12),
    st.lists(st.text("AB12-. sé中^$|{}]\n", max_size=4), max_size=6),
)
@example("[A-]", ["-"])
@example("[+--]", [",", "-"])
@example("[--A]", ["-", "A", "/"])
@example("[^^]", ["^", "A"])
@example(r"\_\ ", ["_ "])
@example("A{0}|{", ["A"])
@example("(|A)()*", ["", "A"])
def test_what_is_accepted_of_any_text_means_the_same_to_re2(pattern: str, texts: list[str]) -> None:
    try:
        read(pattern)
    except NotSupported:
        return
    compiled = compile_pattern(pattern)
    for text in ["", *texts]:
        assert matches(pattern, text) == (compiled.fullmatch(text) is not None), text


@pytest.mark.parametrize("pattern", CORPUS)
def test_the_patterns_of_the_starter_corpus_match_what_they_match_for_re2(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    near = {
        sample[:place] + character + sample[place + 1 :]
        for sample in SAMPLES
        for place in range(len(sample) + 1)
        for character in ("", "0", "A", "1L")
    }
    texts = ["", "\n", "中", "21/12", *SAMPLES, *near]
    assert [text for text in texts if matches(pattern, text) != bool(compiled.fullmatch(text))] == []
    assert any(map(compiled.fullmatch, texts))


@pytest.mark.parametrize("pattern", sorted(OF_VECTORS.keys() - OTHER_PARTS_OF_RE2))
def test_the_patterns_of_the_vectors_match_what_they_match_for_re2(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    for text in OF_VECTORS[pattern]:
        assert matches(pattern, text) == (compiled.fullmatch(text) is not None), text


@pytest.mark.parametrize("character", string.printable)
def test_each_character_of_ascii_is_read_as_re2_reads_it(character: str) -> None:
    for pattern in (character, f"\\{character}", f"[{character}]", f"[^{character}]", f"[!-{character}]"):
        try:
            read(pattern)
        except NotSupported:
            continue
        compiled = compile_pattern(pattern)
        for text in ["", *string.printable, "é"]:
            assert matches(pattern, text) == (compiled.fullmatch(text) is not None), (pattern, text)


# --- What is refused ---


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (
            "A(?i)B",
            "groups with a name or a flag are not supported, nor is looking ahead or behind (character 3)",
        ),
        ("(?P<n>A)", "groups with a name or a flag are not supported, nor is looking ahead"),
        ("(?=A)", "nor is looking ahead or behind (character 2)"),
        ("A+?", "two repetitions next to each other are not supported (character 3)"),
        ("A{2}{3}", "two repetitions next to each other are not supported (character 5)"),
        ("*A", "a repetition such as * or + has nothing to repeat (character 1)"),
        ("^+", "a repetition such as * or + has nothing to repeat (character 2)"),
        ("A{3,2}", "a repetition is out of order, or too large (character 2)"),
        ("A{1001}", "a repetition is out of order, or too large (character 2)"),
        ("A{,3}", r"`{` alone is not supported: write `\{` (character 2)"),
        ("A{02}", r"`{` alone is not supported: write `\{` (character 2)"),
        ("A]", r"`]` alone is not supported: write `\]` (character 2)"),
        ("A^B", "`^` is only supported at the ends of a pattern and of its alternatives (character 2)"),
        ("^^A", "`^` is only supported at the ends of a pattern"),
        ("A$$", "`$` is only supported at the ends of a pattern"),
        ("(^A)", "`^` is only supported at the ends of a pattern"),
        ("(A$|B)", "`$` is only supported at the ends of a pattern"),
        (r"\bA", r"the escape `\b` is not supported (character 1)"),
        (r"A\z", r"the escape `\z` is not supported (character 2)"),
        (r"\pL", r"the escape `\p` is not supported"),
        (r"\x41", r"the escape `\x` is not supported"),
        (r"(A)\1", r"the escape `\1` is not supported (character 4)"),
        ("A\\", "an escape is not complete (character 2)"),
        ("(A", "an opening parenthesis is never closed (character 1)"),
        ("A)", "a closing parenthesis was never opened (character 2)"),
        ("[A", "an opening square bracket is never closed (character 1)"),
        ("[]A]", r"a class of characters is empty, or begins with `]`: write `\]` (character 2)"),
        ("[[:upper:]]", r"`[` within a class of characters is not supported: write `\[` (character 2)"),
        ("[A-C-E]", r"`-` within a class of characters is not supported here: write `\-` (character 5)"),
        (r"[A-\d]", "a range of characters has no end (character 4)"),
        ("[Z-A]", "a range of characters is out of order (character 2)"),
        ("[A-é]", "no identifier has `é` once it is normalized (character 4)"),
        ("[A-中]", "a range of characters is only supported within ASCII: list the characters (character 2)"),
        ("A\N{COMBINING DIAERESIS}", "once it is normalized (character 2)"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}", "once it is normalized (character 1)"),
        ("A\tB", "an invisible character is not supported (character 2)"),
        ("(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), f"groups are nested more than {MAX_DEPTH} deep"),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(pattern: str, said: str) -> None:
    with pytest.raises(NotSupported) as refused:
        read(pattern)
    assert said in str(refused.value)


@given(st.text(max_size=20) | st.text("()[]{}?*+.^$-|,\\1A", max_size=30))
def test_any_text_is_read_or_refused(pattern: str) -> None:
    with contextlib.suppress(NotSupported, TooLarge):
        Places(read(pattern))


def test_the_deepest_groups_and_the_most_repetitions_are_read() -> None:
    assert matches("(" * MAX_DEPTH + "A" + ")" * MAX_DEPTH, "A")
    assert matches("A{1000}", "A" * 1000)
    with pytest.raises(TooLarge, match="more than 2,000 places"):
        Places(read("(.?){1000}" * 3))
