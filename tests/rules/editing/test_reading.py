"""How rules read, to editors and to travelers."""

import datetime
import re
from decimal import Decimal
from typing import Any, get_args

import msgspec
import pytest
from django.conf import settings as django_settings
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from recalls.serials import RecallStatus
from rules.editing.rule_sentence import CONDITIONS, RECALL_STATUSES, reads_as, travelers_read
from rules.engine.facts import INTERNATIONAL, Params, Rule, When
from rules.engine.vocabulary import (
    CODES,
    EFFECT_OF_NATURE,
    Compartment,
    Confidence,
    Scope,
    UnitCondition,
)
from tests.support.starter import starter_content

CONTENT = starter_content()
AIRLINES = {airline.airline: airline.name for airline in CONTENT.airlines}
PLACES = {country.code: country.name for country in CONTENT.countries} | {
    place.code: place.name for place in CONTENT.jurisdictions
}

QATAR = Rule(
    rule_id="qr.max-one",
    issuer="airline",
    authority="Qatar Airways",
    jurisdiction="QA",
    airline="QR",
    applies=("airline",),
    effect="require",
    code="max_units",
    params=Params(max_units=1),
    effective_from=datetime.date(2026, 12, 1),
    summary="One unit.",
    confidence="confirmed",
    sources=("qr-page",),
)


def read(rule: Rule) -> str:
    return reads_as(rule, airline=AIRLINES.get(rule.airline or ""), place=PLACES.get(rule.jurisdiction))


def meaning(rule: Rule) -> Any:
    """Return what a rule says: all but what names and backs it. The order of a choice means nothing."""
    says = msgspec.to_builtins(rule, builtin_types=())
    for left_out in ("rule_id", "sources", "summary"):
        del says[left_out]
    says["applies"] = sorted(says["applies"])
    for name in ("compartment", "recall_status", "condition", "model"):
        if name in says["when"]:
            says["when"][name] = sorted(says["when"][name])
    numbers = (rule.when.watt_hour_over, rule.when.watt_hour_at_least, rule.when.watt_hour_up_to)
    says["when"] = [{name: value for name, value in says["when"].items() if "watt_hour" not in name}, numbers]
    says["params"] = (rule.params.max_units, rule.params.limit_watt_hour)
    return says


def some(words: Any) -> st.SearchStrategy[Any]:
    chosen = st.lists(st.sampled_from(get_args(words)), min_size=1, unique=True).map(tuple)
    return st.none() | chosen


def says_of(code: str | None) -> dict[str, Any]:
    if code is None:
        return {"effect": "permit", "code": None}
    return {"effect": EFFECT_OF_NATURE[CODES[code].nature], "code": code}


CODES_OF_RULES = [code.name for code in CODES.values() if code.from_rules]
AMOUNTS = st.none() | st.sampled_from([Decimal(text) for text in ("99.9", "100", "100.01", "160")])
MODELS = st.none() | st.lists(
    st.sampled_from(["lynx-10k", "lynx-27k", "puma-30k"]), min_size=1, unique=True
).map(tuple)
SOMEWHERE = [scope for scope in get_args(Scope) if scope not in ("airline", "global")]
DAYS = st.none() | st.dates(datetime.date(2024, 1, 1), datetime.date(2027, 12, 31))


