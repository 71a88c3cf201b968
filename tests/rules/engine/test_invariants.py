"""What the service promises of every verdict, whatever the question and the release.

Each promise of the domain decisions (§2) and of the list at the end of `docs/how-a-verdict-is-made.md` is one
property, asked of the starter corpus and of generated worlds. `worlds.py` says which worlds are *monotone*
and why the promises about watt-hours and about unknown facts need them; that the starter corpus keeps these
promises too is found out here.

A question about an airline that is not covered has no verdict. Where two releases are compared it ranks as
insufficient, as it does in a trip.
"""

import datetime
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from catalog.cadence import FRESHNESS
from recalls.serials import AffectedSerials
from rules.engine.corpus import Corpus
from rules.engine.document import Content, ReleaseDocument, UnreadableDocument, builtins, decode, problems
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Certificate, Leg, Params, Question, Rule, Source, Unit, When
from rules.engine.outcomes import LegVerdict
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import STRICTNESS, strictest
from tests.rules.engine.asked import ASKED, ASKED_MONOTONE, ASKED_TRIPS, Asked, AskedTrip
from tests.rules.engine.units import CONDITIONS, LABELS, LIST_ANSWERS, MARKS
from tests.rules.engine.worlds import (
    ADDED_ADVICE,
    ADDED_BINDING,
    AFFECTED_SERIALS,
    DOUBTS,
    FIGURES,
    SOURCES,
    TODAY,
    VALID,
    WORLDS,
    device,
    recall,
    with_rule_for,
)
from tests.support.starter import starter_content

checked_often = settings(max_examples=300, deadline=None)


def ask(content: Content, question: Question) -> LegVerdict | None:
    """Return the verdict; none where the airline is not covered."""
    try:
        return evaluate_leg(Corpus(content), question, today=TODAY)
    except AirlineNotCovered:
        return None


def strictness(content: Content, question: Question) -> int:
    answer = ask(content, question)
    return STRICTNESS["insufficient" if answer is None else answer.verdict]


def of_unit(question: Question, **facts: Any) -> Question:
    return msgspec.structs.replace(question, unit=msgspec.structs.replace(question.unit, **facts))


def with_figure(content: Content, question: Question, watt_hour: Decimal, basis: str) -> Content:
    """Return the content where the model of the question has this figure."""
    own = device(question.unit.model_id, str(watt_hour), basis)
    return msgspec.structs.replace(
        content,
        devices=tuple(
            msgspec.structs.replace(own, certificates=row.certificates)
            if row.model_id == own.model_id
            else row
            for row in content.devices
        ),
    )


# --- Stricter evidence, stricter verdict --------------------------------------------------------------------


@checked_often
@given(ASKED, ADDED_BINDING)
def test_adding_a_prohibiting_or_requiring_rule_never_makes_a_verdict_less_strict(
    asked: Asked, draft: Any
) -> None:
    content, question = asked.content, asked.question
    more = with_rule_for(content, question.leg, draft)
    assert problems(more) == []
    assert strictness(more, question) >= strictness(content, question)


@checked_often
@given(ASKED, ADDED_ADVICE)
def test_adding_advice_never_changes_a_verdict(asked: Asked, draft: Any) -> None:
    content, question = asked.content, asked.question
    before = ask(content, question)
    if before is None:
        reject()
    after = ask(with_rule_for(content, question.leg, draft), question)
    assert after is not None
    assert after.verdict == before.verdict


@checked_often
@given(ASKED, st.integers(0, 99))
def test_removing_a_permit_never_makes_a_verdict_less_strict(asked: Asked, at: int) -> None:
    """Unless it was the airline's last rule in force: then there is an error instead of a verdict."""
    content, question = asked.content, asked.question
    before = ask(content, question)
    if before is None:
        reject()
    applied = [rule for rule in content.rules if rule.effect == "permit" and rule.rule_id in before.path]
    assume(applied)
    permit = applied[at % len(applied)]
    after = ask(
        msgspec.structs.replace(content, rules=tuple(row for row in content.rules if row is not permit)),
        question,
    )
    if after is None:
        assert permit.airline == question.leg.airline
    else:
        assert STRICTNESS[after.verdict] >= STRICTNESS[before.verdict]


