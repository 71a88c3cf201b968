"""What the rules of airlines say, topic by topic."""

from aeo import coverage, editions
from rules.selectors.policy_fields import policy_fields
from tests.support import starter


def test_an_airline_that_refuses_recalled_models_by_name_says_something_of_recalls() -> None:
    edition = editions.of(starter.starter_release(), starter.NOW)
    refusing = {
        rule.airline
        for rule in edition.release.shelf.rules.values()
        if rule.code == "recalled_not_permitted" and rule.airline and rule.in_force(edition.today)
    }
    assert "AC" in refusing
    assert {one.airline.airline for one in coverage.airlines(edition) if "recalled" in one.topics} == refusing


def test_that_holds_in_some_cases_only_and_rests_on_the_rule_that_names_the_models() -> None:
    rules = [rule for rule in starter.starter_content().rules if rule.airline == "AC"]
    field = policy_fields(rules).recalled_units
    assert field is not None
    assert (field.value, field.rule_ids) == ("depends", ("ac.named-anker-models",))
