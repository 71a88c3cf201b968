"""The solver finds what breaks a promise, the engine confirms it, and the formula is what the engine does."""

import copy
import datetime
import itertools
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from battery_travel_reference import Leg, release_of
from battery_travel_reference.speaking import rules_in_play
from checks.solver import encoding
from checks.solver.__main__ import main
from checks.solver.asking import engine_verdict
from checks.solver.encoding import VERDICTS, Encoding, any_facts
from checks.solver.promises import PROMISES, Broken, broken
from checks.solver.sets import Flight, RuleSet, rule_set, rule_sets, statements_of
from rules.engine.document import Content
from tests.rules.engine.worlds import TODAY, WORLDS
from tests.support.reference import text_of
from tests.support.starter import NOW, starter_content

Json = dict[str, Any]

AIRLINES = {"CA", "AC", "EK"}
COUNTRIES = {"CN", "AE", "CA", "FR", "DE", "JP"}
KEPT_PLACES = {"INTL", "EU", *COUNTRIES}
"""A part of the starter corpus: marks and recalls in China, named models on Air Canada."""


def _part() -> Json:
    document: Json = json.loads(text_of(starter_content()))
    content = document["content"]
    content["airlines"] = [row for row in content["airlines"] if row["airline"] in AIRLINES]
    content["countries"] = [row for row in content["countries"] if row["code"] in COUNTRIES]
    content["jurisdictions"] = [row for row in content["jurisdictions"] if row["code"] in KEPT_PLACES]
    content["rules"] = [
        row
        for row in content["rules"]
        if (row["airline"] in AIRLINES if row["airline"] else row["jurisdiction"] in KEPT_PLACES)
    ]
    content["devices"] = [row for row in content["devices"] if row["model_id"] in _named(document)]
    content["recalls"], content["disagreements"] = [], []
    return document


def _named(document: Json) -> list[str]:
    rules = document["content"]["rules"]
    return sorted({name for row in rules for name in row["when"].get("model", ())})


@pytest.fixture(scope="module")
def part() -> Json:
    return _part()


def _sets(document: Json) -> dict[RuleSet, Flight]:
    return rule_sets(release_of(_bytes(document)), NOW.date())


def _bytes(document: Json) -> bytes:
    return json.dumps(document).encode()


def _broken(document: Json) -> Iterator[Broken]:
    named = _named(document)
    for rules, flight in _sets(document).items():
        yield from broken(rules, flight, named)


def test_no_facts_break_a_promise_in_a_part_of_the_starter_corpus(part: Json) -> None:
    assert len(_sets(part)) > 10
    assert list(_broken(part)) == []


@settings(max_examples=50, deadline=None)
@given(WORLDS)
def test_a_few_pairs_of_countries_stand_for_all(content: Content) -> None:
    release = release_of(text_of(content))
    found, said = rule_sets(release, TODAY), statements_of(release)
    for airline in release.airlines.values():
        for origin, destination in itertools.product(release.countries, repeat=2):
            leg = Leg(origin, destination, airline.code)
            in_play = rules_in_play(release, leg)
            for ahead in (0, 1, 2, 9, 25, 31, 46, 400):
                rules = rule_set(in_play, said, leg, airline, TODAY + datetime.timedelta(days=ahead))
                assert rules is None or rules in found


# --- Planted faults -----------------------------------------------------------------------------------------


@pytest.fixture
def without_bans(part: Json) -> Json:
    """The part without bans of units and energy, which would hide a permit for too much."""
    hiding = {"max_units", "over_watt_hour_limit"}
    content = part["content"]
    rules = [copy.deepcopy(row) for row in content["rules"] if row["code"] not in hiding]
    return part | {"content": content | {"rules": rules}}


def _new(like: str, **changes: Any) -> Callable[[Json], None]:
    """Plant a rule that is like another one."""

    def plant(document: Json) -> None:
        rules = document["content"]["rules"]
        rule = copy.deepcopy(next(row for row in rules if row["rule_id"] == like))
        rules.append(rule | {"rule_id": "planted.rule"} | changes)

    return plant


def _no_permits_below_100_wh(document: Json) -> None:
    for rule in document["content"]["rules"]:
        if rule["airline"] == "AC" and rule["effect"] == "permit":
            rule["when"] |= {"watt_hour_over": "100"}
            rule["when"]["watt_hour_up_to"] = "160"


BAN = {"effect": "prohibit", "code": "damaged_not_permitted", "params": {}}