@checked_often
@given(ASKED, st.integers(1, 800))
def test_older_evidence_never_gives_a_milder_answer(asked: Asked, days: int) -> None:
    """The verdict stays, the warning stays or gets graver; to have read earlier is to ask later."""
    content, question = asked.content, asked.question
    before, after = ask(content, question), ask(with_older_readings(content, days), question)
    if before is None or after is None:
        reject()
    assert after.verdict == before.verdict
    assert FRESHNESS.index(after.freshness) >= FRESHNESS.index(before.freshness)
    assert _gravity(after) >= _gravity(before)
    later = evaluate_leg(Corpus(content), question, today=TODAY + datetime.timedelta(days=days))
    assert (later.freshness, _gravity(later)) == (after.freshness, _gravity(after))


def with_older_readings(content: Content, days: int) -> Content:
    return msgspec.structs.replace(
        content,
        sources=tuple(
            msgspec.structs.replace(source, read_on=source.read_on - datetime.timedelta(days=days))
            for source in content.sources
        ),
    )


def _gravity(answer: LegVerdict) -> int:
    """Return how gravely an answer warns of old evidence: not at all, as advice, as a caution."""
    [severity] = [one.severity for one in answer.warnings if one.name == "evidence_stale"] or [None]
    return (None, "advisory", "caution").index(severity)


@checked_often
@given(ASKED, st.sampled_from(SOURCES), st.integers(0, 99))
def test_one_more_source_never_makes_an_answer_staler_or_milder(
    asked: Asked, source: Source, at: int
) -> None:
    content, question = asked.content, asked.question
    rule = content.rules[at % len(content.rules)] if content.rules else reject()
    assume(source.id not in rule.sources)
    more = msgspec.structs.replace(rule, sources=(*rule.sources, source.id))
    before = ask(content, question)
    after = ask(
        msgspec.structs.replace(content, rules=tuple(more if row is rule else row for row in content.rules)),
        question,
    )
    if before is None or after is None:
        reject()
    assert after.verdict == before.verdict
    assert FRESHNESS.index(after.freshness) <= FRESHNESS.index(before.freshness)


@checked_often
@given(ASKED)
def test_evidence_gets_staler_on_the_day_that_the_answer_names_and_not_before(asked: Asked) -> None:
    content, question = asked.content, asked.question
    answer = ask(content, question)
    if answer is None:
        reject()
    corpus = Corpus(content)
    if answer.staler_on is None:
        soon = evaluate_leg(corpus, question, today=TODAY + datetime.timedelta(days=30))
        assert soon.freshness == answer.freshness
        return
    assert answer.staler_on <= TODAY + datetime.timedelta(days=30)
    eve = answer.staler_on - datetime.timedelta(days=1)
    assert evaluate_leg(corpus, question, today=eve).freshness == answer.freshness
    then = evaluate_leg(corpus, question, today=answer.staler_on)
    assert FRESHNESS.index(then.freshness) > FRESHNESS.index(answer.freshness)
    # What a whole release says of its answers on a day is no fresher than the stalest of them.
    for day, one in ((TODAY, answer), (answer.staler_on, then)):
        assert FRESHNESS.index(corpus.freshness(day)) >= FRESHNESS.index(one.freshness)


def test_a_rule_that_rests_on_pointers_alone_is_never_published_however_lately_they_were_noted() -> None:
    content = starter_content()
    [pointer, *_] = [source for source in content.sources if not source.citable]
    rule = msgspec.structs.replace(content.rules[0], sources=(pointer.id,))
    assert problems(msgspec.structs.replace(content, rules=(rule,)))


@checked_often
@given(ASKED, st.integers(0, 999))
def test_removing_a_source_never_makes_a_verdict_less_strict(asked: Asked, at: int) -> None:
    """Alone it leaves dangling references; taken away with them it may leave a rule without evidence."""
    content, question = asked.content, asked.question
    content = msgspec.structs.replace(
        content,
        airlines=tuple(msgspec.structs.replace(row, sources=(), changes=()) for row in content.airlines),
    )
    named = sorted({name for sources in _evidence(content) for name in sources})
    gone = named[at % len(named)]
    sources = tuple(source for source in content.sources if source.id != gone)
    assert problems(msgspec.structs.replace(content, sources=sources))

    def without(rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            msgspec.structs.replace(row, sources=tuple(name for name in row.sources if name != gone))
            for row in rows
        )

    less = msgspec.structs.replace(
        content,
        sources=sources,
        rules=without(content.rules),
        recalls=without(content.recalls),
        devices=without(content.devices),
    )
    read = {source.id for source in sources if source.basis != "general_knowledge"}
    if any(read.isdisjoint(sources) for sources in _needed(less)):
        assert problems(less)
    else:
        assert problems(less) == []
        assert strictness(less, question) >= strictness(content, question)


