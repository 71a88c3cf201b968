"""A gap is where the engine has no permit and no ban: the analysis and the engine agree cell by cell."""

import datetime
import functools
from decimal import Decimal

import msgspec
import pytest

from rules.analysis.checks import findings
from rules.analysis.checks.gaps import WHERE, Cell, open_cells
from rules.analysis.checks.reach import Reach, by_issuer
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import INTERNATIONAL, Country, Device, Leg, Question, Rule, Unit, When
from rules.engine.vocabulary import Compartment
from tests.support.starter import NOW, starter_content

TODAY = NOW.date()
FIGURES = ("0.01", "20", "99.99", "100", "100.01", "130", "160", "160.01", "500")
QUANTITIES = (1, 2, 3, 20)
ELSEWHERE = Country(code="XX", name="A country without rules")
MODELS = tuple(
    Device(
        model_id=f"m-{figure.replace('.', '-')}",
        brand="B",
        model_name="M",
        watt_hour=Decimal(figure),
        watt_hour_basis="rated",
        sources=(),
    )
    for figure in FIGURES
)


def rules_of(airline: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in starter_content().rules if rule.airline == airline)


@functools.cache
def baseline() -> tuple[Rule, ...]:
    return tuple(rule for rule in starter_content().rules if rule.jurisdiction == INTERNATIONAL)


def harmless(model_id: str, leg: Leg, compartment: Compartment, quantity: int) -> Question:
    unit = Unit(
        model_id=model_id,
        quantity=quantity,
        ccc_mark="present",
        capacity_label="legible",
        condition="intact",
    )
    return Question(unit=unit, leg=leg, travel_date=TODAY, compartment_intent=compartment)


def holds(cell: Cell, where: str, figure: str, quantity: int) -> bool:
    hundredths = int(Decimal(figure) * 100)
    return (
        cell.where == where
        and cell.watt_hour[0] <= hundredths <= cell.watt_hour[1]
        and cell.quantity[0] <= quantity <= cell.quantity[1]
    )


def reaches(rules: tuple[Rule, ...]) -> list[Reach]:
    return [one for group in by_issuer(rules).values() for one in group]


@pytest.mark.parametrize(
    "code", [airline.airline for airline in starter_content().airlines if rules_of(airline.airline)]
)
def test_an_airline_has_a_gap_exactly_where_the_engine_misses_its_permit(code: str) -> None:
    airline = next(row for row in starter_content().airlines if row.airline == code)
    own = rules_of(code)
    # Nobody but the baseline and the airline speaks in a country without rules.
    corpus = Corpus(
        Content(
            countries=(ELSEWHERE, Country(code=airline.country, name="Home")),
            sources=starter_content().sources,
            airlines=(airline,),
            devices=MODELS,
            rules=(*baseline(), *own),
        )
    )
    cells = list(open_cells(reaches(own), reaches(baseline()), TODAY))
    leg = Leg("XX", "XX", code)
    for compartment, where in WHERE.items():
        for figure, model in zip(FIGURES, MODELS, strict=True):
            for quantity in QUANTITIES:
                outcome = evaluate_leg(
                    corpus, harmless(model.model_id, leg, compartment, quantity), today=TODAY
                )
                missing = outcome.verdict != "banned" and "no_airline_permit" in outcome.gaps
                found = any(holds(cell, where, figure, quantity) for cell in cells)
                assert found == missing, (code, where, figure, quantity)


def found(content: Content, kind: str, subject: str, today: datetime.date = TODAY) -> list[str]:
    return [one.says for one in findings(content, today=today) if (one.kind, one.subject) == (kind, subject)]


def test_a_gap_is_told_in_one_sentence() -> None:
    assert found(starter_content(), "gap", "5J") == [
        "No rule permits or prohibits a power bank over 100 and up to 160 Wh in the cabin, 1 to 2 units "
        "for Cebu Pacific."
    ]
    assert found(starter_content(), "gap", "SQ") == []


def test_what_is_said_of_named_models_alone_closes_no_gap() -> None:
    content = starter_content()
    permit = next(rule for rule in content.rules if rule.rule_id == "5j.carry-on-up-to-100wh")
    named = msgspec.structs.replace(permit, rule_id="5j.named", when=When(model=("anker-a1289",)))
    wider = msgspec.structs.replace(content, rules=(*content.rules, named))
    assert found(wider, "gap", "5J") == found(content, "gap", "5J") != []


def test_a_gap_is_not_said_to_end_where_nothing_but_advice_begins() -> None:
    assert any(
        rule.effect == "advise"
        and rule.jurisdiction == INTERNATIONAL
        and rule.effective_from
        and rule.effective_from > TODAY
        for rule in starter_content().rules
    )
    assert not any("until" in says for says in found(starter_content(), "gap", "5J"))


def test_a_gap_that_opens_later_is_told_with_its_date() -> None:
    ends = datetime.date(2027, 1, 31)
    rules = tuple(
        msgspec.structs.replace(rule, effective_until=ends)
        if rule.airline == "SQ" and rule.effect == "permit"
        else rule
        for rule in starter_content().rules
    )
    sentences = found(msgspec.structs.replace(starter_content(), rules=rules), "gap", "SQ")
    assert sentences
    assert all(sentence.endswith("for Singapore Airlines from 2027-02-01.") for sentence in sentences)


def test_a_domestic_gap_is_found_where_only_the_baseline_permits() -> None:
    assert any(
        "a flight within Japan" in sentence for sentence in found(without_permits_of("JP"), "gap", "JP")
    )
    assert not any("up to 100 Wh" in sentence for sentence in found(starter_content(), "gap", "JP"))


def without_permits_of(jurisdiction: str) -> Content:
    content = starter_content()
    kept = tuple(
        rule for rule in content.rules if not (rule.jurisdiction == jurisdiction and rule.effect == "permit")
    )
    return msgspec.structs.replace(content, rules=kept)
