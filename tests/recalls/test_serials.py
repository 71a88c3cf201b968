"""What a recall may say about a unit: evidence, never a guess."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recalls.serials import (
    MAX_PATTERN_CHARACTERS,
    AffectedSerials,
    PatternError,
    SerialEvaluation,
    compile_pattern,
    evaluate,
    normalize,
    overall,
)

LOOKUP = "https://maker.example/recall"
BY_PATTERN = AffectedSerials(
    scope="serial_pattern", identifier="serial", pattern=r"^.*[0-9D]$", not_affected_pattern=r"^.*A$"
)
WITH_LIST = AffectedSerials(
    scope="serial_pattern", identifier="serial", pattern=r"^57V.{11}$", explicit_list_url=LOOKUP
)
LIST_ONLY = AffectedSerials(scope="lookup_required", identifier="serial", explicit_list_url=LOOKUP)
DATES_ONLY = AffectedSerials(scope="sale_dates", identifier="sale_date")
ALL_UNITS = AffectedSerials(scope="all_units", identifier="model", pattern="^.*$")
EXHAUSTIVE = AffectedSerials(
    scope="batch", identifier="production_batch", pattern=r"^GK25004093$", exhaustive=True
)

HASH = hashlib.sha256(b"57V12345678901").hexdigest()


@pytest.mark.parametrize(
    ("affected", "serial", "status", "method"),
    [
        pytest.param(ALL_UNITS, None, "affected", "pattern", id="a recall of all units needs no serial"),
        pytest.param(ALL_UNITS, "ANY", "affected", "pattern", id="a recall of all units ignores the serial"),
        pytest.param(BY_PATTERN, "XX7", "affected", "pattern", id="the pattern matches"),
        pytest.param(BY_PATTERN, " x x d ", "affected", "pattern", id="spacing and case do not matter"),
        pytest.param(
            BY_PATTERN,
            "XX\N{FULLWIDTH DIGIT SEVEN}",
            "affected",
            "pattern",
            id="full-width digits are digits",
        ),
        pytest.param(BY_PATTERN, "XXA", "not_affected", "pattern", id="the recall says this one is outside"),
        pytest.param(BY_PATTERN, "XXC", "unknown", "none", id="neither pattern matches"),
        pytest.param(BY_PATTERN, None, "unknown", "none", id="no serial yet"),
        pytest.param(
            WITH_LIST, "57V12345678901", "affected", "pattern", id="matches where a list exists too"
        ),
        pytest.param(
            WITH_LIST, "57X12345678901", "unknown", "external_list_required", id="no match: ask the list"
        ),
        pytest.param(WITH_LIST, None, "unknown", "none", id="the serial can still be tried before the list"),
        pytest.param(LIST_ONLY, None, "unknown", "external_list_required", id="only the maker's list knows"),
        pytest.param(
            LIST_ONLY, "X", "unknown", "external_list_required", id="only the maker's list knows, again"
        ),
        pytest.param(DATES_ONLY, "2024", "unknown", "none", id="dates alone decide nothing"),
        pytest.param(EXHAUSTIVE, "GK25004093", "affected", "pattern", id="the one batch"),
        pytest.param(
            EXHAUSTIVE, "KK73", "not_affected", "pattern", id="an exhaustive recall clears the rest"
        ),
        pytest.param(
            EXHAUSTIVE, "GK2S0O4093", "unknown", "none", id="a look-alike of the batch is not cleared"
        ),
        pytest.param(
            EXHAUSTIVE,
            "G\N{CYRILLIC CAPITAL LETTER KA}25004093",
            "unknown",
            "none",
            id="a Cyrillic look-alike is not cleared",
        ),
        pytest.param(EXHAUSTIVE, "I" * 64, "unknown", "none", id="too many readings to be sure"),
    ],
)
def test_a_recall_says_what_its_evidence_says(affected, serial, status, method):
    assert evaluate(affected, serial=serial) == SerialEvaluation(status, method)


@pytest.mark.parametrize("affected", [BY_PATTERN, WITH_LIST, LIST_ONLY, DATES_ONLY, EXHAUSTIVE])
def test_a_hash_alone_never_decides(affected):
    assert evaluate(affected, serial_hash=HASH).match_status == "unknown"


def test_a_hash_does_not_hide_a_recall_of_all_units():
    assert evaluate(ALL_UNITS, serial_hash=HASH).match_status == "affected"


def test_only_an_affected_unit_is_banned_and_no_unit_is_allowed_by_its_serial():
    assert SerialEvaluation("affected", "pattern").verdict_if_used_for_flight == "banned"
    assert SerialEvaluation("not_affected", "pattern").verdict_if_used_for_flight == "conditional"
    assert SerialEvaluation("unknown", "none").verdict_if_used_for_flight == "conditional"


@given(st.text(alphabet="OD0I1LZ2S5B8AX", max_size=10))
def test_a_serial_that_could_be_read_as_affected_is_never_cleared(serial):
    """Any look-alike spelling of an affected serial stays uncleared."""
    spellings = str.maketrans("OILZSB", "011258")
    if compile_pattern(EXHAUSTIVE.pattern).fullmatch(normalize(serial).translate(spellings)):
        assert evaluate(EXHAUSTIVE, serial=serial).match_status != "not_affected"
    if normalize(serial)[-1:] in set("0123456789DOILZSB"):
        assert evaluate(BY_PATTERN, serial=serial).match_status != "not_affected"


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?=a)", "(", "[", "a" * (MAX_PATTERN_CHARACTERS + 1)])
def test_a_pattern_that_cannot_run_in_linear_time_is_refused_with_a_reason(pattern):
    with pytest.raises(PatternError, match=r"\w"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("recalls", "serial", "expected"),
    [
        pytest.param([], None, ("not_affected", "model_match"), id="no recall"),
        pytest.param(
            [LIST_ONLY, ALL_UNITS], None, ("affected", "model_match"), id="the strictest notice wins"
        ),
        pytest.param(
            [BY_PATTERN, LIST_ONLY], "XX7", ("affected", "pattern"), id="one pattern is enough to ban"
        ),
        pytest.param(
            [BY_PATTERN, LIST_ONLY],
            "XXA",
            ("external_check_required", "external_list_required"),
            id="clear in one country, open in another",
        ),
        pytest.param([BY_PATTERN], None, ("serial_unknown", "model_match"), id="nothing to go by yet"),
        pytest.param([BY_PATTERN], "XXC", ("serial_unknown", "pattern"), id="tried, and still open"),
        pytest.param(
            [BY_PATTERN], "XXA", ("not_affected", "pattern"), id="cleared by the recall's own words"
        ),
        pytest.param(
            [BY_PATTERN, DATES_ONLY],
            "XXA",
            ("serial_unknown", "pattern"),
            id="cleared by one, open in the other",
        ),
    ],
)
def test_all_recalls_of_a_model_count_together(recalls, serial, expected):
    evaluations = [evaluate(affected, serial=serial) for affected in recalls]
    assert overall(recalls, evaluations, serial_given=serial is not None) == expected