def _evidence(content: Content) -> list[tuple[str, ...]]:
    """Return the sources of each rule, recall, certificate and device."""
    return [*_needed(content), *(row.sources for row in content.devices)]


def _needed(content: Content) -> list[tuple[str, ...]]:
    """Return the sources of each record that is not published without one."""
    return [
        *(rule.sources for rule in content.rules),
        *(row.sources for row in content.recalls),
        *((one.source,) for row in content.devices for one in row.certificates),
    ]


watt_hours = st.sampled_from([Decimal(figure) for figure, _ in FIGURES if figure]) | st.decimals(
    "0.01", "250", places=2, allow_nan=False
)


@checked_often
@given(ASKED_MONOTONE, watt_hours, watt_hours, st.sampled_from(("rated", "computed")))
def test_more_watt_hours_never_make_a_verdict_less_strict(
    asked: Asked, one: Decimal, other: Decimal, basis: str
) -> None:
    content, question = asked.content, asked.question
    less, more = sorted((one, other))
    assert strictness(with_figure(content, question, more, basis), question) >= strictness(
        with_figure(content, question, less, basis), question
    )


@checked_often
@given(ASKED_MONOTONE, watt_hours)
def test_a_computed_figure_is_never_judged_less_strictly_than_a_rated_one(
    asked: Asked, figure: Decimal
) -> None:
    content, question = asked.content, asked.question
    assert strictness(with_figure(content, question, figure, "computed"), question) >= strictness(
        with_figure(content, question, figure, "rated"), question
    )


@checked_often
@given(ASKED, st.integers(1, 20), st.integers(1, 20))
def test_more_units_never_make_a_verdict_less_strict(asked: Asked, one: int, other: int) -> None:
    content, question = asked.content, asked.question
    fewer, more = sorted((one, other))
    assert strictness(content, of_unit(question, quantity=more)) >= strictness(
        content, of_unit(question, quantity=fewer)
    )


@checked_often
@given(ASKED_TRIPS)
def test_a_further_leg_never_makes_a_trip_less_strict(asked: AskedTrip) -> None:
    content, trip = asked.content, asked.trip
    corpus = Corpus(content)
    whole = STRICTNESS[evaluate_trip(corpus, trip, today=TODAY).verdict]
    for further in range(len(trip.legs)):
        legs = (*trip.legs[:further], *trip.legs[further + 1 :])
        if legs:
            without = evaluate_trip(corpus, msgspec.structs.replace(trip, legs=legs), today=TODAY)
            assert whole >= STRICTNESS[without.verdict]


# --- Unknown lies between -----------------------------------------------------------------------------------


def _lies_between(asked: Asked, fact: str, values: tuple[str, ...]) -> None:
    ranks = [strictness(asked.content, of_unit(asked.question, **{fact: value})) for value in values]
    assert ranks == sorted(ranks), f"{fact}: {dict(zip(values, ranks, strict=True))}"


@checked_often
@given(ASKED)
def test_an_unknown_mark_lies_between_present_and_absent(asked: Asked) -> None:
    _lies_between(asked, "ccc_mark", MARKS)


@checked_often
@given(ASKED)
def test_an_unknown_label_lies_between_legible_and_missing(asked: Asked) -> None:
    _lies_between(asked, "capacity_label", LABELS)


@checked_often
@given(ASKED_MONOTONE)
def test_an_unknown_condition_lies_between_intact_and_damaged(asked: Asked) -> None:
    _lies_between(asked, "condition", CONDITIONS)