@st.composite
def rules(draw: st.DrawFn, baseline: bool = False) -> Rule:
    """Any rule whose words fit together, whether or not its numbers leave it anything to speak of."""
    airline = draw(st.sampled_from([None, "QR", "LH"]))
    ways = st.lists(st.sampled_from(SOMEWHERE), min_size=1, unique=True).map(tuple)
    applies = ("global",) if baseline else draw(ways)
    says = says_of(draw(st.sampled_from([None, *CODES_OF_RULES])))
    parameter = CODES[says["code"]].parameter if says["code"] else None
    return Rule(
        rule_id="a.rule",
        issuer="airline" if airline else "regulator",
        authority=draw(st.sampled_from(["Qatar Airways", "Civil Aviation Authority", "Office, Taiwan"])),
        jurisdiction=INTERNATIONAL if baseline else draw(st.sampled_from(["QA", "DE", "US"])),
        airline=airline,
        applies=("airline",) if airline else applies,
        when=When(
            watt_hour_over=draw(AMOUNTS),
            watt_hour_at_least=draw(AMOUNTS),
            watt_hour_up_to=draw(AMOUNTS),
            compartment=draw(some(Compartment)),
            recall_status=draw(some(RecallStatus)),
            condition=draw(some(UnitCondition)),
            certification_missing=draw(st.sampled_from([None, "CCC"])),
            quantity_over=draw(st.none() | st.integers(1, 20)),
            model=draw(MODELS),
        ),
        **says,
        params=Params(
            max_units=draw(st.integers(1, 20)) if parameter == "max_units" else None,
            limit_watt_hour=draw(AMOUNTS.filter(bool)) if parameter == "limit_watt_hour" else None,
        ),
        effective_from=draw(DAYS),
        effective_until=draw(DAYS),
        summary="",
        confidence=draw(st.sampled_from(get_args(Confidence))),
        sources=(),
    )


PARTS = ("authority", "jurisdiction", "effective_from", "effective_until", "confidence")


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[Rule, Rule]:
    """Two rules that differ in one thing at most: what a sentence could most easily leave unsaid."""
    # The baseline alone applies everywhere, so its sentences name no place.
    both = rules(baseline=draw(st.booleans()))
    one, other = draw(both), draw(both)
    part = draw(st.sampled_from([*PARTS, "who", "says", *When.__struct_fields__]))
    borrowed: tuple[str, ...] = (part,)
    if part == "who":
        borrowed = ("issuer", "airline", "applies")
    elif part == "says":
        borrowed = ("effect", "code", "params")
    elif part not in PARTS:
        when = msgspec.structs.replace(one.when, **{part: getattr(other.when, part)})
        return one, msgspec.structs.replace(one, when=when)
    return one, msgspec.structs.replace(one, **{name: getattr(other, name) for name in borrowed})


def test_an_airline_rule_reads_as_a_sentence() -> None:
    assert reads_as(QATAR, airline="Qatar Airways", place="Qatar") == (
        "Qatar Airways (QR, Qatar) limits each passenger to 1 power bank in any compartment, "
        "on all its flights, from 1 December 2026 (confirmed)."
    )


def test_a_regulator_rule_names_each_way_in_which_it_applies() -> None:
    rule = Rule(
        rule_id="us.faa.x",
        issuer="regulator",
        authority="Federal Aviation Administration",
        jurisdiction="US",
        applies=("operator", "domestic", "departure"),
        when=When(
            watt_hour_over=Decimal("100.00"),
            watt_hour_up_to=Decimal(160),
            compartment=("on_person", "carry_on"),
            condition=("unknown", "damaged"),
            quantity_over=2,
        ),
        effect="require",
        code="airline_approval_required",
        effective_until=datetime.date(2026, 12, 31),
        summary="",
        confidence="reported",
        sources=(),
    )
    assert reads_as(rule, place="United States") == (
        "The Federal Aviation Administration requires power banks of more than 100 Wh and up to 160 Wh that "
        "are damaged or are in an unknown condition, in a cabin bag or on the person, to be approved by the "
        "airline before the flight if one passenger carries more than 2, on departures from the United "
        "States, on flights within it and on flights of airlines based there, through 31 December 2026 "
        "(reported, not confirmed)."
    )


def test_one_unit_is_spoken_of_as_one() -> None:
    rule = msgspec.structs.replace(QATAR, when=When(condition=("damaged",), certification_missing="CCC"))
    assert "1 power bank that is damaged, and that does not show a CCC mark, in any" in read(rule)


def test_models_that_a_rule_names_are_named() -> None:
    rule = msgspec.structs.replace(
        QATAR, when=When(model=("anker-a1647", "anker-a1681")), code="switched_off"
    )
    rule = msgspec.structs.replace(rule, params=Params())
    assert "requires power banks that are anker-a1647 or anker-a1681, in any compartment, to" in read(rule)


