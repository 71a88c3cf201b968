"""What an editor is told of a ruleset before anyone asks it."""

import datetime
from decimal import Decimal

import msgspec
import pytest

from rules.analysis.checks import KINDS, Finding, findings
from rules.engine.document import Content
from rules.engine.facts import Params, Rule, When
from tests.support.starter import NOW, starter_content

TODAY = NOW.date()
SQ = {rule.rule_id: rule for rule in starter_content().rules if rule.airline == "SQ"}
PERMIT = next(rule for rule in SQ.values() if rule.effect == "permit" and rule.when.watt_hour_over is None)


def with_rules(*rules: Rule) -> Content:
    """Return the starter corpus with some more rules of Singapore Airlines."""
    content = starter_content()
    return msgspec.structs.replace(content, rules=(*content.rules, *rules))


def rule(name: str, **fields: object) -> Rule:
    return msgspec.structs.replace(PERMIT, rule_id=f"sq.{name}", **fields)


def new(content: Content, kind: str, today: datetime.date = TODAY) -> list[Finding]:
    """Return the findings of one kind that the starter corpus does not have."""
    known = {one.key for one in findings(starter_content(), today=TODAY)}
    return [one for one in findings(content, today=today) if one.kind == kind and one.key not in known]


def test_every_finding_of_the_starter_corpus_names_what_to_mend() -> None:
    all_found = findings(starter_content(), today=TODAY)
    assert all_found
    keys = [one.key for one in all_found]
    assert len(keys) == len(set(keys))
    subjects = {
        "rule": {one.rule_id for one in starter_content().rules},
        "airline": {one.airline for one in starter_content().airlines},
        "jurisdiction": {one.code for one in starter_content().countries},
    }
    for one in all_found:
        assert one.subject in subjects[one.subject_kind]
        assert set(one.rule_ids) <= subjects["rule"]
        assert one.says.endswith((".", "?"))


def test_the_order_of_the_rules_does_not_matter() -> None:
    content = starter_content()
    turned = msgspec.structs.replace(content, rules=content.rules[::-1], airlines=content.airlines[::-1])
    assert findings(turned, today=TODAY) == findings(content, today=TODAY)


def test_a_key_is_the_same_on_another_day_as_long_as_nothing_changed() -> None:
    later = TODAY + datetime.timedelta(days=3)
    problems = [
        {one.key for one in findings(starter_content(), today=day) if one.weight == "problem"}
        for day in (TODAY, later)
    ]
    assert problems[0] == problems[1]


def test_a_permit_inside_a_prohibition_is_a_contradiction() -> None:
    ban = rule(
        "all-banned",
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(1)),
        when=When(),
    )
    assert any("has no effect" in one.says for one in new(with_rules(ban), "contradiction"))


def test_an_exception_is_no_contradiction() -> None:
    damaged = rule(
        "damaged", effect="prohibit", code="damaged_not_permitted", when=When(condition=("damaged",))
    )
    assert new(with_rules(damaged), "contradiction") == []


def test_a_ban_of_named_models_is_an_exception_to_what_is_permitted() -> None:
    named = rule("named", effect="prohibit", code="recalled_not_permitted", when=When(model=("anker-a1647",)))
    assert new(with_rules(named), "contradiction") == []


def test_a_permit_of_models_that_are_banned_by_name_never_counts() -> None:
    models = When(model=("anker-a1647",))
    ban = rule("named", effect="prohibit", code="recalled_not_permitted", when=models)
    permit = rule("named-permit", when=models)
    found = new(with_rules(ban, permit), "contradiction")
    assert [
        "has no effect" in one.says for one in found if one.rule_ids == ("sq.named", "sq.named-permit")
    ] == [True]


def test_a_rule_for_models_is_shadowed_by_the_same_for_all_and_not_the_other_way() -> None:
    said = {"effect": "require", "code": "personal_use_only"}
    for_all, named = rule("all", when=When(), **said), rule("b", when=When(model=("anker-a1647",)), **said)
    (found,) = new(with_rules(for_all, named), "shadowed")
    assert found.rule_ids == ("sq.b", "sq.all")
    other = rule("c", when=When(model=("anker-a1289",)), **said)
    assert new(with_rules(named, other), "shadowed") == []


