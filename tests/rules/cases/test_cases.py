"""The verdict cases hold on the starter corpus, and neither reading nor running them can fail in silence."""

import datetime
import functools
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from compliance.services.embedded import REPOSITORY
from rules.cases import Case, CaseError, Expect, Given, failures, judge, load_cases, said, silent_rules
from rules.cases.asking import Outcome
from rules.cases.comparing import grants, is_milder
from rules.cases.given import GivenItem, GivenSegment, GivenUnit
from rules.engine.outcomes import MayTravel, Packing, Share
from tests.support.starter import starter_content

CASES = load_cases()


def models_of(case: Case) -> set[str]:
    """Return the models that a case asks about."""
    items = case.given.items or ()
    return {name for name in (case.given.model_id, *(item.model_id for item in items)) if name}


GOOD = """
- name: A unit flies
  given: {model_id: anker-a1289, route: [GB, ES], airline: U2, on: 2026-12-01}
  expect: {verdict: allowed}
"""


@functools.cache
def _sentences() -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = defaultdict(list)
    for failure in failures(starter_content(), CASES):
        sentences[failure.name].append(str(failure))
    return sentences


@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_the_case_holds(name: str) -> None:
    assert _sentences().get(name, []) == []


# --- Reading ------------------------------------------------------------------------------------------------


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[Case, ...]]:
    def write_and_load(text: str, file: str = "korea.yaml") -> tuple[Case, ...]:
        (tmp_path / file).write_text(text, encoding="utf-8")
        return load_cases(tmp_path)

    return write_and_load


def test_a_case_reads_as_it_is_written(read: Callable[..., tuple[Case, ...]]) -> None:
    [case] = read("""
- name: Everything is text until its field reads it
  given: {watt_hour: 99.9, basis: rated, route: [NO, SE], airline: 5J, serial: 0123, on: 2026-12-01}
  expect: {verdict: conditional, change_on: 2026-12-24}
""")

    assert case.given.route == ("NO", "SE")
    assert case.given.serial == "0123"
    assert str(case.given.watt_hour) == "99.9"
    assert case.given.airline == "5J"
    assert [leg.airline for leg in case.given.flights()] == ["5J"]
    assert (str(case.given.on), str(case.expect.change_on)) == ("2026-12-01", "2026-12-24")
    assert case.file == "korea.yaml"


def test_a_route_of_several_countries_is_one_flight_after_the_other() -> None:
    [case] = [case for case in CASES if case.given.route == ("KR", "HK", "TH", "HK")]

    flights = [(leg.origin, leg.destination, leg.airline) for leg in case.given.flights()]
    assert flights == [("KR", "HK", "CX"), ("HK", "TH", "CX"), ("TH", "HK", "CX")]


def _refusal(read: Callable[..., tuple[Case, ...]], text: str) -> str:
    with pytest.raises(CaseError) as error:
        read(text)
    assert str(error.value).startswith("korea.yaml")
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- name: [A, B", "cannot be read"),
        ("", "is not a list of cases"),
        ("name: A unit flies", "is not a list of cases"),
        ("- A unit flies", "line 1: the case has no name"),
        (GOOD.replace("name: A unit flies\n  ", ""), "line 2: the case has no name"),
        (GOOD.replace("A unit flies", "' '"), "line 2: the case has no name"),
        (GOOD.replace("name: A unit flies", "given: {}"), "`given` is given twice"),
        ("- name: A unit flies", "missing required field `given`"),
        (GOOD + "  expects: {}", "`expects` is none of"),
        (GOOD + "  file: a.yaml", "`file` is none of"),
    ],
)
def test_what_is_no_list_of_named_cases_is_refused(
    read: Callable[..., tuple[Case, ...]], text: str, reason: str
) -> None:
    assert reason in _refusal(read, text)


