"""The serial check of pages says what `recalls.serials` says, of the same vectors and of anything typed."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recalls.serials import (
    LOOK_ALIKES,
    AffectedSerials,
    PatternError,
    SerialEvaluation,
    compile_pattern,
    evaluate,
)
from tests.support.starter import starter_content

from .node import Browser, node

VECTORS = json.loads((Path(__file__).parent / "serial_vectors.json").read_text())
CORPUS = tuple(
    {
        recall.affected_serials.pattern: recall.affected_serials for recall in starter_content().recalls
    }.values()
)
PATTERNS = [affected.pattern for affected in CORPUS if affected.pattern is not None]
# Of what Unicode has gained since, Python and the browser may know different parts.
KNOWN = st.characters(exclude_categories=("Cs", "Cn", "Co"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with node() as running:
        yield running


def _recall(vector) -> AffectedSerials:
    return msgspec.convert(vector["affected"], AffectedSerials)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_python_answers_the_vectors(vector):
    assert evaluate(_recall(vector)) == SerialEvaluation(*vector["without"])
    for serial, answer in vector["cases"].items():
        assert evaluate(_recall(vector), serial=serial) == SerialEvaluation(*answer), serial


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_browser_answers_the_vectors(vector, browser):
    assert browser.evaluate(_recall(vector), None) == SerialEvaluation(*vector["without"])
    for serial, answer in vector["cases"].items():
        assert browser.evaluate(_recall(vector), serial) == SerialEvaluation(*answer), serial


def test_the_vectors_try_every_pattern_of_the_starter_corpus_with_both_outcomes():
    tried = {vector["affected"].get("pattern"): vector for vector in VECTORS}
    for affected in CORPUS:
        assert affected.pattern in tried
        if affected.pattern is not None and affected.scope != "all_units":
            outcomes = {status for status, _ in tried[affected.pattern]["cases"].values()}
            assert "affected" in outcomes
            assert len(outcomes) > 1


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_browser_can_use_every_pattern_of_the_starter_corpus(pattern, browser):
    assert browser.takes(pattern)


@st.composite
def _serials(draw: st.DrawFn) -> str:
    """Draw what a traveler may type: an affected identifier with a few changes, or anything."""
    given_ones = [serial for affected in CORPUS for serial in (*affected.values, *affected.affected_samples)]
    letters = list(draw(st.sampled_from([*given_ones, ""])))
    near = st.sampled_from("".join(LOOK_ALIKES) + "ADVX-/ a5") | KNOWN
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(letters)))
        letters[at : at + draw(st.integers(0, 1))] = draw(st.lists(near, max_size=2))
    return "".join(letters)


@given(st.sampled_from(CORPUS), st.booleans(), _serials())
def test_the_browser_says_of_any_serial_what_the_service_says(browser, affected, exhaustive, serial):
    affected = msgspec.structs.replace(affected, exhaustive=exhaustive)
    assert browser.evaluate(affected, serial) == evaluate(affected, serial=serial)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"\pL+", id="classes of Unicode"),
        pytest.param(r"\QA.B\E", id="quoted text"),
        pytest.param(r"(?m)^A$", id="lines"),
        pytest.param(r"(?U)A+", id="reluctance by a flag"),
        pytest.param(r"A(?i)B", id="a flag in the middle"),
        pytest.param(r"[[:punct:]]", id="a class that is not known here"),
        pytest.param(r"(A+)+", id="nested repetitions, which can stall a browser"),
        pytest.param(r"\101", id="octal codes"),
    ],
)
def test_what_the_browser_cannot_say_exactly_clears_and_bans_nothing(browser, pattern):
    affected = AffectedSerials("serial_pattern", "serial", pattern, exhaustive=True)
    assert evaluate(affected, serial="A") is not None
    assert not browser.takes(pattern)
    assert browser.evaluate(affected, "A") == SerialEvaluation("unknown", "none")
    assert browser.evaluate(affected, "!") == SerialEvaluation("unknown", "none")


@given(
    st.text(st.sampled_from("AB1|()[]{}?*+.^$-,\\dDwWsSzi:2P<>"), max_size=12),
    st.text(st.sampled_from("AB12-. sK\u212a\u017f"), max_size=4),
)
def test_a_pattern_that_the_browser_takes_means_there_what_it_means_to_the_service(browser, pattern, serial):
    try:
        compile_pattern(pattern)
    except PatternError:
        return
    affected = AffectedSerials("serial_pattern", "serial", pattern, exhaustive=True)
    if browser.takes(pattern):
        assert browser.evaluate(affected, serial) == evaluate(affected, serial=serial)
