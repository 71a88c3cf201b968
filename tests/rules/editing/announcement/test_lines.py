"""The lines of the checklist make exactly the rules that the starter corpus has for such sentences."""

import datetime
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.editing.announcement.lines import (
    CABIN,
    Candidate,
    Said,
    candidates,
    demands,
    says_the_same,
    topic_of,
)
from rules.editing.announcement.proposals import Notice, Outcome, Proposal, Refusal, propose
from rules.editing.rule_sentence import Names
from rules.engine.facts import Rule, When
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE
from tests.support.factories import a_rule
from tests.support.starter import starter_content

NAMES = Names({}, {})
TODAY = datetime.date(2026, 11, 28)
MARCH = datetime.date(2027, 3, 1)
WITHOUT_A_LINE = "advise"


def said_of(rule: Rule) -> Said | None:
    """Return what an editor types to say what a rule says; None if no line is about it."""
    when, code = rule.when, rule.code
    if topic_of(rule) is None or rule.effect == WITHOUT_A_LINE:
        return None
    if code is None and when.watt_hour_over is None:
        return Said(up_to=when.watt_hour_up_to)
    if code in (None, "airline_approval_required"):
        return Said(up_to=when.watt_hour_over, approval_to=when.watt_hour_up_to)
    if code == "over_watt_hour_limit":
        return Said(refused=rule.params.limit_watt_hour, refused_from=when.watt_hour_at_least is not None)
    if code == "max_units" and when.watt_hour_over is not None:
        return Said(
            band_units=rule.params.max_units, band_over=when.watt_hour_over, band_up_to=when.watt_hour_up_to
        )
    if code == "max_units":
        return Said(units=rule.params.max_units)
    return Said(demands=(code,)) if code in demands() else None


def deciding(rule: Rule | Candidate) -> tuple[object, ...]:
    return rule.effect, rule.code, rule.when, rule.params


ODD = {
    # From exactly 100 Wh on, where the permit of the same page begins above it.
    "ac.approval-100-160wh",
    # 20 units of up to 100 Wh, until 2026.
    "th.caat.max-20-until-2026",
    # Recalled models as well as units that may be recalled.
    "cn.caac.2025.recalled-domestic",
}
"""Rules that no line says: they are written in the form of a rule."""


def test_the_checklist_makes_every_rule_of_the_starter_corpus_that_a_line_is_about() -> None:
    covered: Counter[str] = Counter()
    missed = []
    for rule in starter_content().rules:
        said = said_of(rule)
        if said is None:
            continue
        covered[rule.code or "permit"] += 1
        if deciding(rule) not in [deciding(one) for one in candidates(said)]:
            missed.append(rule.rule_id)
    assert set(missed) == ODD
    assert covered.total() > 1_100
    assert set(demands()) < {*covered, "un38_3_type_tested"}


def test_a_line_that_is_left_open_makes_no_rule() -> None:
    assert list(candidates(Said())) == []
    assert list(candidates(Said(approval_to=Decimal(160), band_units=2, band_up_to=Decimal(160)))) == []


def test_every_demand_of_the_registry_is_a_line() -> None:
    """A code that is added to the registry is on the checklist without another step."""
    required = {
        code.name
        for code in CODES.values()
        if code.from_rules and EFFECT_OF_NATURE.get(code.nature) == "require" and code.parameter is None
    }
    assert required - set(demands()) == {"airline_approval_required"}


# --- What candidates mean for the rules that are there ----------------------------------------------------

NOTICE = Notice(
    issuer="airline",
    authority="Northwing",
    jurisdiction="XA",
    airline="N1",
    applies=("airline",),
    prefix="n1",
    effective_from=MARCH,
    effective_until=None,
    confidence="reported",
    source="n1-notice",
    quote=("one unit", ""),
)
ONE_UNIT = Said(units=1)


def two_units(**changes: Any) -> Rule:
    (made,) = candidates(Said(units=2))
    known: dict[str, Any] = {"rule_id": "n1.max-units", "effect": "require", "code": "max_units"}
    return a_rule(**known | {"when": made.when, "params": made.params} | changes)