MODEL = "model_id: anker-a1289"
DAY = "on: 2026-12-01"
FLIGHT = "route: [GB, ES], airline: U2, on: 2026-12-01"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (f"{MODEL}, {DAY}, {FLIGHT}", "`on` is given twice"),
        (f"{MODEL}, modell: a, {FLIGHT}", "unknown field `modell`"),
        (f"model_id: Anker A1289, {FLIGHT}", "$.given.model_id"),
        (f"{MODEL}, {DAY}, route: [GB, Es], airline: U2", "$.given.route"),
        (f"{MODEL}, {DAY}, route: [GB], airline: U2", "$.given.route"),
        (f"{MODEL}, {DAY}, route: [GB, ES], airline: EZY", "$.given.airline"),
        (f"{MODEL}, {DAY}, legs: [[GB, ES]]", "$.given.legs"),
        (f"{MODEL}, on: 2026-12-32, legs: [[GB, ES, U2]]", "$.given.on"),
        (f"{MODEL}, legs: [[GB, ES, U2]]", "missing required field `on`"),
        (f"{MODEL}, quantity: 21, {FLIGHT}", "$.given.quantity"),
        (f"{MODEL}, compartment: hold, {FLIGHT}", "$.given.compartment"),
        (f"{MODEL}, serial_hash: abc, {FLIGHT}", "$.given.serial_hash"),
        (f"{MODEL}, serial: a, serial_hash: {'0' * 64}, {FLIGHT}", "a serial and a hash"),
        (FLIGHT, "needs either `model_id`, or"),
        (f"{MODEL}, watt_hour: 99, basis: rated, {FLIGHT}", "needs either `model_id`, or"),
        (f"watt_hour: 99, {FLIGHT}", "go together"),
        (f"basis: rated, {FLIGHT}", "go together"),
        (f"watt_hour: 99, basis: unknown, {FLIGHT}", "go together"),
        (f"watt_hour: 99.999, basis: rated, {FLIGHT}", "two decimals"),
        (f"watt_hour: -1, basis: rated, {FLIGHT}", "not a positive number"),
        (f"watt_hour: NaN, basis: rated, {FLIGHT}", "not a positive number"),
        (f"{MODEL}, {DAY}", "needs either `route` and `airline`, or `legs`"),
        (f"{MODEL}, {DAY}, route: [GB, ES]", "needs either `route` and `airline`, or `legs`"),
        (f"{MODEL}, {DAY}, airline: U2, legs: [[GB, ES, U2]]", "takes neither `route` nor `airline`"),
        (f"{MODEL}, {DAY}, legs: [[GB, ES, U2], [FR, DE, U2]]", "the legs do not follow each other"),
    ],
)
def test_a_question_that_no_one_could_ask_is_refused(
    read: Callable[..., tuple[Case, ...]], given: str, reason: str
) -> None:
    text = f"- name: A unit flies\n  given: {{{given}}}\n  expect: {{verdict: allowed}}\n"

    assert reason in _refusal(read, text)


@pytest.mark.parametrize(
    ("route", "expect", "reason"),
    [
        ("GB, ES", "verdikt: allowed", "unknown field `verdikt`"),
        ("GB, ES", "verdict: fine", "$.expect.verdict"),
        ("GB, ES", "warnings: [confiscation_risk]", "neither or both of `verdict` and `error`"),
        ("GB, ES", "verdict: banned, error: MODEL_NOT_FOUND", "neither or both of `verdict` and `error`"),
        ("GB, ES", "error: NOT_FOUND", "$.expect.error"),
        (
            "GB, ES",
            "error: MODEL_NOT_FOUND, path: [u2.carry-on-only]",
            "there is no answer to expect more of",
        ),
        ("GB, ES", "verdict: allowed, gaps: [money]", "$.expect.gaps"),
        ("GB, ES", "verdict: allowed, segments: [allowed]", "is a single leg, so it has no `segments`"),
        ("GB, ES, FR", "verdict: allowed, segments: [allowed]", "1 segments of a trip that has 2"),
        ("GB, ES, FR", "verdict: banned, first_constraint: carry_on_only", "is a trip"),
    ],
)
def test_an_answer_that_no_one_could_get_is_refused(
    read: Callable[..., tuple[Case, ...]], route: str, expect: str, reason: str
) -> None:
    given = f"{{model_id: anker-a1289, route: [{route}], airline: U2, on: 2026-12-01}}"
    text = f"- name: A unit flies\n  given: {given}\n  expect: {{{expect}}}\n"

    assert reason in _refusal(read, text)


