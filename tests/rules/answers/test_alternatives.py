"""What readers rely on: a suggestion, asked again, gets the milder verdict that it was promised."""

import datetime
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import verdicts
from rules.answers.alternatives import LIST_RESULTS, MOST_EVALUATIONS, Alternatives, Change, alternatives
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import MAX_DAYS_AHEAD, STRICTNESS, Verdict
from rules.verdicts import Answer, TripAnswer
from rules.wording import alternatives_words, recall_check_words
from tests.rules.answer_texts import reads_well
from tests.rules.engine.asked import ASKED, ASKED_TRIPS, Asked, AskedTrip
from tests.rules.engine.worlds import TODAY, WORLD_QUESTIONS, WORLDS
from tests.support.starter import NOW, starter_release

AT = datetime.datetime.combine(TODAY, datetime.time(9), datetime.UTC)
checked_often = settings(max_examples=200, deadline=None)


def release_of(content: Content) -> Published:
    return Published("2027-03-01", "0" * 64, AT, Corpus(content))


def ask(release: Published, question: Question | TripQuestion) -> Answer | TripAnswer:
    if isinstance(question, Question):
        return verdicts.answer_from(release, question, now=AT)
    return verdicts.trip_answer_from(release, question, now=AT)


def verdict_of(release: Published, question: Question | TripQuestion) -> Verdict | None:
    try:
        return ask(release, question).outcome.verdict
    except AirlineNotCovered:
        return None


def milder(verdict: Verdict | None, than: Verdict) -> bool:
    return verdict is not None and STRICTNESS[verdict] < STRICTNESS[than]


def answered(asked: Asked | AskedTrip) -> Answer | TripAnswer:
    question = asked.question if isinstance(asked, Asked) else asked.trip
    try:
        return ask(release_of(asked.content), question)
    except AirlineNotCovered:
        reject()


@checked_often
@given(ASKED | ASKED_TRIPS)
def test_a_suggestion_asked_again_gets_exactly_the_milder_verdict_that_it_was_promised(
    asked: Asked | AskedTrip,
) -> None:
    answer = answered(asked)
    found = alternatives(answer)
    for one in found.helping:
        assert ask(answer.release, one.question).outcome.verdict == one.verdict
        assert milder(one.verdict, answer.outcome.verdict)
    if answer.outcome.verdict == "allowed":
        assert found == Alternatives()
    assert found.evaluations <= MOST_EVALUATIONS


@checked_often
@given(ASKED | ASKED_TRIPS)
def test_only_what_a_traveler_can_change_is_changed(asked: Asked | AskedTrip) -> None:
    answer = answered(asked)
    before = answer.question
    for one in alternatives(answer).helping:
        after = one.question
        assert (
            replace(
                after,
                unit=before.unit,
                travel_date=before.travel_date,
                compartment_intent=before.compartment_intent,
            )
            == before
        )
        assert after.compartment_intent in {"carry_on", "on_person", before.compartment_intent}
        assert after.unit.quantity <= before.unit.quantity
        if after.travel_date != before.travel_date:
            assert TODAY <= after.travel_date <= TODAY + datetime.timedelta(days=MAX_DAYS_AHEAD)
        for fact, hoped in {
            "ccc_mark": "present",
            "condition": "intact",
            "capacity_label": "legible",
        }.items():
            was, becomes = getattr(before.unit, fact), getattr(after.unit, fact)
            assert becomes == was or (was == "unknown" and becomes == hoped)
        assert (after.unit.model_id, after.unit.serial) == (before.unit.model_id, before.unit.serial)
        kinds = [change.kind for change in one.changes]
        assert len(set(kinds)) == len(kinds)
        assert 1 <= len(kinds) <= 2


def single_changes(question: Question) -> list[Question]:
    """Every single thing that a traveler could change, each day one by one."""
    unit = question.unit
    days = [TODAY + datetime.timedelta(days=ahead) for ahead in range(MAX_DAYS_AHEAD + 1)]
    facts: list[dict[str, Any]] = [{"quantity": units} for units in range(1, unit.quantity)]
    facts += [
        {name: hoped}
        for name, hoped in (("ccc_mark", "present"), ("condition", "intact"), ("capacity_label", "legible"))
        if getattr(unit, name) == "unknown"
    ]
    return [
        *(replace(question, unit=replace(unit, **fact)) for fact in facts),
        *(replace(question, compartment_intent=cabin) for cabin in ("carry_on", "on_person")),
        *(replace(question, travel_date=day) for day in days),
    ]