@checked_often
@given(ASKED)
def test_an_unchecked_list_lies_between_one_that_clears_the_unit_and_one_that_names_it(asked: Asked) -> None:
    _lies_between(asked, "recall_check", LIST_ANSWERS)
    named = ask(asked.content, of_unit(asked.question, recall_check="affected"))
    assert named is None or named.verdict == "banned"


@checked_often
@given(ASKED_MONOTONE)
def test_a_list_that_clears_the_unit_never_gives_more_than_a_model_without_recalls_does(
    asked: Asked,
) -> None:
    cleared = of_unit(asked.question, recall_check="not_affected")
    without = msgspec.structs.replace(asked.content, recalls=())
    assert strictness(asked.content, cleared) >= strictness(without, cleared)


@checked_often
@given(ASKED)
def test_what_the_list_answered_changes_no_recall_status_and_no_rule(asked: Asked) -> None:
    answers = [ask(asked.content, of_unit(asked.question, recall_check=said)) for said in LIST_ANSWERS]
    if None in answers:
        reject()
    ranked = {
        (answer.recall_status, answer.recall_check_method, answer.path[:-1], answer.citations)
        for answer in answers
        if answer is not None
    }
    assert len(ranked) == 1
    cleared, unchecked, _ = answers
    assert cleared is not None
    assert unchecked is not None
    assert cleared.verdict == unchecked.verdict


UNDECIDED_SERIALS: tuple[dict[str, str], ...] = (
    {},
    {"serial": "X-Y"},
    {"serial_hash": "0" * 64},
    {"serial": "Å-A"},
    {"serial": "AI23A"},
)


@checked_often
@given(ASKED_MONOTONE, st.sampled_from(UNDECIDED_SERIALS), st.sampled_from((None, "https://lookup.example/")))
def test_an_undecided_serial_lies_between_a_cleared_and_an_affected_one(
    asked: Asked, undecided: dict[str, str], lookup: str | None
) -> None:
    content, question = asked.content, asked.question
    affected = AffectedSerials(
        scope="serial_pattern",
        identifier="serial",
        pattern="^A[0-9]{3}(A|B)?$",
        not_affected_pattern="^.*A$",
        explicit_list_url=lookup,
    )
    # What clears a unit of one recall may leave it undecided under another, so the model has this one alone.
    content = msgspec.structs.replace(content, recalls=())
    recalled = with_recall(content, question.unit.model_id, affected)
    known_facts: list[dict[str, str]] = [{"serial": "X-A"}, undecided, {"serial": "A123"}]
    silent: dict[str, Any] = {"serial": None, "serial_hash": None}
    ranks = [strictness(recalled, of_unit(question, **(silent | facts))) for facts in known_facts]
    assert ranks == sorted(ranks)
    assert ranks[-1] == STRICTNESS["banned"] or ask(recalled, question) is None


def with_recall(content: Content, model_id: str, affected: AffectedSerials) -> Content:
    """Return the content with one more recall."""
    sources = {source.id: source for source in (*content.sources, SOURCES[0])}
    return msgspec.structs.replace(
        content,
        recalls=(*content.recalls, recall("recall-added", model_id, affected)),
        sources=tuple(sources.values()),
    )


# --- What allowed means -------------------------------------------------------------------------------------


@checked_often
@given(ASKED, st.booleans())
def test_allowed_needs_both_permits_a_known_figure_and_citations(asked: Asked, favourable: bool) -> None:
    content, question = asked.content, asked.question
    if favourable:
        question = of_unit(
            question,
            quantity=1,
            ccc_mark="present",
            capacity_label="legible",
            condition="intact",
            recall_check="not_checked",
        )
        question = msgspec.structs.replace(question, compartment_intent="carry_on")
    answer = ask(content, question)
    if answer is None or answer.verdict != "allowed":
        reject()
    permits = [rule for rule in content.rules if rule.effect == "permit" and rule.rule_id in answer.path]
    assert any(rule.airline == question.leg.airline for rule in permits)
    authorities = {rule.jurisdiction for rule in permits if rule.issuer == "regulator"}
    assert authorities - {"INTL"} if question.leg.domestic else authorities
    assert answer.device.watt_hour is not None
    assert answer.recall_status == "not_affected"
    airline = next(row for row in content.airlines if row.airline == question.leg.airline)
    assert airline.confidence != "unverified"
    assert answer.citations
    for citation in answer.citations:
        assert all(
            (citation.kind, citation.authority, citation.jurisdiction, citation.url, citation.pulled_at)
        )