TWENTY = f"{{{MODEL}, quantity: 20}}"
ITEMS = f"items: [{{{MODEL}}}]"
SEGMENT = "{origin: GB, destination: ES, operating_airline: U2}"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (ITEMS, "needs both `items` and `segments`"),
        (f"segments: [{SEGMENT}]", "needs both `items` and `segments`"),
        (f"passengers: 2, {MODEL}, route: [GB, ES], airline: U2", "needs both `items` and `segments`"),
        (f"{ITEMS}, segments: []", "$.given.segments"),
        (f"passengers: 10, {ITEMS}, segments: [{SEGMENT}]", "$.given.passengers"),
        (f"{MODEL}, {ITEMS}, segments: [{SEGMENT}]", "`model_id` belongs to one of its items"),
        (f"quantity: 2, {ITEMS}, segments: [{SEGMENT}]", "`quantity` belongs to one of its items"),
        (f"airline: U2, {ITEMS}, segments: [{SEGMENT}]", "`airline` belongs to one of its items"),
        (f"items: [{{}}], segments: [{SEGMENT}]", "needs either `model_id`, or"),
        (f"items: [{{{MODEL}, weight: 3}}], segments: [{SEGMENT}]", "unknown field `weight`"),
        (f"items: [{{{MODEL}, ref: item_2}}, {{{MODEL}}}], segments: [{SEGMENT}]", "the same `ref`"),
        (f"items: [{{{MODEL}, carried_by: 2}}], segments: [{SEGMENT}]", "a passenger whom there is not"),
        (f"{ITEMS}, segments: [{{origin: GB, destination: ES}}]", "`operating_airline` or a"),
        (f"{ITEMS}, segments: [{SEGMENT.replace('U2', 'U2, date: 2026-11-30')}]", "in order of their dates"),
        (
            f"items: [{TWENTY}, {TWENTY}, {TWENTY}], segments: [{', '.join([SEGMENT] * 7)}]",
            "more than 400 units times flights",
        ),
    ],
)
def test_an_itinerary_that_no_one_could_ask_is_refused(
    read: Callable[..., tuple[Case, ...]], given: str, reason: str
) -> None:
    text = f"- name: A family flies\n  given: {{on: 2026-12-01, {given}}}\n  expect: {{verdict: allowed}}\n"

    assert reason in _refusal(read, text)


def test_an_itinerary_may_be_as_large_as_the_api_allows(read: Callable[..., tuple[Case, ...]]) -> None:
    given = f"{{on: 2026-12-01, items: [{TWENTY}, {TWENTY}], segments: [{', '.join([SEGMENT] * 10)}]}}"

    assert read(f"- name: A club flies\n  given: {given}\n  expect: {{verdict: banned}}\n")


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        ("stays: []", "`stays` and `may_travel` go together"),
        ("may_travel: [[item_1, 1]]", "`stays` and `may_travel` go together"),
        ("stays: [[item_1, 1, money]], may_travel: []", "$.expect.stays"),
        ("segments: [allowed, allowed]", "2 segments of a trip that has 1"),
    ],
)
def test_a_packing_that_no_one_could_get_is_refused(
    read: Callable[..., tuple[Case, ...]], expect: str, reason: str
) -> None:
    given = f"{{on: 2026-12-01, {ITEMS}, segments: [{SEGMENT}]}}"
    text = f"- name: A family flies\n  given: {given}\n  expect: {{verdict: allowed, {expect}}}\n"

    assert reason in _refusal(read, text)