@pytest.mark.parametrize("basis", ["official_copy_read", "secondary_read"])
def test_what_is_confirmed_without_an_official_page_is_overstated(basis: str) -> None:
    content = starter_content()
    sources = tuple(
        msgspec.structs.replace(one, basis=basis) if one.basis == "official_page_read" else one
        for one in content.sources
    )
    found = new(msgspec.structs.replace(content, sources=sources), "evidence_overstated")
    confirmed = {
        one.rule_id for one in content.rules if one.confidence == "confirmed" and one.in_force(TODAY)
    }
    assert confirmed <= {one.subject for one in found}
    assert {one.subject_kind for one in found} == {"rule", "airline"}
    assert new(content, "evidence_overstated") == []


def test_two_figures_for_the_same_case_are_a_contradiction() -> None:
    one = rule("one", effect="require", code="quantity_advice", params=Params(max_units=7))
    pair = [
        msgspec.structs.replace(
            one, effect="require", code="max_units", when=When(watt_hour_over=Decimal(12))
        ),
        msgspec.structs.replace(
            one,
            rule_id="sq.two",
            effect="require",
            code="max_units",
            params=Params(max_units=8),
            when=When(watt_hour_over=Decimal(12)),
        ),
    ]
    (found,) = new(with_rules(*pair), "contradiction")
    assert "two figures" in found.says
    assert found.rule_ids == ("sq.one", "sq.two")


def test_manners_that_exclude_each_other_are_a_contradiction() -> None:
    both = [
        rule("no-use", effect="require", code="no_onboard_use"),
        rule("use-in-sight", effect="require", code="visible_when_in_use"),
    ]
    assert any("visible_when_in_use" in one.says for one in new(with_rules(*both), "contradiction"))


def test_rules_that_never_speak_at_the_same_time_contradict_nothing() -> None:
    both = [
        rule("no-use", effect="require", code="no_onboard_use", effective_until=datetime.date(2027, 1, 1)),
        rule(
            "use-in-sight",
            effect="require",
            code="visible_when_in_use",
            effective_from=datetime.date(2027, 1, 2),
        ),
    ]
    assert not [
        one
        for one in new(with_rules(*both), "contradiction")
        if one.rule_ids == tuple(r.rule_id for r in both)
    ]


@pytest.mark.parametrize(
    ("effect", "code", "values", "spared"),
    [
        ("prohibit", "damaged_not_permitted", ("unknown",), "`damaged`"),
        ("permit", None, ("damaged",), "`intact`, `unknown`"),
        ("permit", None, ("unknown", "damaged"), "`intact`"),
    ],
)
def test_a_rule_that_is_kinder_to_a_worse_unit_is_found(
    effect: str, code: str | None, values: tuple[str, ...], spared: str
) -> None:
    odd = rule("odd", effect=effect, code=code, when=When(condition=values))  # type: ignore[arg-type]
    (one,) = new(with_rules(odd), "spares_the_worse")
    assert spared in one.says


def test_rules_that_end_or_start_soon_are_told_in_time() -> None:
    day = datetime.timedelta(days=1)
    rows = [
        rule("ends-soon", effective_until=TODAY + 30 * day),
        rule("ends-later", effective_until=TODAY + 31 * day),
        rule("over", effective_until=TODAY - day),
        rule("starts-soon", effective_from=TODAY + day),
        rule("starts-later", effective_from=TODAY + 31 * day),
    ]
    kinds = {
        one.subject: one.kind
        for one in findings(with_rules(*rows), today=TODAY)
        if one.weight == "notice" and one.subject in {row.rule_id for row in rows}
    }
    assert kinds == {"sq.ends-soon": "expiring", "sq.over": "expired", "sq.starts-soon": "starting"}


def test_a_rule_whose_pages_no_one_read_for_a_year_is_found() -> None:
    newest = max(source.read_on for source in starter_content().sources)
    later = newest + datetime.timedelta(days=366)
    old = {one.subject for one in findings(starter_content(), today=later) if one.kind == "evidence_old"}
    confirmed = {one.rule_id for one in starter_content().rules if one.in_force(later)}
    assert old
    assert old <= confirmed
    assert not [one for one in findings(starter_content(), today=TODAY) if one.kind == "evidence_old"]


def test_an_airline_of_which_nothing_was_read_is_told_once_and_not_rule_by_rule() -> None:
    all_found = findings(starter_content(), today=TODAY)
    unverified = {one.subject for one in all_found if one.kind == "airline_unverified"}
    assert unverified == {one.airline for one in starter_content().airlines if one.confidence == "unverified"}
    by_rule = {one.subject for one in all_found if one.kind == "evidence_unread"}
    assert not by_rule & {one.rule_id for one in starter_content().rules if one.airline in unverified}


def test_every_kind_can_be_explained() -> None:
    for kind in KINDS.values():
        assert kind.title
        assert kind.meaning.endswith((".", ")."))