@checked_often
@given(ASKED_TRIPS)
def test_a_trip_is_as_strict_as_its_strictest_leg_and_a_leg_without_coverage_is_insufficient(
    asked: AskedTrip,
) -> None:
    content, trip = asked.content, asked.trip
    corpus = Corpus(content)
    answer = evaluate_trip(corpus, trip, today=TODAY)
    verdicts = []
    for index, leg in enumerate(trip.legs):
        question = Question(
            unit=trip.unit, leg=leg, travel_date=trip.travel_date, compartment_intent=trip.compartment_intent
        )
        try:
            alone = evaluate_leg(corpus, question, today=TODAY, connecting=index > 0)
        except AirlineNotCovered:
            assert answer.segments[index].answer is None
            assert isinstance(answer.segments[index].error, AirlineNotCovered)
            verdicts.append("insufficient")
        else:
            assert answer.segments[index].answer == alone
            verdicts.append(alone.verdict)
    assert [segment.verdict for segment in answer.segments] == verdicts
    assert answer.verdict == strictest(verdicts)  # type: ignore[arg-type]


# --- Recalls stay with their model --------------------------------------------------------------------------


@checked_often
@given(ASKED, st.sampled_from(AFFECTED_SERIALS))
def test_a_recall_never_touches_another_model_of_the_same_brand(
    asked: Asked, affected: AffectedSerials
) -> None:
    content, question = asked.content, asked.question
    own = next(row for row in content.devices if row.model_id == question.unit.model_id)
    sibling = msgspec.structs.replace(own, model_id="sibling-of-the-same-brand", aliases=(own.model_id,))
    both = msgspec.structs.replace(content, devices=(*content.devices, sibling))
    assert ask(with_recall(both, sibling.model_id, affected), question) == ask(content, question)


@checked_often
@given(ASKED_MONOTONE, st.sampled_from(AFFECTED_SERIALS))
def test_one_more_recall_never_makes_a_verdict_less_strict(asked: Asked, affected: AffectedSerials) -> None:
    content, question = asked.content, asked.question
    more = with_recall(content, question.unit.model_id, affected)
    assert strictness(more, question) >= strictness(content, question)


# --- Certificates -------------------------------------------------------------------------------------------


@checked_often
@given(ASKED, st.sampled_from(DOUBTS))
def test_one_more_suspended_or_revoked_certificate_never_makes_a_verdict_less_strict(
    asked: Asked, added: Certificate
) -> None:
    content, question = asked.content, asked.question
    assert strictness(with_certificate(content, question, added), question) >= strictness(content, question)


@checked_often
@given(ASKED, st.sampled_from(VALID))
def test_a_valid_certificate_changes_nothing_but_how_long_the_answer_holds(
    asked: Asked, added: Certificate
) -> None:
    content, question = asked.content, asked.question
    more = with_certificate(content, question, added)
    assert _said(ask(more, question)) == _said(ask(content, question))


@checked_often
@given(ASKED, st.sampled_from(DOUBTS))
def test_a_certificate_that_is_not_in_force_on_the_travel_date_changes_nothing_but_what_is_upcoming(
    asked: Asked, added: Certificate
) -> None:
    content, question = asked.content, asked.question
    started = added.since is None or added.since <= question.travel_date
    assume(not (started and (added.until is None or question.travel_date <= added.until)))
    more = with_certificate(content, question, added)
    assert _said(ask(more, question)) == _said(ask(content, question))


@checked_often
@given(ASKED, st.sampled_from(DOUBTS))
def test_an_unmarked_unit_and_a_leg_that_demands_no_mark_get_the_same_answer_whatever_the_certificates(
    asked: Asked, added: Certificate
) -> None:
    content, question = asked.content, asked.question
    undemanded = msgspec.structs.replace(
        content, rules=tuple(rule for rule in content.rules if rule.code != "ccc_mark_required")
    )
    unmarked = of_unit(question, ccc_mark="absent")
    for release, one in ((undemanded, question), (content, unmarked)):
        assert _said(ask(with_certificate(release, one, added), one)) == _said(ask(release, one))


