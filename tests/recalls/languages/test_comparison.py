"""Whether a change makes the outcome of any unit milder is decided as if each identifier were evaluated."""

import itertools
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recalls import serials
from recalls.languages import automata, comparison
from recalls.languages.automata import MAX_COMBINED_STATES, TooLarge
from recalls.languages.comparison import Disagreement, Pair, Witness, milder, outcomes, pairs
from recalls.languages.syntax import NotSupported
from recalls.serials import AffectedSerials
from tests.support.starter import starter_content

from .drawing import patterns

LOOKUP = "https://maker.example/recall"
ALL_UNITS = AffectedSerials("all_units", "model")
BY_LIST = AffectedSerials("lookup_required", "serial", explicit_list_url=LOOKUP)
BY_DATE = AffectedSerials("sale_dates", "sale_date")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Return how many times the states after a state of an automaton were asked for, with each `next`."""
    asked = itertools.count()
    row = automata._Automaton.row
    monkeypatch.setattr(automata._Automaton, "row", lambda self, state: (next(asked), row(self, state))[1])
    return asked


RECALLS: dict[str, list[AffectedSerials]] = {}
for _recall in starter_content().recalls:
    RECALLS.setdefault(_recall.model_id, []).append(_recall.affected_serials)


def by(pattern: str | None, **more: object) -> AffectedSerials:
    """Return a recall by a pattern."""
    return msgspec.convert(
        {"scope": "serial_pattern", "identifier": "serial", "pattern": pattern, **more}, AffectedSerials
    )


def said(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> list[str]:
    """Return the milder outcomes of a change as sentences."""
    return list(map(str, milder(before, after)))


# --- Against trying each identifier ---


@st.composite
def recalls_by_pattern(draw: st.DrawFn) -> AffectedSerials:
    small = patterns("AO", kinds=(".",))
    return by(
        draw(small),
        exhaustive=draw(st.booleans()),
        not_affected_pattern=draw(st.none() | small),
        explicit_list_url=draw(st.sampled_from([None, LOOKUP])),
    )


SEVERAL = st.lists(
    recalls_by_pattern() | recalls_by_pattern() | st.sampled_from([ALL_UNITS, BY_LIST, BY_DATE]), max_size=2
)


LETTERS = "AOB058SI1CDH_-]!中"
"""A and O, which the drawn patterns list, and one of most kinds that their ranges tell apart."""


def by_trying(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> dict[Pair, int]:
    """Return each pair of outcomes of short identifiers, with the length of the shortest."""
    found: dict[Pair, int] = {}
    for length in range(1, serials.MAX_CHARACTERS + 1):
        for letters in itertools.product(LETTERS, repeat=length):
            witness = Witness("".join(letters))
            found.setdefault(Pair(witness.outcome(before), witness.outcome(after)), length)
    return found


@settings(max_examples=40)
@given(SEVERAL, SEVERAL)
def test_it_finds_the_pairs_that_trying_all_short_identifiers_finds(
    before: list[AffectedSerials], after: list[AffectedSerials]
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(serials, "MAX_CHARACTERS", 3)
        patched.setattr(serials, "MAX_READINGS", 4)
        # What was read of a pattern counts its readings up to the bound of that time.
        automata.places.cache_clear()
        found, tried = pairs(before, after), by_trying(before, after)
        assert all(pair == (unit.outcome(before), unit.outcome(after)) for pair, unit in found.items())
    automata.places.cache_clear()
    silent = [Witness(), Witness(hash_only=True)]
    known = tried.keys() | {Pair(one.outcome(before), one.outcome(after)) for one in silent}
    # An identifier with another letter can be shorter, or the only one.
    others = {pair for pair, unit in found.items() if not set(unit.serial or "") <= set(LETTERS)}
    assert known <= found.keys() <= known | others
    lengths = {pair: len(unit.serial) for pair, unit in found.items() if unit.serial is not None}
    assert all(lengths[pair] == tried[pair] for pair in lengths.keys() - others)
    assert all(lengths[pair] <= tried[pair] for pair in others & tried.keys())


@settings(max_examples=40)
@given(SEVERAL, SEVERAL)
def test_milder_are_the_pairs_that_are_less_strict_afterwards(
    before: list[AffectedSerials], after: list[AffectedSerials]
) -> None:
    strict = ["not_affected", "open", "affected"]
    open_ones = {"serial_unknown": "open", "external_check_required": "open"}
    expected = {
        pair
        for pair in pairs(before, after)
        if strict.index(open_ones.get(pair.after, pair.after))
        < strict.index(open_ones.get(pair.before, pair.before))
    }
    assert {found.pair for found in milder(before, after)} == expected
    assert milder(before, before) == []
    assert milder(before, [*before, *after]) == []


# --- Planted changes ---


@pytest.mark.parametrize(
    ("before", "after", "sentences"),
    [
        pytest.param(
            [by("^000[GHIL]21$", exhaustive=True)],
            [by("^000G21$", exhaustive=True)],
            ["000H21 would no longer be affected", "OOOHZI would be cleared, and is open now"],
            id="a narrower pattern, and what could be misread",
        ),
        pytest.param(
            [by("^000[GHIL]21$")],
            [by("^000G21$", exhaustive=True)],
            ["000H21 would no longer be affected", "A would be cleared, and is open now"],
            id="a narrower pattern that becomes exhaustive",
        ),
        pytest.param(
            [by("^000[GHIL]21$")], [by("^000[GHIL]2[1]$|^X9+$")], [], id="a broader pattern is not milder"
        ),
        pytest.param([by("^A+$")], [by("^AA*$")], [], id="the same in other words"),
        pytest.param(
            [by("^A+$")], [by("^A{1,63}$")], [f"{'A' * 64} would no longer be affected"], id="one length less"
        ),
        pytest.param([by("^A+$")], [by("^A{1,64}$")], [], id="nobody can type more than 64 characters"),
        pytest.param(
            [by("^0+$")],
            [by("^0{1,11}$", exhaustive=True)],
            [
                "000000000000 would no longer be affected",
                "0000000000000 would no longer be affected",
                "A would be cleared, and is open now",
            ],
            id="readings up to the maximum are cleared",
        ),
        pytest.param(
            [by("^0{13}$", exhaustive=True)],
            [by("^0{14}$", exhaustive=True)],
            ["0000000000000 would no longer be affected"],
            id="more readings than the maximum are never cleared",
        ),
        pytest.param(
            [by("^57V.$", not_affected_pattern="^58V.$")],
            [by("^57V.$", not_affected_pattern="^5[89]V.$")],
            ["59VA would be cleared, and is open now"],
            id="a broader pattern of unaffected units",
        ),
        pytest.param(
            [by("^57V.$", not_affected_pattern="^58V.$")],
            [by("^57V.$", not_affected_pattern="^S.*$")],
            ["S would be cleared, and is open now"],
            id="a clearing pattern does not clear what is misread",
        ),
        pytest.param(
            [by("^57V$", necessary_pattern="^5.*$")],
            [by("^57V$", necessary_pattern="^6.*$")],
            [],
            id="the necessary pattern decides nothing",
        ),
        pytest.param(
            [ALL_UNITS], [by("^A$")], ["A unit without a serial would no longer be affected"], id="scope"
        ),
        pytest.param(
            [by("^A$")],
            [],
            [
                "A would no longer be affected",
                "A unit without a serial would be cleared, and is open now",
            ],
            id="a withdrawn recall",
        ),
        pytest.param(
            [by("^A$"), by("^B$")], [by("^A$")], ["B would no longer be affected"], id="one of two recalls"
        ),
        pytest.param([by("^A$"), by("^[AB]$")], [by("^[AB]$")], [], id="a recall that another one includes"),
        pytest.param([], [by("^A$", exhaustive=True)], [], id="a new recall is never milder"),
        pytest.param([ALL_UNITS, by("(?i)A")], [ALL_UNITS], [], id="next to all units, no pattern is read"),
    ],
)
def test_a_planted_change_is_found_with_a_shortest_counterexample(
    before: list[AffectedSerials], after: list[AffectedSerials], sentences: list[str]
) -> None:
    assert said(before, after) == sentences


def test_two_kinds_of_open_outcomes_are_reported_as_pairs() -> None:
    before, after = [by("^A$", explicit_list_url=LOOKUP)], [by("^A$")]
    assert milder(before, after) == milder(after, before) == []
    assert pairs(before, after) == {
        Pair("serial_unknown", "serial_unknown"): Witness(),
        Pair("external_check_required", "serial_unknown"): Witness(hash_only=True),
        Pair("affected", "affected"): Witness("A"),
    }


def test_the_outcomes_of_a_model_have_the_simplest_units() -> None:
    assert outcomes([]) == {"not_affected": Witness()}
    assert outcomes([ALL_UNITS, BY_LIST]) == {"affected": Witness()}
    assert outcomes([BY_LIST]) == {"external_check_required": Witness()}
    assert outcomes([by("^.*[0-9D]$", not_affected_pattern="^.*A$", explicit_list_url=LOOKUP)]) == {
        "serial_unknown": Witness(),
        "external_check_required": Witness(hash_only=True),
        "not_affected": Witness("A"),
        "affected": Witness("D"),
    }


# --- What is refused ---


def test_a_pattern_that_cannot_be_compared_is_named() -> None:
    with pytest.raises(NotSupported, match=r"the pattern `\(\?i\)A` cannot be compared: groups with a name"):
        pairs([by("^A$")], [by("(?i)A")])
    with pytest.raises(TooLarge, match=r"the pattern `.\*A.\{13\}` cannot be compared: its automaton"):
        pairs([by(".*A.{13}")], [])


def test_patterns_that_are_too_large_together_are_refused_at_the_bound(steps: Iterator[int]) -> None:
    before, after = ([by(f".*{letter}.{{9}}", exhaustive=True)] for letter in "AB")
    with pytest.raises(TooLarge, match=f"more than {MAX_COMBINED_STATES:,} states"):
        pairs(before, after)
    assert next(steps) < 5 * MAX_COMBINED_STATES


def test_a_wrong_automaton_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automata, "shortest", lambda languages: {frozenset(languages): "B"})
    with pytest.raises(Disagreement, match="was expected of `B`"):
        pairs([by("^A$")], [])


# --- The recalls that there are ---


def changed(recall: AffectedSerials) -> list[AffectedSerials]:
    """Return a recall with one of its fields changed."""
    pattern = recall.pattern or "^0A.{3}B$"
    return [
        recall,
        msgspec.structs.replace(recall, exhaustive=not recall.exhaustive),
        msgspec.structs.replace(recall, scope="serial_pattern", pattern=pattern.replace("$", "[0-7]$")),
        msgspec.structs.replace(recall, scope="serial_pattern", pattern="^.*[0-8D]$", exhaustive=True),
        msgspec.structs.replace(recall, not_affected_pattern="^[A-F].*$"),
        msgspec.structs.replace(recall, explicit_list_url=None if recall.explicit_list_url else LOOKUP),
        ALL_UNITS,
    ]


def test_the_recalls_of_the_starter_corpus_are_compared_in_few_steps(steps: Iterator[int]) -> None:
    most = 0
    for recalls in RECALLS.values():
        assert milder(recalls, recalls) == []
        for place, recall in enumerate(recalls):
            for other in changed(recall):
                after = [*recalls[:place], other, *recalls[place + 1 :]]
                before = next(steps)
                there, back = pairs(recalls, after), pairs(after, recalls)
                most = max(most, (next(steps) - before) // 2)
                assert {Pair(pair.after, pair.before) for pair in there} == back.keys()
    assert most < 1_000


def test_no_change_of_the_corpus_is_hidden_by_its_model() -> None:
    """Without its only recall, a model has a milder outcome; no outcome is as strict as before."""
    for recalls in RECALLS.values():
        assert milder(recalls, [])
        assert {pair.after for pair in comparison.pairs(recalls, [])} == {"not_affected"}