def test_a_single_unit_has_no_packing(read: Callable[..., tuple[Case, ...]]) -> None:
    packing = "verdict: allowed, stays: [], may_travel: []"

    assert "is no itinerary" in _refusal(read, GOOD.replace("verdict: allowed", packing))


def test_an_unreadable_case_is_named(read: Callable[..., tuple[Case, ...]]) -> None:
    with pytest.raises(CaseError, match=r"korea\.yaml, line 5, “It flies too”: .*unknown field `verdikt`"):
        read(GOOD + GOOD.lstrip().replace("verdict", "verdikt").replace("A unit flies", "It flies too"))


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "korea.yaml").write_bytes(b"- name: \xff")

    with pytest.raises(CaseError, match=r"korea\.yaml: cannot be read"):
        load_cases(tmp_path)


def test_a_name_stands_once_in_all_files(read: Callable[..., tuple[Case, ...]]) -> None:
    read(GOOD, "a.yaml")

    with pytest.raises(CaseError, match=r"b\.yaml, “A unit flies”: a case of a\.yaml already has this name"):
        read(GOOD, "b.yaml")


def test_a_file_that_would_never_be_run_is_an_error(read: Callable[..., tuple[Case, ...]]) -> None:
    read(GOOD)

    with pytest.raises(CaseError, match=r"japan\.yml: case files end in \.yaml"):
        read(GOOD, "japan.yml")


def test_a_directory_without_cases_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="holds no case files"):
        load_cases(tmp_path)


def test_cases_are_read_without_django() -> None:
    program = (
        "import sys; sys.modules['django'] = None; import rules.cases; print(len(rules.cases.load_cases()))"
    )
    project = REPOSITORY

    count = subprocess.check_output([sys.executable, "-c", program], cwd=project, text=True)

    assert int(count) == len(CASES)


# --- Running ------------------------------------------------------------------------------------------------


def _case(name: str) -> Case:
    [case] = [case for case in CASES if case.name == name]
    return case


FLIGHT_CASE = _case("The recalled Anker A1263 abroad depends on Anker's list")
TRIP_CASE = _case("An uncovered leg weighs more than a conditional one")


def _failures(case: Case, **expect: object) -> list[str]:
    altered = msgspec.structs.replace(
        case, expect=msgspec.convert({"verdict": "conditional", **expect}, type=Expect, strict=False)
    )
    return [str(failure) for failure in failures(starter_content(), [altered])]


WRONG: dict[str, dict[str, Any]] = {
    "verdict": {"verdict": "allowed"},
    "error": {"verdict": None, "error": "MODEL_NOT_FOUND"},
    "gaps": {"gaps": ["no_airline_permit"]},
    "constraints": {"constraints": ["max_units_1"]},
    "no_constraints": {"no_constraints": ["max_units"]},
    "first_constraint": {"first_constraint": "carry_on_only"},
    "warnings": {"warnings": ["confiscation_risk"]},
    "no_warnings": {"no_warnings": ["recall_external_list"]},
    "path": {"path": ["intl.icao.damaged"]},
    "no_path": {"no_path": ["ba.carry-on-only"]},
    "recall_status": {"recall_status": "affected"},
    "recall_check_method": {"recall_check_method": "pattern"},
    "lookup": {"lookup": "https://www.anker.com/rc2506"},
    "change_on": {"change_on": "2026-12-24"},
}


@pytest.mark.parametrize("field", WRONG)
def test_a_wrong_expectation_is_reported(field: str) -> None:
    found = _failures(FLIGHT_CASE, **WRONG[field])

    assert len(found) == 1
    assert found[0].startswith(f"recalls.yaml, “{FLIGHT_CASE.name}”: expected ")
    assert "Path: device.resolved → recall.external_check_required → " in found[0]