@checked_often
@given(ASKED, st.sampled_from((*DOUBTS, *VALID)))
def test_no_answer_outlives_the_day_on_which_the_status_of_a_certificate_changes(
    asked: Asked, added: Certificate
) -> None:
    content, question = asked.content, asked.question
    answer = ask(with_certificate(content, question, added), question)
    if answer is None:
        reject()
    ends = added.until and added.until + datetime.timedelta(days=1)
    for day in (added.since, ends):
        if day is not None and day > TODAY:
            assert answer.next_change is not None
            assert answer.next_change <= day


def with_certificate(content: Content, question: Question, added: Certificate) -> Content:
    """Return the content where the model of the question has one more certificate."""
    sources = {source.id: source for source in (*SOURCES, *content.sources)}
    more = msgspec.structs.replace(
        content,
        devices=tuple(
            msgspec.structs.replace(row, certificates=(*row.certificates, added))
            if row.model_id == question.unit.model_id
            else row
            for row in content.devices
        ),
        sources=tuple(sources.values()),
    )
    assert problems(more) == []
    return more


def _said(answer: LegVerdict | None) -> tuple[Any, ...] | None:
    """Return what an answer says, without the model, what is upcoming and how long it holds."""
    if answer is None:
        return None
    warnings = [one for one in answer.warnings if one.name != "certificate_change_upcoming"]
    return (answer.verdict, answer.gaps, answer.constraints, warnings, answer.path, answer.citations)


# --- Order, and the same answer twice -----------------------------------------------------------------------


@checked_often
@given(ASKED, st.randoms(use_true_random=True))
def test_the_order_of_records_never_matters(asked: Asked, order: random.Random) -> None:
    content, question = asked.content, asked.question
    shuffled = ask(_shuffled(content, order), question)
    assert _without_numbers(shuffled) == _without_numbers(ask(content, question))


