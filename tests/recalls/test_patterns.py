"""What the pattern of a recall is told before anybody agrees to it: whether it works, and how broad it is."""

import json
import pathlib

import msgspec
import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from recalls.editing.breadth import warnings
from recalls.patterns import MAX_SAMPLES, answer, decides, objections, outcomes, refusals
from recalls.serials import MAX_PATTERN_CHARACTERS, AffectedSerials, evaluate

CORPUS = pathlib.Path("compliance/starter_corpus/recalls.json")
LOOKUP = "https://maker.example/recall"


def recall(
    pattern: str | None, *samples: str, outside: tuple[str, ...] = (), **more: object
) -> AffectedSerials:
    """Return a recall by a pattern, with its affected samples, and with unaffected ones."""
    fields = {
        "scope": "serial_pattern",
        "identifier": "serial",
        "pattern": pattern,
        "affected_samples": samples,
        "unaffected_samples": outside,
    }
    return msgspec.convert({**fields, **more}, AffectedSerials)


# --- Whether a pattern can be used ---


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("^(A", "an opening parenthesis is never closed"),
        ("A)", "a closing parenthesis was never opened"),
        ("[A", "an opening square bracket is never closed"),
        ("*A", "a repetition such as * or + has nothing to repeat"),
        ("A**", "two repetitions stand next to each other"),
        ("A{1001}", "a repetition is out of order, or makes the pattern too large"),
        (r"(A)\1", "this escape is not supported; references to a group are not supported either"),
        ("A(?=B)", "lookahead and lookbehind are not supported"),
        ("[Z-A]", "this range or class of characters does not exist"),
        ("A\\", "it ends in the middle of an escape"),
        ("A" * (MAX_PATTERN_CHARACTERS + 1), "the pattern has 1025 characters; at most 1024 are accepted"),
        ("A*", "matches an empty identifier, so it cannot distinguish units"),
        (
            "(?i)A",
            "groups with a name or a flag are not supported, nor is looking ahead or behind (character 2)",
        ),
        ("A+?", "two repetitions next to each other are not supported (character 3)"),
        (r"\bA", r"the escape `\b` is not supported (character 1)"),
        ("[[:digit:]]", r"`[` within a class of characters is not supported: write `\[` (character 2)"),
        (".*A.{13}", "its automaton has more than 2,000 states"),
        ("(.?){1000}" * 3, "it has more than 2,000 places with its repetitions written out"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_with_what_is_wrong_with_it(
    pattern: str, reason: str
) -> None:
    ((field, sentence),) = refusals(recall(pattern))
    assert field == "pattern"
    assert sentence.startswith(f"the pattern `{pattern}` ")
    assert reason in sentence
    # Whoever asks for more than the refusal gets the same sentence, not an error.
    assert objections(recall(pattern, "A")) == [sentence]


def test_a_pattern_of_all_units_must_be_readable_too() -> None:
    ((field, sentence),) = refusals(recall("(?i)A", scope="all_units", not_affected_pattern="^B$"))
    assert (field, sentence.partition(":")[0]) == ("pattern", "the pattern `(?i)A` cannot be used")


def test_each_pattern_of_a_recall_is_checked_and_named() -> None:
    broken = recall("^(A", not_affected_pattern="B*", necessary_pattern="[C")
    assert [(refusal.field, refusal.sentence.partition(" `")[0]) for refusal in refusals(broken)] == [
        ("pattern", "the pattern"),
        ("not_affected_pattern", "the pattern of unaffected units"),
        ("necessary_pattern", "the necessary pattern"),
    ]


def test_a_recall_of_all_units_may_match_everything_and_needs_no_samples() -> None:
    of_all = recall("^.*$", scope="all_units")
    assert (refusals(of_all), objections(of_all), warnings(of_all)) == ([], [], [])


def test_a_recall_without_a_pattern_needs_no_samples() -> None:
    assert objections(recall(None, scope="lookup_required")) == []


# --- What samples say ---


def test_a_recall_is_ready_once_its_samples_are_sorted_as_it_says() -> None:
    assert objections(recall("^57V.{11}$", "57V12345678901", outside=("57X12345678901",))) == []


def test_a_pattern_without_samples_of_both_kinds_is_not_ready() -> None:
    assert objections(recall("^57V$")) == [
        "the pattern `^57V$` is tested by no affected sample: give one that it must match",
        "the pattern `^57V$` is tested by no unaffected sample: give one that it must not match",
    ]


def test_values_that_the_notice_lists_are_affected_samples() -> None:
    listed = recall("^M20-(P8|Q1)$", scope="batch", values=["M20-P8", "M20-Q2"], outside=("M20-P7",))
    assert objections(listed) == ["the pattern `^M20-(P8|Q1)$` does not match listed value 2"]


def test_samples_that_are_sorted_the_wrong_way_are_named_by_their_number() -> None:
    assert objections(recall("^57V.$", "57V1", "58V1", outside=("58V1", "57V2"))) == [
        "the pattern `^57V.$` does not match affected sample 2",
        "the pattern `^57V.$` matches unaffected sample 2",
    ]


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=4),
    st.lists(st.text("57V xv\N{FULLWIDTH DIGIT FIVE}", max_size=6), max_size=4),
    st.booleans(),
)
def test_a_sample_is_answered_as_a_traveler_with_that_unit_would_be(
    odd: list[str], likely: list[str], exhaustive: bool
) -> None:
    affected = recall(
        "^57V.*$", *odd, *likely, outside=(*likely, *odd), exhaustive=exhaustive, explicit_list_url=LOOKUP
    )
    found = outcomes(affected)
    assert [outcome.sample for outcome in found] == [*odd, *likely, *likely, *odd]
    for outcome in found:
        assert outcome.evaluation == evaluate(affected, serial=outcome.sample)
        is_affected = outcome.evaluation.match_status == "affected"
        assert outcome.passes == (is_affected == (outcome.kind == "affected_samples"))