def test_every_expectation_has_its_wrong_twin() -> None:
    assert {*WRONG, "segments", "stays", "may_travel"} == set(Expect.__struct_fields__)
    assert _failures(FLIGHT_CASE) == []


def test_wrong_segments_are_reported() -> None:
    wrong = _failures(TRIP_CASE, verdict="insufficient", segments=["allowed", "AIRLINE_NOT_COVERED"])

    assert len(wrong) == 1
    assert "the segments allowed, AIRLINE_NOT_COVERED, got conditional, AIRLINE_NOT_COVERED." in wrong[0]


ITINERARY_CASE = _case("Of five units of four passengers on Emirates one stays")


@pytest.mark.parametrize(
    ("packing", "wrong", "more_travel"),
    [
        ({"stays": [["item_1", 2, "numbers"]], "may_travel": [["item_1", 3]]}, ["stay", "travel"], True),
        ({"stays": [["item_1", 1, "route"]], "may_travel": [["item_1", 4]]}, ["stay"], False),
        ({"stays": [], "may_travel": [["item_1", 5]]}, ["stay", "travel"], False),
        ({"stays": [["item_1", 1, "numbers"]], "may_travel": [["item_1", 4]]}, [], False),
    ],
)
def test_another_packing_is_reported_and_more_units_that_travel_count_as_allowed(
    packing: dict[str, Any], wrong: list[str], more_travel: bool
) -> None:
    expect = msgspec.convert({"verdict": "banned", **packing}, type=Expect, strict=False)
    [judged] = judge(starter_content(), [msgspec.structs.replace(ITINERARY_CASE, expect=expect)])

    assert [failure.expected.split()[-1] for failure in judged.failures] == wrong
    assert (judged.grants, judged.milder) == (more_travel, more_travel)


@pytest.mark.parametrize(
    ("because", "travels", "milder"),
    [
        ("numbers", {"item_2": 2}, False),
        ("numbers", {"item_1": 1, "item_2": 2}, True),
        ("route", {"item_2": 2}, True),
    ],
    ids=["a ban makes room", "more in all", "not for numbers"],
)
def test_a_ban_that_makes_room_for_another_item_is_not_milder(
    because: str, travels: dict[str, int], milder: bool
) -> None:
    packing = {"stays": [["item_2", 1, because]], "may_travel": [["item_1", 1], ["item_2", 1]]}
    expect = msgspec.convert({"verdict": "banned", **packing}, type=Expect, strict=False)
    shares = tuple(Share(ref, units, passenger=1) for ref, units in travels.items())
    outcome = Outcome(verdict="banned", packing=Packing((), may_travel=MayTravel(shares, "allowed")))
    assert is_milder(expect, outcome) is milder
    # A case that lets more of an item travel than its file says needs the two reviewers as before.
    assert grants(expect, outcome)


@pytest.mark.parametrize("model_id", sorted({unit for case in CASES for unit in models_of(case)}))
def test_no_ban_of_a_model_is_milder_than_any_case(model_id: str) -> None:
    content = starter_content()
    of_all_units = next(one for one in content.recalls if one.affected_serials.scope == "all_units")
    ban = msgspec.structs.replace(of_all_units, recall_id="xx-urgent-2026", model_id=model_id)
    banned = msgspec.structs.replace(content, recalls=(*content.recalls, ban))
    asked = [case for case in CASES if model_id in models_of(case)]
    assert [one.case.name for one in judge(banned, asked) if one.failures and one.milder] == []


def test_an_itinerary_of_one_unit_is_answered_as_the_flight_and_the_trip() -> None:
    """The same case, asked as an itinerary, meets the same expectations.

    Only an airline without rules is an error of its flight there.
    """
    alike = [one for one in CASES if one.given.items is None and one.expect.error != "AIRLINE_NOT_COVERED"]

    assert len(alike) > 100
    assert failures(starter_content(), map(_as_itinerary, alike)) == []