def proposed(
    said: Said, *agreed: Rule, notice: Notice = NOTICE, open_rules: tuple[Rule, ...] = ()
) -> list[Proposal | Refusal]:
    ids = {rule.rule_id for rule in (*agreed, *open_rules)}
    return propose(
        notice,
        candidates(said),
        agreed=agreed,
        open_rules=open_rules,
        ids=ids,
        names=NAMES,
        today=TODAY,
    )


def only(found: list[Proposal | Refusal]) -> Proposal:
    (one,) = found
    assert isinstance(one, Proposal), one
    return one


def test_a_rule_that_the_issuer_does_not_have_is_new() -> None:
    found = only(proposed(ONE_UNIT))
    assert (found.outcome, found.rule.rule_id, found.rule.sources) == (
        Outcome.NEW,
        "n1.max-units",
        ("n1-notice",),
    )
    assert (found.rule.effective_from, found.rule.quotes[0].words) == (MARCH, "one unit")
    assert found.rule.summary == (
        "Northwing, for N1 (XA), limits each passenger to 1 power bank in a cabin bag or on the person, "
        "on all its flights, from 1 March 2027."
    )


def test_what_begins_later_ends_the_published_rule_on_the_day_before() -> None:
    found = only(proposed(ONE_UNIT, two_units()))
    assert found.outcome is Outcome.SUCCEEDS
    assert found.ended == replace(
        two_units(), effective_until=datetime.date(2027, 2, 28), sources=("northwing-page", "n1-notice")
    )
    assert found.rule.rule_id == "n1.2027.max-units"


def test_what_is_in_force_already_is_a_revision_of_the_published_rule() -> None:
    began = NOTICE._replace(effective_from=datetime.date(2026, 11, 1))
    found = only(proposed(ONE_UNIT, two_units(), notice=began))
    assert (found.outcome, found.rule.rule_id) == (Outcome.REVISES, "n1.max-units")
    assert (found.rule.params.max_units, found.rule.sources) == (1, ("n1-notice",))
    assert list(found.drafted) == []


def test_without_a_day_the_days_of_the_published_rule_stay() -> None:
    since = datetime.date(2025, 10, 1)
    undated = NOTICE._replace(effective_from=None)
    found = only(proposed(ONE_UNIT, two_units(effective_from=since), notice=undated))
    assert (found.outcome, found.rule.effective_from) == (Outcome.REVISES, since)


def test_what_is_published_already_makes_no_draft() -> None:
    for figure in ("100", "100.0", "100.00"):
        published = replace(
            a_rule(rule_id="n1.x"), when=When(watt_hour_up_to=Decimal(100), compartment=CABIN)
        )
        found = only(proposed(Said(up_to=Decimal(figure)), published))
        assert (found.outcome, [*found.drafted, *found.revised]) == (Outcome.KNOWN, [])


def test_the_same_for_more_days_widens_the_published_rule() -> None:
    published = two_units(
        effective_from=datetime.date(2027, 6, 1), effective_until=datetime.date(2027, 12, 31)
    )
    found = only(proposed(Said(units=2), published))
    assert found.outcome is Outcome.REVISES
    assert (found.rule.effective_from, found.rule.effective_until) == (MARCH, None)


def test_what_ends_earlier_than_the_published_rule_stays_beside_it() -> None:
    summer = NOTICE._replace(effective_until=datetime.date(2027, 8, 31))
    found = only(proposed(ONE_UNIT, two_units(), notice=summer))
    assert (found.outcome, found.ended, list(found.revised)) == (Outcome.BESIDE, None, [])


def test_a_permit_that_ends_earlier_than_the_published_one_is_refused() -> None:
    """Next to a wider permit it would say nothing."""
    published = replace(a_rule(rule_id="n1.x"), when=When(watt_hour_up_to=Decimal(160), compartment=CABIN))
    summer = NOTICE._replace(effective_until=datetime.date(2027, 8, 31))
    (refused,) = proposed(Said(up_to=Decimal(100)), published, notice=summer)
    assert isinstance(refused, Refusal)
    assert refused.line == "up_to"
    assert "leave “Until” open" in str(refused.refused)