FAULTS: dict[str, tuple[str, Callable[[Json], None]]] = {
    "a hole below a permit": ("more energy is never milder", _no_permits_below_100_wh),
    "a ban of small units": (
        "more energy is never milder",
        _new("ek.carry-on-only", when={"watt_hour_up_to": "27"}, **BAN),
    ),
    "fewer units of small energy": (
        "more energy is never milder",
        _new("ek.carry-on-only", when={"watt_hour_up_to": "27"}, code="max_units", params={"max_units": 1}),
    ),
    "a permit for several units": (
        "more units are never milder",
        _new("ek.carry-on-up-to-100wh", when={"quantity_over": 1, "watt_hour_up_to": "300"}),
    ),
    "a permit for units without the mark": (
        "an unknown mark is between a present and an absent one",
        _new("ek.carry-on-up-to-100wh", when={"certification_missing": "CCC", "watt_hour_up_to": "300"}),
    ),
    "a ban of intact units": (
        "an unknown condition is between intact and damaged",
        _new("ek.carry-on-only", when={"condition": ["intact"]}, **BAN),
    ),
    "a ban of units that are not recalled": (
        "an unknown recall status is between not affected and affected",
        _new("ek.carry-on-only", when={"recall_status": ["not_affected"]}, **BAN),
    ),
}


@pytest.mark.parametrize(("says", "plant"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_and_the_engine_shows_it(
    without_bans: Json, says: str, plant: Callable[[Json], None]
) -> None:
    changed = copy.deepcopy(without_bans)
    plant(changed)
    document, named = _bytes(changed), _named(changed)
    one = next(one for one in _broken(changed) if one.promise.says == says)
    better = engine_verdict(document, named, one.flight, one.better)
    worse = engine_verdict(document, named, one.flight, one.worse)
    assert (better, worse) == (VERDICTS[one.strictness_of_better], VERDICTS[one.strictness_of_worse])
    assert VERDICTS.index(worse) < VERDICTS.index(better)


def test_the_program_names_the_question_and_fails(
    without_bans: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "release.json"
    arguments = [str(path), "--since", str(NOW.date())]
    path.write_bytes(_bytes(without_bans))
    assert main(arguments) == 0
    assert ": no broken promises, " in capsys.readouterr().out
    _no_permits_below_100_wh(without_bans)
    path.write_bytes(_bytes(without_bans))
    assert main(arguments) == 1
    shown = capsys.readouterr().out
    assert "Broken: more energy is never milder. AC " in shown
    assert shown.count(", and so by the engine: ") == 2 * shown.count("Broken: ")


def test_every_promise_that_rules_can_break_is_broken_by_a_fault() -> None:
    # No rule has a condition on the label, the maker's list, certificates or the basis of an energy.
    never = {"label", "list_answer", "doubted", "basis"}
    breakable = {one.says for one in PROMISES if never.isdisjoint(one.facts)}
    assert {says for says, _ in FAULTS.values()} == breakable


# --- The formula --------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(WORLDS, st.randoms(use_true_random=False))
def test_the_formula_gives_the_verdict_of_the_engine(content: Content, pick: random.Random) -> None:
    document = text_of(content)
    sets = list(rule_sets(release_of(document), TODAY).items())
    named = sorted({name for rule in content.rules for name in rule.when.model or ()})
    if not sets:
        reject()
    for _ in range(10):
        rules, flight = pick.choice(sets)
        facts = {
            "energy": pick.choice((2000, 9499, 9500, 9712, 10000, 10001, 13000, 15199, 15200, 16000, 16001)),
            "basis": pick.choice((0, 0, 1, 1, 1, 2)),
            "compartment": pick.randrange(len(encoding.COMPARTMENTS)),
            "mark": pick.randrange(len(encoding.MARKS)),
            "label": pick.randrange(len(encoding.LABELS)),
            "condition": pick.randrange(len(encoding.CONDITIONS)),
            "recall": pick.choice((0, 0, 0, 1, 2, 3)),
            "list_answer": pick.choice((0, 0, 0, 1)),
            "quantity": pick.randint(1, 7),
            "model": pick.randint(0, len(named)),
            "doubted": pick.randint(0, 1),
        }
        terms = any_facts()
        formula = Encoding(rules, named).strictness(terms)
        values = [(getattr(terms, name), z3.IntVal(value)) for name, value in facts.items()]
        strictness = z3.simplify(z3.substitute(formula, *values)).as_long()
        assert VERDICTS[strictness] == engine_verdict(document, named, flight, facts), facts