def _as_itinerary(case: Case) -> Case:
    given = case.given
    unit = {name: getattr(given, name) for name in GivenUnit.__struct_fields__}
    segments = tuple(
        GivenSegment(origin=leg.origin, destination=leg.destination, operating_airline=leg.airline)
        for leg in given.flights()
    )
    itinerary = Given(on=given.on, today=given.today, items=(GivenItem(**unit),), segments=segments)
    return msgspec.structs.replace(case, given=itinerary)


def test_an_answer_where_none_can_be_given_is_reported() -> None:
    spirit = _case("Spirit ceased operations and is not covered")

    assert _failures(spirit, verdict="allowed") == [
        "united-states.yaml, “Spirit ceased operations and is not covered”: "
        "expected the verdict allowed, got the error AIRLINE_NOT_COVERED."
    ]


def test_a_path_in_another_order_is_reported() -> None:
    [found] = _failures(FLIGHT_CASE, path=["ba.carry-on-only", "intl.icao.checked-baggage"])

    assert "expected the rules in the order ba.carry-on-only, intl.icao.checked-baggage" in found


@pytest.mark.parametrize(
    "expect",
    [
        {"no_constraints": ["max_unit_2"]},
        {"no_constraints": ["carry_on_only_2"]},
        {"no_constraints": ["recall_external_list"]},
        {"no_constraints": ["max_units_over_wh_2"]},
        {"no_warnings": ["recall_external_lists"]},
        {"no_warnings": ["max_units"]},
        {"no_path": ["ek.max-unit"]},
        {"no_path": ["verdict.banned"]},
    ],
)
def test_a_name_that_does_not_exist_fails_even_where_it_must_be_absent(expect: dict[str, list[str]]) -> None:
    [found] = _failures(FLIGHT_CASE, **expect)

    assert "no such" in found


def test_a_rule_that_left_the_content_fails_the_cases_that_name_it() -> None:
    content = starter_content()
    without = msgspec.structs.replace(
        content, rules=tuple(rule for rule in content.rules if rule.rule_id != "ek.max-units")
    )

    found = {failure.name: str(failure) for failure in failures(without, CASES)}
    name = "Two units on Emirates are one too many"
    assert f"emirates-and-gulf.yaml, “{name}”: expected " in found[name]
    assert not any("inside Korea" in name for name in found)


def test_a_failure_holds_no_serial() -> None:
    case = _case("A Belkin BPD005 whose serial is in the recalled range is refused")

    [found] = _failures(case, verdict="allowed")
    assert case.given.serial is not None
    assert case.given.serial not in found


def test_the_content_is_asked_as_it_is_and_not_changed() -> None:
    content = starter_content()
    before = msgspec.json.encode(content)

    failures(content, CASES)

    assert msgspec.json.encode(content) == before


def test_silent_rules_are_those_that_no_case_applies() -> None:
    content = starter_content()

    silent = silent_rules(content, CASES)

    for issuer, rule_ids in silent.items():
        print(f"{issuer}: {', '.join(rule_ids)}")
    listed = {rule_id for rule_ids in silent.values() for rule_id in rule_ids}
    print(f"{len(listed)} of {len(content.rules)} rules are applied by no case.")
    assert not listed & {rule_id for case in CASES for rule_id in case.expect.path}
    assert {rule_id for rule_ids in silent_rules(content, []).values() for rule_id in rule_ids} == {
        rule.rule_id for rule in content.rules
    }


def test_an_airline_and_a_country_of_one_code_are_told_apart() -> None:
    silent = silent_rules(starter_content(), [])

    assert all(rule_id.startswith("vn.caav.") for rule_id in silent["jurisdiction VN"])
    assert "vn.carry-on-only" in silent["airline VN"]


def test_a_case_of_the_first_of_all_days_is_said_with_its_day() -> None:
    given = msgspec.structs.replace(CASES[0].given, on=datetime.date.min)
    assert said(given)["on"] == "0001-01-01"
    assert "on" not in said(Expect(verdict="banned"))