@pytest.mark.parametrize(
    ("serial", "said"),
    [
        (" 57v1 ", "affected: banned"),
        ("99A", "not affected: the recall does not cover this unit"),
        ("99B", "unknown: only the maker's list can decide"),
    ],
)
def test_an_answer_reads_like_what_a_traveler_is_told(serial: str, said: str) -> None:
    affected = recall("^57V.$", not_affected_pattern="^99A$", explicit_list_url=LOOKUP)
    assert answer(evaluate(affected, serial=serial)) == said


def test_a_sample_is_called_by_its_kind_and_its_number() -> None:
    listed = recall("^A$", "A", outside=("B",), values=["A"])
    names = ["listed value 1", "affected sample 1", "unaffected sample 1"]
    assert [outcome.name for outcome in outcomes(listed)] == names


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        ((" ",), "affected sample 1 is not 1 to 64 characters long"),
        (("A", "A" * 65), "affected sample 2 is not 1 to 64 characters long"),
        (("A",) * (MAX_SAMPLES + 1), "there are 101 affected samples; at most 100 are accepted"),
    ],
)
def test_a_sample_that_no_traveler_could_ask_about_is_refused(samples: tuple[str, ...], reason: str) -> None:
    assert refusals(recall("^A$", *samples)) == [("affected_samples", reason)]


# --- How broad a pattern is ---


@pytest.mark.parametrize(
    ("pattern", "samples", "said"),
    [
        pytest.param(
            r"^57V.{11}$",
            ("57V12345678901",),
            ["also matches 26 of 26 letters at places 4 to 14, but no sample has one"],
            id="letters that no sample shows",
        ),
        pytest.param(
            r"^5[A-Z0-9]V\d{4}$",
            ("57V1234",),
            ["also matches 26 of 26 letters at place 2, but no sample has one"],
            id="one place",
        ),
        pytest.param(
            r"^\d\d[A-Z]12[\dA-Z]4$",
            ("57V1234",),
            ["also matches 26 of 26 letters at place 6, but no sample has one"],
            id="digits and letters where samples have digits and letters are fine",
        ),
        pytest.param(
            r"^\d[A-Z]9\d{5}$",
            ("1A912345", "1A954321", "1A900000"),
            [
                "also matches 10 of 10 digits at place 1, but all 3 samples have the same",
                "also matches 26 of 26 letters at place 2, but all 3 samples have the same",
            ],
            id="a beginning that all samples share",
        ),
        pytest.param(r"^\d[A-Z]9\d{5}$", ("1A912345", "1A954321"), [], id="two samples may agree by chance"),
        pytest.param(
            r"^AB9\d*$",
            ("AB91234",),
            [
                "also matches identifiers of 64 characters, but no sample has more than 7",
                "also matches identifiers of 3 characters, but no sample has fewer than 7",
            ],
            id="any length",
        ),
        pytest.param(
            r"^AB9\d{4,6}$",
            ("AB91234",),
            ["also matches identifiers of 9 characters, but no sample has more than 7"],
            id="a little longer",
        ),
        pytest.param(r"^AB9\d{4,6}$", ("AB91234", "AB9123456"), [], id="lengths between those of samples"),
        pytest.param(
            r"^AB9.{2,3}$",
            ("AB912", "AB9123"),
            [
                "also matches 26 of 26 letters at places 4 to 5 of 5 characters, but no sample has one",
                "also matches 26 of 26 letters at places 4 to 6 of 6 characters, but no sample has one",
            ],
            id="samples of several lengths",
        ),
        pytest.param(
            r"^\d{4}$",
            ("2313",),
            ["also matches 199 of 199 made-up identifiers that look like the samples, so it is very broad"],
            id="everything that looks like the samples",
        ),
        pytest.param(r"^X1$", ("Y1",), [], id="a pattern that matches no sample"),
    ],
)
def test_a_pattern_that_is_broader_than_its_samples_is_told_how(
    pattern: str, samples: tuple[str, ...], said: list[str]
) -> None:
    assert warnings(recall(pattern, *samples)) == [f"the pattern {sentence}" for sentence in said]


