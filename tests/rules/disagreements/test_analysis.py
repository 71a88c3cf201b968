"""Where two rules of one issuer contradict each other, the analysis proposes a disagreement between them."""

from decimal import Decimal

import msgspec

from rules.analysis.checks import Finding, findings
from rules.disagreements.forms import proposed
from rules.engine.disagreements import About, Disagreement, Side
from rules.engine.document import Content
from rules.engine.facts import Params, When
from tests.support.factories import a_disagreement, a_rule
from tests.support.starter import NOW, starter_content

TWO = a_rule(
    rule_id="sq.two",
    airline="SQ",
    jurisdiction="SG",
    authority="Singapore Airlines",
    effect="require",
    code="max_units",
    params=Params(max_units=2),
    when=When(quantity_over=7),
    summary="Two units.",
    sources=("tsa-lithium-100wh",),
)
ONE = msgspec.structs.replace(
    TWO, rule_id="sq.one", params=Params(max_units=1), summary="One unit.", sources=("wn-islands-2025-05",)
)


def contradiction(*disagreements: Disagreement) -> Finding:
    """Return what is found of the two rules, given what disagreements there are."""
    content: Content = msgspec.structs.replace(
        starter_content(), rules=(*starter_content().rules, ONE, TWO), disagreements=disagreements
    )
    (found,) = [
        one
        for one in findings(content, today=NOW.date())
        if one.kind == "contradiction" and set(one.rule_ids) == {ONE.rule_id, TWO.rule_id}
    ]
    return found


def test_a_contradiction_proposes_one_until_a_disagreement_names_the_rule() -> None:
    assert contradiction().proposes_disagreement
    assert contradiction(a_disagreement(applied="n1.cabin-up-to-160wh")).proposes_disagreement
    for applied in (ONE.rule_id, TWO.rule_id):
        assert not contradiction(a_disagreement(applied=applied)).proposes_disagreement


def test_the_finding_stays_the_same_finding_so_an_acceptance_holds() -> None:
    assert contradiction(a_disagreement(applied=ONE.rule_id)).key == contradiction().key


def test_what_is_proposed_applies_the_stricter_rule_and_leaves_the_reason_to_the_editor() -> None:
    for rules in ((ONE, TWO), (TWO, ONE)):
        assert proposed(*rules) == Disagreement(
            id="sq-one",
            about=About(airline="SQ"),
            question="Which of these does Singapore Airlines require?",
            sides=(
                Side(says="One unit.", sources=("wn-islands-2025-05",)),
                Side(says="Two units.", sources=("tsa-lithium-100wh",)),
            ),
            applied="sq.one",
            because="",
        )


def test_a_prohibition_is_stricter_than_a_permit_and_authorities_are_named_by_their_place() -> None:
    permit = a_rule(rule_id="xa.permit", issuer="regulator", airline=None, applies=("departure",))
    ban = msgspec.structs.replace(
        permit,
        rule_id="xa.ban",
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(160)),
    )
    found = proposed(permit, ban)
    assert (found.applied, found.about) == ("xa.ban", About(jurisdiction="XA"))