def test_an_open_draft_about_the_same_refuses_the_line() -> None:
    (refused,) = proposed(ONE_UNIT, open_rules=(two_units(rule_id="n1.units-draft"),))
    assert isinstance(refused, Refusal)
    assert str(refused.refused).startswith("n1.units-draft: has an open draft about this")


def test_two_published_rules_about_the_same_refuse_the_line() -> None:
    (refused,) = proposed(ONE_UNIT, two_units(), two_units(rule_id="n1.units"))
    assert isinstance(refused, Refusal)
    assert "revise them one by one" in str(refused.refused)


def test_a_notice_without_a_day_is_of_now_and_lets_the_past_alone() -> None:
    ended = two_units(rule_id="n1.past", effective_until=datetime.date(2026, 11, 27))
    undated = NOTICE._replace(effective_from=None)
    assert only(proposed(ONE_UNIT, ended, two_units(), notice=undated)).rule.rule_id == "n1.max-units"


def test_rules_of_other_flights_models_and_days_are_let_alone() -> None:
    over = two_units(rule_id="n1.past", effective_until=datetime.date(2027, 2, 28))
    named = two_units(rule_id="n1.named")
    named = replace(named, when=replace(named.when, model=("lynx-10k",)))
    assert only(proposed(ONE_UNIT, over, named)).outcome is Outcome.NEW


# --- Whatever the days ------------------------------------------------------------------------------------

DAYS = st.none() | st.dates(datetime.date(2026, 1, 1), datetime.date(2028, 1, 1))


@st.composite
def periods(draw: st.DrawFn) -> tuple[datetime.date | None, datetime.date | None]:
    first, last = draw(DAYS), draw(DAYS)
    return (last, first) if first and last and first > last else (first, last)


def in_force(rules: list[Rule], day: datetime.date) -> Iterator[int]:
    return (rule.params.max_units or 0 for rule in rules if rule.in_force(day))


@given(notice=periods(), published=periods(), before=st.integers(1, 3), now=st.integers(1, 3))
def test_no_day_loses_its_limit_and_each_day_of_the_notice_has_its_own(
    notice: tuple[datetime.date | None, datetime.date | None],
    published: tuple[datetime.date | None, datetime.date | None],
    before: int,
    now: int,
) -> None:
    """Each later day with a limit still has one, and each day of the notice has one as strict as it."""
    old = two_units(effective_from=published[0], effective_until=published[1])
    old = replace(old, params=replace(old.params, max_units=before))
    of_notice = NOTICE._replace(effective_from=notice[0], effective_until=notice[1])
    found = only(proposed(Said(units=now), old, notice=of_notice))
    changed = {rule.rule_id: rule for rule in (*found.drafted, *found.revised)}
    after = list({old.rule_id: old, **changed}.values())
    whole = a_rule(effective_from=notice[0], effective_until=notice[1])
    for day in (TODAY + datetime.timedelta(days=step) for step in range(0, 500, 7)):
        if any(in_force([old], day)):
            assert any(in_force(after, day)), (found.outcome, day)
        if whole.in_force(day) and notice[0] is not None:
            assert min(in_force(after, day), default=99) <= now, (found.outcome, day)


def test_says_the_same_whatever_the_order_of_places() -> None:
    turned = replace(two_units(), when=When(compartment=("on_person", "carry_on")))
    assert says_the_same(turned, two_units())


@pytest.mark.parametrize("figure", ["99.99", "100", "160.5"])
def test_ids_are_spelled_as_ids_are(figure: str) -> None:
    for one in candidates(Said(up_to=Decimal(figure), refused=Decimal(figure))):
        assert replace(a_rule(), rule_id=f"n1.{one.stem}").rule_id.replace(".", "-").islower()
        assert "." not in one.stem