def test_the_order_of_the_whole_starter_corpus_never_matters() -> None:
    content = starter_content()
    corpus, other = Corpus(content), Corpus(_shuffled(content, random.Random(20261120)))
    for airline in content.airlines:
        leg = Leg(airline.country, "JP", airline.airline)
        for model in content.devices[:: len(content.devices) // 10]:
            question = Question(unit=Unit(model_id=model.model_id), leg=leg, travel_date=TODAY)
            answers: list[tuple[Any, ...] | str | None] = []
            for one in (corpus, other):
                try:
                    answers.append(_without_numbers(evaluate_leg(one, question, today=TODAY)))
                except AirlineNotCovered as error:
                    answers.append(error.name)
            assert answers[0] == answers[1]


@checked_often
@given(ASKED)
def test_the_ends_of_the_calendar_mean_the_same_as_open_dates(asked: Asked) -> None:
    """Editors who must fill in a date write 0001-01-01 and 9999-12-31."""
    content, question = asked.content, asked.question
    filled = tuple(
        msgspec.structs.replace(
            rule,
            effective_from=rule.effective_from or datetime.date.min,
            effective_until=rule.effective_until or datetime.date.max,
        )
        for rule in content.rules
    )
    dated = msgspec.structs.replace(content, rules=filled)
    assert problems(dated) == []
    assert ask(dated, question) == ask(content, question)


def _without_numbers(answer: LegVerdict | None) -> tuple[Any, ...] | None:
    """Return an answer with its applied rules by name: a ruleset numbers its citations in their order."""
    if answer is None:
        return None
    return (msgspec.structs.replace(answer, applied=()), tuple(rule.rule_id for rule in answer.applied))


def _shuffled(content: Content, order: random.Random) -> Content:
    fields = {name: list(getattr(content, name)) for name in content.__struct_fields__}
    for rows in fields.values():
        order.shuffle(rows)
    return Content(**{name: tuple(rows) for name, rows in fields.items()})


# --- A rule that cannot be read never just disappears -------------------------------------------------------

BROKEN: dict[str, Callable[[Rule], dict[str, Any]]] = {
    "no source": lambda rule: {"sources": ()},
    "no source that was read": lambda rule: {"sources": ("hearsay",)},
    "a source that is not there": lambda rule: {"sources": (*rule.sources, "lost")},
    "a code that nobody knows": lambda rule: {"code": "carry_on_perhaps", "effect": "require"},
    "a code that rules cannot have": lambda rule: {"code": "recall_serial_check", "effect": "require"},
    "no code": lambda rule: {"code": None, "effect": "prohibit"},
    "a permit with a code": lambda rule: {"code": "carry_on_only", "effect": "permit"},
    "an effect that its code does not have": lambda rule: {"code": "carry_on_only", "effect": "prohibit"},
    "a limit without a number": lambda rule: {"code": "max_units", "effect": "require", "params": Params()},
    "a limit of nothing": lambda rule: {
        "code": "max_units",
        "effect": "require",
        "params": Params(max_units=0),
    },
    "a parameter too many": lambda rule: {
        "code": "carry_on_only",
        "effect": "require",
        "params": Params(max_units=1),
    },
    "no scope": lambda rule: {"applies": ()},
    "a scope of another issuer": lambda rule: {
        "applies": ("departure",) if rule.issuer == "airline" else ("airline",)
    },
    "a baseline that departs": lambda rule: {
        "issuer": "regulator",
        "airline": None,
        "jurisdiction": "INTL",
        "applies": ("departure",),
    },
    "a jurisdiction that is not there": lambda rule: {"jurisdiction": "XX"},
    "an airline that is not there": lambda rule: {
        "issuer": "airline",
        "airline": "Q9",
        "applies": ("airline",),
    },
    "an end before its start": lambda rule: {
        "effective_from": TODAY,
        "effective_until": TODAY.replace(year=TODAY.year - 1),
    },
    "bounds with nothing between them": lambda rule: {
        "when": When(watt_hour_over=Decimal(160), watt_hour_up_to=Decimal(100))
    },
    "two lower bounds": lambda rule: {"when": When(watt_hour_over=Decimal(1), watt_hour_at_least=Decimal(2))},
    "a bound finer than a hundredth": lambda rule: {"when": When(watt_hour_over=Decimal("99.999"))},
    "no compartment at all": lambda rule: {"when": When(compartment=())},
    "a quantity that cannot be asked": lambda rule: {"when": When(quantity_over=0)},
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
@settings(max_examples=20, deadline=None)
@given(WORLDS, st.integers(0, 99))
def test_a_rule_that_cannot_be_read_makes_the_release_unpublishable(
    broken: Callable[[Rule], dict[str, Any]], content: Content, at: int
) -> None:
    rule = content.rules[at % len(content.rules)]
    changed = msgspec.structs.replace(rule, **broken(rule))
    spoilt = msgspec.structs.replace(
        content, rules=tuple(changed if row is rule else row for row in content.rules)
    )
    assert f"rule {rule.rule_id}" in {problem.where for problem in problems(spoilt)}


UNREADABLE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "an effect that nobody knows": lambda rule: rule.update(effect="tolerate"),
    "a scope that nobody knows": lambda rule: rule.update(applies=["overflight"]),
    "a field that nobody knows": lambda rule: rule.update(unless="damaged"),
    "a condition that nobody knows": lambda rule: rule.update(when={"watt_hours_over": "100"}),
    "a compartment that nobody knows": lambda rule: rule.update(when={"compartment": ["hold"]}),
    "a figure that is no number": lambda rule: rule.update(when={"watt_hour_over": "much"}),
    "a parameter that nobody knows": lambda rule: rule.update(params={"max_unit": 2}),
    "a date that is none": lambda rule: rule.update(effective_from="2027-02-30"),
    "no effect": lambda rule: rule.pop("effect"),
}


@pytest.mark.parametrize("broken", UNREADABLE.values(), ids=UNREADABLE)
@settings(max_examples=10, deadline=None)
@given(WORLDS, st.integers(0, 99))
def test_a_document_with_words_that_the_engine_does_not_know_is_refused_whole(
    broken: Callable[[dict[str, Any]], Any], content: Content, at: int
) -> None:
    document = ReleaseDocument(ruleset_version="2027-03-01", predecessor=None, content=content)
    plain = builtins(document)
    assert decode(msgspec.json.encode(plain)) == document
    rules = plain["content"]["rules"]
    broken(rules[at % len(rules)])
    with pytest.raises(UnreadableDocument):
        decode(msgspec.json.encode(plain))