@settings(max_examples=60, deadline=None)
@given(WORLDS, WORLD_QUESTIONS)
def test_no_single_change_helps_that_was_not_found(content: Content, question: Question) -> None:
    """A pair is suggested, or nothing, only where no single change helps; else the mildest verdict is."""
    answer = answered(Asked(content, question))
    found = alternatives(answer).helping
    by_hand = [
        verdict
        for one in single_changes(question)
        if milder(verdict := verdict_of(answer.release, one), answer.outcome.verdict)
    ]
    singles = [one.verdict for one in found if len(one.changes) == 1]
    if answer.outcome.verdict == "allowed":
        return
    assert bool(singles) == bool(by_hand)
    assert not (singles and len(singles) < len(found))
    if by_hand:
        assert STRICTNESS[found[0].verdict] == min(STRICTNESS[verdict] for verdict in by_hand if verdict)


@checked_often
@given(ASKED, st.integers(2, 20))
def test_the_largest_quantity_that_helps_is_suggested(asked: Asked, quantity: int) -> None:
    question = replace(asked.question, unit=replace(asked.question.unit, quantity=quantity))
    answer = answered(Asked(asked.content, question))
    current = answer.outcome.verdict
    for one in alternatives(answer).helping:
        units = next((change.value for change in one.changes if change.kind == "quantity"), None)
        if not isinstance(units, int) or units + 1 == quantity:
            continue
        more = replace(one.question, unit=replace(one.question.unit, quantity=units + 1))
        if len(one.changes) == 1:
            assert verdict_of(answer.release, more) != one.verdict
        else:
            assert not milder(verdict_of(answer.release, more), current)


# --- Real cases ---


def leg_answer(
    route: str, compartment: Any = "carry_on", *, model: str = "anker-a1289", **unit: Any
) -> Answer:
    question = Question(
        unit=Unit(model_id=model, **unit),
        leg=Leg(route[:2], route[3:5], route[6:]),
        travel_date=NOW.date(),
        compartment_intent=compartment,
    )
    return verdicts.answer_from(starter_release(), question, now=NOW)


@pytest.mark.parametrize(
    ("answer", "changes", "verdict"),
    [
        (leg_answer("AE-GB EK", quantity=2), (Change("quantity", 1),), "allowed"),
        (leg_answer("JP-SG SQ", "checked"), (Change("compartment", "carry_on"),), "allowed"),
        (leg_answer("CN-CN CA"), (Change("ccc_mark", "present"),), "allowed"),
        (
            leg_answer("AE-GB EK", "checked", quantity=3),
            (Change("compartment", "carry_on"), Change("quantity", 1)),
            "allowed",
        ),
    ],
)
def test_the_nearest_change_is_the_first(
    answer: Answer, changes: tuple[Change, ...], verdict: Verdict
) -> None:
    found = alternatives(answer)
    assert found.helping[0].changes == changes
    assert found.helping[0].verdict == verdict


def test_nothing_helps_a_unit_that_is_too_large() -> None:
    found = alternatives(leg_answer("AE-GB EK", model="ecoflow-trail-200-dc"))
    assert found.helping == ()
    words = alternatives_words(found, "en")
    assert words.nothing is not None
    reads_well(words.nothing)


def test_an_open_recall_is_told_with_where_to_look_and_without_an_outcome() -> None:
    answer = leg_answer("CN-JP CA", model="anker-a1263")
    found = alternatives(answer)
    assert found.helping == ()
    assert found.recall_check is not None
    assert found.recall_check.lookup_urls == ("https://www.anker.com/product-recalls",)
    reads_well(recall_check_words(found.recall_check, "en"))


def test_an_open_recall_can_be_asked_again_with_what_the_list_says_until_it_was() -> None:
    answer = leg_answer("GB-US BA", model="anker-a1263")
    check = alternatives(answer).recall_check
    assert check is not None
    unit, verdicts = answer.question.unit, {"not_affected": "conditional", "affected": "banned"}
    for result in LIST_RESULTS:
        asked = replace(answer.question, unit=replace(unit, recall_check=result))
        again = ask(answer.release, asked)
        assert again.outcome.verdict == verdicts[result]
        assert alternatives(again).recall_check is None


def test_a_change_reads_well() -> None:
    answer = leg_answer("AE-GB EK", "checked", quantity=3)
    (first, *_) = alternatives_words(alternatives(answer), "en").helping
    assert first.changes == ("Carry it in your cabin bag.", "Carry only 1 power bank of this model.")
    assert first.then == "Then it is allowed."