def test_one_more_sample_silences_a_warning_that_is_wrong() -> None:
    assert warnings(recall(r"^57V.{11}$", "57V12345678901")) != []
    assert warnings(recall(r"^57V.{11}$", "57V12345678901", "57VABCDEFGHIJK")) == []


def test_a_pattern_that_clears_units_is_measured_too() -> None:
    affected = recall(r"^AB1\d{3}$", "AB1234", not_affected_pattern=r"^AB.*$", outside=("AB2345",))
    assert warnings(affected) == [
        "the pattern of unaffected units also matches identifiers of 64 characters, "
        "but no sample has more than 6",
        "the pattern of unaffected units also matches identifiers of 2 characters, "
        "but no sample has fewer than 6",
        "the pattern of unaffected units also matches 26 of 26 letters at places 3 to 6, "
        "but no sample has one",
        "the pattern of unaffected units also matches 1 of the affected samples; "
        "such a unit counts as affected",
    ]


def test_a_pattern_that_clears_units_without_a_sample_is_told() -> None:
    affected = recall(r"^AB1\d{3}$", "AB1234", not_affected_pattern=r"^ZZ2\d{3}$", outside=("AB2345",))
    assert warnings(affected) == [
        "the pattern of unaffected units matches no sample, so it is not tested which units it clears"
    ]


IDENTIFIERS = st.lists(st.text("ABCXYZ0189-/", min_size=1, max_size=20), min_size=1, max_size=12)


@given(IDENTIFIERS)
def test_a_pattern_that_lists_its_samples_is_never_too_broad(identifiers: list[str]) -> None:
    listing = f"^({'|'.join(re2.escape(identifier) for identifier in identifiers)})$"
    assert warnings(recall(listing, *identifiers)) == []


@given(st.text("ABXYZ0189", min_size=3, max_size=5), st.text("ABXYZ0189-/", max_size=20))
def test_a_fixed_beginning_and_the_shape_of_the_rest_is_never_too_broad(beginning: str, rest: str) -> None:
    shape = "".join(r"\d" if c.isdigit() else "[A-Z]" if c.isalpha() else re2.escape(c) for c in rest)
    assert warnings(recall(f"^{beginning}{shape}$", beginning + rest)) == []


@given(IDENTIFIERS, st.sampled_from([".*", ".+", r"\d*", "[A-Z0-9]+"]))
def test_an_end_that_is_left_open_is_always_told(identifiers: list[str], open_end: str) -> None:
    texts = [f"{identifier}7" for identifier in identifiers]
    pattern = f"^({'|'.join(re2.escape(text) for text in texts)}){open_end}$"
    found = warnings(recall(pattern, *(f"{text}7" for text in texts)))
    assert any("characters, but no sample has more" in said for said in found)


@given(IDENTIFIERS, IDENTIFIERS)
def test_no_sentence_repeats_a_sample(affected: list[str], unaffected: list[str]) -> None:
    affected, unaffected = ([f"QQ{text}QQ" for text in texts] for texts in (affected, unaffected))
    marked = recall("^.*[A-Z].+$", *affected, outside=tuple(unaffected), not_affected_pattern="^.*0.*$")
    assert not any("QQ" in said for said in [*objections(marked), *warnings(marked)])


# --- The recalls that there are ---


def corpus() -> list[tuple[str, AffectedSerials]]:
    return [
        (row["recall_id"], msgspec.convert(row["affected_serials"], AffectedSerials))
        for row in json.loads(CORPUS.read_text())
    ]


def test_every_pattern_of_the_starter_corpus_passes_its_samples() -> None:
    assert {recall_id: objections(affected) for recall_id, affected in corpus() if objections(affected)} == {}


def test_only_a_maker_that_tells_units_by_their_last_character_has_a_broad_pattern_in_the_corpus() -> None:
    broad = {recall_id for recall_id, affected in corpus() if warnings(affected)}
    assert broad == {recall_id for recall_id, _ in corpus() if recall_id.endswith("-baseus-bs-30kp365")}
    assert sum(decides(affected) for _, affected in corpus()) == 28