def test_every_rule_of_the_starter_corpus_reads_as_one_sentence_of_its_own() -> None:
    sentences = [read(rule) for rule in CONTENT.rules]
    assert len(sentences) >= 1201
    for sentence in sentences:
        assert re.fullmatch(r"\S.* (permits|requires|limits|prohibits|advises) .+ \(\w[\w, ]*\)\.", sentence)
        assert not re.search(r"  | ,|,,|,\.|None|_|\.\.|\bWh Wh\b|\{|\bthe the\b", sentence), sentence
        assert sentence.count("(") == sentence.count(")")
    differing = {msgspec.json.encode(meaning(rule)) for rule in CONTENT.rules}
    assert len(set(sentences)) == len(differing)


@given(near_pairs())
def test_rules_read_alike_only_where_they_say_the_same(pair: tuple[Rule, Rule]) -> None:
    one, other = pair
    assert (read(one) == read(other)) == (meaning(one) == meaning(other)), (one, other)


@given(rules())
def test_every_condition_that_is_set_is_named(rule: Rule) -> None:
    sentence, when = read(rule), rule.when
    named = [
        *(f"more than {when.watt_hour_over.normalize():f} Wh" for _ in [0] if when.watt_hour_over),
        *(f"{when.watt_hour_at_least.normalize():f} Wh or more" for _ in [0] if when.watt_hour_at_least),
        *(f"up to {when.watt_hour_up_to.normalize():f} Wh" for _ in [0] if when.watt_hour_up_to),
        *(f"carries more than {when.quantity_over}" for _ in [0] if when.quantity_over),
        *(f"{when.certification_missing} mark" for _ in [0] if when.certification_missing),
        *(str(rule.effective_from.year) for _ in [0] if rule.effective_from),
        *(str(rule.effective_until.year) for _ in [0] if rule.effective_until),
    ]
    for words in named:
        assert words in sentence
    for model in when.model or ():
        assert model in sentence
    for condition in when.condition or ():
        assert any(words in sentence for words in CONDITIONS[condition])
    for status in when.recall_status or ():
        assert any(words in sentence for words in RECALL_STATUSES[status])
    for compartment, words in (
        ("carry_on", "cabin bag"),
        ("on_person", "on the person"),
        ("checked", "checked b"),
    ):
        if compartment in (when.compartment or ()):
            assert words in sentence


@given(rules())
def test_a_sentence_is_grammar_whatever_the_rule(rule: Rule) -> None:
    sentence = read(rule)
    assert not re.search(r"  | ,|,,|,\.|None|_|\.\.|\{|\bthe the\b|\bof of\b", sentence), sentence
    assert sentence[0].isupper()
    assert sentence.endswith(").")


@pytest.mark.parametrize("code", CODES_OF_RULES)
def test_travelers_read_the_sentence_of_each_code_in_every_language(code: str) -> None:
    parameter = CODES[code].parameter
    params = {"max_units": Params(max_units=2), "limit_watt_hour": Params(limit_watt_hour=Decimal(160))}
    says = {**says_of(code), "params": params.get(str(parameter), Params())}
    messages = travelers_read(msgspec.structs.replace(QATAR, **says))
    assert [message.language for message in messages] == [name for name, _ in django_settings.LANGUAGES]
    assert messages[0].language_name == "English"
    assert all(message.text is not None for message in messages)
    assert len({message.text for message in messages}) == len(messages)


def test_travelers_read_the_parameter_and_the_watt_hours_it_is_for() -> None:
    rule = msgspec.structs.replace(QATAR, when=When(watt_hour_over=Decimal(100)))
    assert travelers_read(rule)[0].text == "At most 1 power bank over 100 Wh per passenger."


def test_a_permit_reads_as_the_answers_that_it_makes_possible() -> None:
    says = {**says_of(None), "params": Params(), "when": When(compartment=("on_person", "carry_on"))}
    assert travelers_read(msgspec.structs.replace(QATAR, **says))[0].text == (
        "Allowed in your cabin bag on this flight. Allowed on your person on this flight."
    )


def test_a_language_without_a_translation_is_shown_as_such_and_never_in_english(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
    english, dutch = travelers_read(QATAR)
    assert english.text == "At most 1 power bank per passenger."
    assert (dutch.language_name, dutch.text) == ("Nederlands", None)
