"""The reference program alone: what it reads, refuses and compares, and that it shares no code."""

import ast
import copy
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from battery_travel_reference import (
    UnreadableQuestion,
    UnreadableRelease,
    question_of,
    release_of,
    vocabulary,
)
from battery_travel_reference.__main__ import DIFFERENT, FOUND, UNREADABLE, main
from battery_travel_reference.patterns import UnknownSyntax, compiled
from compliance.api.protocol.bodies import json_response
from compliance.api.verdicts.trips import trip_body
from compliance.api.verdicts.verify import verify_body
from compliance.services.embedded import REPOSITORY
from recalls.serials import compile_pattern
from rules.engine.errors import Unanswerable
from rules.engine.facts import Leg, TripQuestion
from rules.engine.vocabulary import CODES
from tests.recalls.languages.drawing import patterns
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.reference import Json, body_of, text_of, trip_body_of
from tests.support.starter import NOW, starter_content, starter_release

PROGRAM = REPOSITORY / "clients" / "reference" / "battery_travel_reference"
MODULES = sorted(PROGRAM.glob("*.py"))
TODAY = NOW.date()
BODY: Json = {"model_id": "anker-a1289", "trip": {"origin": "AE", "destination": "GB", "airline": "EK"}}

ENGINE = (
    *sorted((REPOSITORY / "rules" / "engine").glob("*.py")),
    *(REPOSITORY / "catalog" / name for name in ("cadence.py", "energy.py", "records.py")),
    *(REPOSITORY / "recalls" / name for name in ("records.py", "serials.py")),
)
SAME_LINES = 4
"""So many lines in a row are not a coincidence."""


@pytest.fixture(scope="module")
def document() -> bytes:
    return text_of(starter_content())


@pytest.fixture
def release_file(document: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "release.json"
    path.write_bytes(document)
    return path


# --- It is alone --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_it_imports_the_standard_library_and_itself_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "." * node.level]
        for name in names:
            root = name.split(".")[0]
            assert root == PROGRAM.name or root in sys.stdlib_module_names, name


def test_it_runs_where_no_package_is_installed(release_file: Path) -> None:
    start = f"import sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import runpy; " + (
        "runpy.run_module('battery_travel_reference', run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start, str(release_file), "ask", "--on", str(TODAY)],
        input=json.dumps(BODY),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["verdict_path"][-1] == "verdict.allowed"


def test_it_shares_no_lines_with_the_engine() -> None:
    of_engine = {window for path in ENGINE for window in _windows(path)}
    assert len(of_engine) > 1_000
    shared = [f"{path.name}: {one[0]}" for path in MODULES for one in _windows(path) if one in of_engine]
    assert shared == []


def _windows(path: Path) -> Iterator[tuple[str, ...]]:
    """Return the runs of lines of a file that say something: no imports, fields or lone brackets."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    telling = [
        line
        for line in lines
        if re.search(r"\w{2}", line) and not re.match(r"(from|import|#) |\w+: [^()]+$", line)
    ]
    for at in range(len(telling) - SAME_LINES + 1):
        yield tuple(telling[at : at + SAME_LINES])


def test_it_knows_the_codes_of_the_engine_and_no_others() -> None:
    here = {
        name: (code.nature, code.parameter, code.severity, {code.covered_by} - {None})
        for name, code in vocabulary.CODES.items()
    }
    assert here == {
        code.name: (code.nature.value, code.parameter, code.severity, set(code.covered_by))
        for code in CODES.values()
        if code.from_rules
    }
    # It judges flights and trips, not itineraries.
    of_itineraries = {"marketing_airline_stricter", "other_spares_count_too"}
    assert {
        code.name: code.severity
        for code in CODES.values()
        if code.nature.value == "notice" and code.name not in of_itineraries
    } == vocabulary.NOTICES


# --- What it refuses ----------------------------------------------------------------------------------------


def _an_object_of_each_kind(document: Json) -> Iterator[tuple[str, Json]]:
    """Return one object of each form in a document, but for those that only readers see."""
    content = document["content"]
    yield "document", document
    yield "content", content
    for kind, rows in content.items():
        if kind != "disagreements":
            yield kind, rows[0]
    for kind, field in (("rules", "when"), ("rules", "params"), ("recalls", "affected_serials")):
        yield field, next(row[field] for row in content[kind] if row[field])


def _kinds() -> list[str]:
    return [kind for kind, _ in _an_object_of_each_kind(json.loads(text_of(starter_content())))]


@pytest.mark.parametrize("kind", _kinds())
def test_a_field_that_it_does_not_know_makes_a_release_unreadable(document: bytes, kind: str) -> None:
    changed = json.loads(document)
    dict(_an_object_of_each_kind(changed))[kind]["unless"] = "damaged"
    with pytest.raises(UnreadableRelease, match="`unless` is not known"):
        release_of(json.dumps(changed).encode())


def _rule(document: Json, effect: str = "require") -> Json:
    found: Json = next(row for row in document["content"]["rules"] if row["effect"] == effect)
    return found


def _recall(document: Json) -> Json:
    found: Json = next(row for row in document["content"]["recalls"] if "pattern" in row["affected_serials"])
    return found


def _device(document: Json) -> Json:
    found: Json = next(row for row in document["content"]["devices"] if row["watt_hour"])
    return found


FAULTS: dict[str, Callable[[Json], Any]] = {
    "another format": lambda one: one.update(format="release.v2"),
    "no version": lambda one: one.pop("ruleset_version"),
    "no rules": lambda one: one["content"].pop("rules"),
    "rules that are no list": lambda one: one["content"].update(rules={}),
    "a rule that is no object": lambda one: one["content"]["rules"].append("prohibit"),
    "an unknown effect": lambda one: _rule(one).update(effect="tolerate"),
    "an unknown scope": lambda one: _rule(one).update(applies=["overflight"]),
    "no scope": lambda one: _rule(one).update(applies=[]),
    "an unknown code": lambda one: _rule(one).update(code="carry_on_perhaps"),
    "no code": lambda one: _rule(one).update(code=None),
    "a code of another effect": lambda one: _rule(one).update(code="damaged_not_permitted"),
    "a permit with a code": lambda one: _rule(one, "permit").update(code="carry_on_only"),
    "a permit with a parameter": lambda one: _rule(one, "permit").update(params={"max_units": 2}),
    "an unknown parameter": lambda one: _rule(one).update(params={"max_unit": 2}),
    "a parameter too many": lambda one: _rule(one).update(code="carry_on_only", params={"max_units": 2}),
    "a limit of nothing": lambda one: _rule(one).update(code="max_units", params={"max_units": 0}),
    "an unknown compartment": lambda one: _rule(one).update(when={"compartment": ["hold"]}),
    "no compartment at all": lambda one: _rule(one).update(when={"compartment": []}),
    "a number that is no text": lambda one: _rule(one).update(when={"watt_hour_over": 100}),
    "a number that is none": lambda one: _rule(one).update(when={"watt_hour_over": "much"}),
    "a negative number": lambda one: _rule(one).update(when={"watt_hour_over": "-100"}),
    "a fraction": lambda one: _rule(one).update(when={"quantity_over": 1.5}),
    "a day that does not exist": lambda one: _rule(one).update(effective_from="2027-02-30"),
    "a day in another spelling": lambda one: _rule(one).update(effective_from="20270201"),
    "a model that is missing": lambda one: _rule(one).update(when={"model": ["no-such-model"]}),
    "a source that is missing": lambda one: _rule(one).update(sources=["no-such-source"]),
    "no source": lambda one: _rule(one).update(sources=[]),
    "a place that is missing": lambda one: _rule(one).update(jurisdiction="XX"),
    "an authority's rule for an airline": lambda one: _rule(one).update(applies=["airline"], airline=None),
    "an airline's rule for departures": lambda one: _rule(one).update(
        applies=["departure"], airline="EK", issuer="airline"
    ),
    "a country's rule for all flights": lambda one: _rule(one).update(jurisdiction="AE", applies=["global"]),
    "a rule that is there twice": lambda one: one["content"]["rules"].append(one["content"]["rules"][0]),
    "a device that is there twice": lambda one: one["content"]["devices"].append(_device(one)),
    "watt-hours without a basis": lambda one: _device(one).update(watt_hour_basis="unknown"),
    "an unknown basis": lambda one: _device(one).update(watt_hour_basis="weighed"),
    "a certificate of another mark": lambda one: _device(one).update(certificates=[{"mark": "KC"}]),
    "an unknown confidence": lambda one: one["content"]["airlines"][0].update(confidence="hearsay"),
    "an unknown cadence": lambda one: one["content"]["sources"][0].update(cadence="hourly"),
    "an unknown kind of source": lambda one: one["content"]["sources"][0].update(kind="oracle"),
    "an unknown scope of a recall": lambda one: _recall(one)["affected_serials"].update(scope="brand"),
    "a pattern that looks ahead": lambda one: _recall(one)["affected_serials"].update(pattern="^A(?=B)"),
    "a truth that is none": lambda one: _recall(one)["affected_serials"].update(exhaustive="yes"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_release_with_something_that_it_does_not_know_is_refused_whole(
    document: bytes, fault: Callable[[Json], Any]
) -> None:
    changed = json.loads(document)
    fault(changed)
    with pytest.raises(UnreadableRelease):
        release_of(json.dumps(changed).encode())


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"null", b'{"format": ', b'{"a": 1, "a": 2}', b'{"a": NaN}', b"\xff"]
)
def test_what_is_no_release_is_refused(text: bytes) -> None:
    with pytest.raises(UnreadableRelease):
        release_of(text)


QUESTION_FAULTS: dict[str, Callable[[Json], Any]] = {
    "a misspelt field": lambda body: body.update(quantitiy=2),
    "a misspelt field of the trip": lambda body: body["trip"].update(dat="2026-11-22"),
    "no model": lambda body: body.pop("model_id"),
    "a number that is text": lambda body: body.update(quantity="2"),
    "too many": lambda body: body.update(quantity=21),
    "true units": lambda body: body.update(quantity=True),
    "an unknown mark": lambda body: body.update(ccc_mark="yes"),
    "a country in lower case": lambda body: body["trip"].update(origin="ae"),
    "stops": lambda body: body["trip"].update(transit=["QA"]),
    "yesterday": lambda body: body["trip"].update(date="2026-11-20"),
    "no day": lambda body: body["trip"].update(date="2026-11-31"),
    "a serial and a hash": lambda body: body.update(serial="A", serial_hash="0" * 64),
    "a long serial": lambda body: body.update(serial="A" * 65),
    "an unknown option": lambda body: body.update(options={"lang": "de"}),
}


@pytest.mark.parametrize("fault", QUESTION_FAULTS.values(), ids=QUESTION_FAULTS)
def test_a_question_that_the_service_would_refuse_is_refused(fault: Callable[[Json], Any]) -> None:
    body = copy.deepcopy(BODY)
    assert question_of(body, TODAY).day == TODAY
    fault(body)
    with pytest.raises(UnreadableQuestion):
        question_of(body, TODAY)


def test_the_flights_of_a_trip_are_those_between_its_stops() -> None:
    body = {"device": {"model_id": "anker-a1289"}, "trip": BODY["trip"] | {"transit": ["QA", "FR"]}}
    legs = [(leg.origin, leg.destination) for leg in question_of(body, TODAY).legs]
    assert legs == [("AE", "QA"), ("QA", "FR"), ("FR", "GB")]
    listed = {"origin": "AE", "destination": "GB", "airline": "EK"}
    with pytest.raises(UnreadableQuestion, match="each flight starts"):
        question_of({"device": body["device"], "trip": {"legs": [listed, listed]}}, TODAY)


# --- Patterns -----------------------------------------------------------------------------------------------

IDENTIFIERS = st.text("AB7C-.\N{ARABIC-INDIC DIGIT THREE}O0]^&_中", max_size=8)


@settings(max_examples=1_000, deadline=None)
@given(patterns(), st.lists(IDENTIFIERS, max_size=12))
@example("A*?B", ["AB", "AAB"])
@example("(A|7B){2}", ["AA", "A7B", "7B"])
@example("[&&A]", ["&", "A", "&&"])
@example("[+--]", [",", "-", "."])
@example(r"[\]A-]", ["]", "A", "-"])
@example("[-A]", ["-", "A"])
@example("[^-]", ["-", "A"])
def test_a_pattern_that_the_service_accepts_means_the_same(pattern: str, identifiers: list[str]) -> None:
    ours, theirs = compiled(pattern), compile_pattern(pattern)
    for identifier in identifiers:
        assert (ours.fullmatch(identifier) is None) == (theirs.fullmatch(identifier) is None), identifier


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bA", r"\pL", r"\x41", r"\1", "(?i)a", "(?P<a>A)", "(?=A)", "(?<!A)", "[[:alpha:]]", "A++",
        "A{2}{3}", "A{,3}", "A{", "(A", "A)", "[Z-A]", "[", "*A", "^*", "[]A]", "[]", "A{3,2}",
    ],
)  # fmt: skip
def test_a_pattern_that_engines_could_read_differently_is_refused(pattern: str) -> None:
    with pytest.raises(UnknownSyntax):
        compiled(pattern)


# --- On the command line ------------------------------------------------------------------------------------


def test_it_answers_a_question(
    release_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(BODY | {"quantity": 2})))
    assert main([str(release_file), "ask", "--on", str(TODAY)]) == FOUND
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["gaps"], shown["constraints"][0]) == ("banned", [], "max_units_1")
    assert shown["release_sha256"] == starter_release().sha256


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"model_id": "no-such-model"}, DIFFERENT),
        ({"trip": BODY["trip"] | {"airline": "ZZ"}}, DIFFERENT),
        ({"trip": BODY["trip"] | {"origin": "XX"}}, DIFFERENT),
        ({"quantity": 0}, UNREADABLE),
        ({"ruleset_version": "2026-11-19"}, UNREADABLE),
        ({"ruleset_version": "2026-11-20"}, FOUND),
    ],
)
def test_its_exit_status_says_whether_there_is_an_answer(
    release_file: Path, tmp_path: Path, changes: Json, status: int
) -> None:
    asked = tmp_path / "question.json"
    asked.write_text(json.dumps(BODY | changes))
    assert main([str(release_file), "ask", str(asked), "--on", str(TODAY)]) == status


def test_a_missing_file_is_no_answer(release_file: Path, tmp_path: Path) -> None:
    assert main([str(tmp_path / "none.json"), "ask"]) == UNREADABLE
    assert main([str(release_file), "compare", str(tmp_path / "none.json")]) == UNREADABLE
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert main([str(release_file), "compare", str(empty)]) == UNREADABLE


# --- It compares answers of the service ---------------------------------------------------------------------


def _stored(number: int, seed: int) -> list[Json]:
    """Return answers of the service, as clients store them."""
    drawer = Drawer(starter_content(), seed)
    found: list[Json] = []
    while len(found) < number:
        drawn, _, _ = drawer.question()
        trip, _ = drawer.trip()
        question = msgspec.structs.replace(drawn, travel_date=TODAY)
        legs = (Leg("JP", "KR", "SQ"), Leg("KR", trip.legs[0].destination, trip.legs[0].airline))
        journey = TripQuestion(unit=trip.unit, legs=legs, travel_date=TODAY)
        try:
            one = json.loads(json_response(verify_body(door.verify(question, now=NOW), "en")).content)
            other = json.loads(json_response(trip_body(door.verify_trip(journey, now=NOW), "en")).content)
        except Unanswerable:
            continue
        found.append({"request": body_of(question), "answer": one, "receipt": None})
        found.append({"request": trip_body_of(journey), "answer": other, "receipt": None})
    return found


@pytest.fixture
def stored(starter_release: Any) -> list[Json]:
    return _stored(120, seed=20261123)


def _compare(release_file: Path, answers: Any) -> int:
    path = release_file.with_name("answers.json")
    path.write_text(json.dumps(answers))
    return main([str(release_file), "compare", str(path)])


def test_the_answers_of_the_service_are_those_that_it_finds(
    release_file: Path, stored: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    assert {one["answer"]["verdict"] for one in stored} == set(vocabulary.VERDICTS)
    assert _compare(release_file, stored) == FOUND
    shown = capsys.readouterr().out.splitlines()
    assert shown == [f"Release 2026-11-20, SHA-256 {starter_release().sha256}", f"{len(stored)} the same."]
    lines = release_file.with_name("answers.jsonl")
    lines.write_text("\n".join(json.dumps(one) for one in stored))
    assert main([str(release_file), "compare", str(lines)]) == FOUND


def test_an_answer_with_fewer_citations_is_compared_with_what_it_was_asked_for(
    release_file: Path, stored: list[Json]
) -> None:
    one = stored[0]
    one["answer"]["citations"] = one["answer"]["citations"][:1]
    one["request"]["options"] = {"citations": "deciding"}
    assert _compare(release_file, one) == FOUND
    one["request"]["options"] = {"citations": "none"}
    assert _compare(release_file, one) == DIFFERENT
    one["answer"]["citations"] = []
    assert _compare(release_file, one) == FOUND


def _milder(answer: Json) -> None:
    answer["verdict"] = "allowed" if answer["verdict"] != "allowed" else "conditional"


LIES: dict[str, Callable[[Json], Any]] = {
    "verdict": _milder,
    "verdict_path": lambda said: said["verdict_path"].pop(-2),
    "constraints": lambda said: said["constraints"].append({"code": "carry_on_perhaps"}),
    "warnings": lambda said: said["warnings"].append({"code": "confiscation_risk", "severity": "advisory"}),
    "citations": lambda said: said["citations"].pop(),
    "recall_status": lambda said: said["device_resolved"].update(recall_status="cleared"),
    "recall_check_method": lambda said: said["device_resolved"].update(recall_check_method="guess"),
}


@pytest.mark.parametrize("field", LIES)
def test_an_answer_that_was_altered_is_found(
    release_file: Path, stored: list[Json], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = stored[0]
    LIES[field](one["answer"])
    assert _compare(release_file, one) == DIFFERENT
    assert f"{one['answer']['verdict_id']}: {field}\n" in capsys.readouterr().out


def test_another_gap_is_found(release_file: Path, stored: list[Json]) -> None:
    [one, *_] = [
        one
        for one in stored
        if one["answer"]["verdict"] == "insufficient" and "verdict_path" in one["answer"]
    ]
    one["answer"]["suggested_next_step"]["code"] = "carry_recall_answer"
    assert _compare(release_file, one) == DIFFERENT


def test_a_trip_whose_flights_were_altered_is_found(release_file: Path, stored: list[Json]) -> None:
    trip = next(one for one in stored if "segments" in one["answer"])
    assert _compare(release_file, trip) == FOUND
    trip["answer"]["segments"][1]["verdict"]["verdict"] = "unheard"
    assert _compare(release_file, trip) == DIFFERENT


def test_an_answer_by_another_release_is_not_compared(
    release_file: Path, stored: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    one = stored[0]
    one["answer"].update(ruleset_version="2026-11-21", verdict="allowed")
    assert _compare(release_file, one) == FOUND
    assert capsys.readouterr().out.endswith("\n1 by another release, not compared.\n")


@pytest.mark.parametrize("answers", [{}, [{"request": BODY}], [{"request": BODY, "answer": {}}], [1], 7])
def test_what_is_no_answer_is_unreadable(release_file: Path, answers: Any) -> None:
    assert _compare(release_file, answers) == UNREADABLE


def test_an_answer_about_what_is_not_covered_is_different(release_file: Path, stored: list[Json]) -> None:
    stored[0]["request"]["model_id"] = "no-such-model"
    assert _compare(release_file, stored[0]) == DIFFERENT


def test_the_questions_in_its_readme_are_asked_as_they_are_printed(
    release_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (PROGRAM.parent / "README.md").read_text()
    [(body, options)] = re.findall(r"echo '(.*)' \|\n  python3 -m battery_travel_reference \S+ (.*)\n", text)
    monkeypatch.setattr("sys.stdin", io.StringIO(body))
    assert main([str(release_file), *options.split()]) == FOUND


def test_a_travel_date_may_be_left_out() -> None:
    assert question_of(BODY, TODAY).day == TODAY
    later = BODY | {"trip": BODY["trip"] | {"date": "2026-12-01"}}
    assert question_of(later, TODAY).day == date(2026, 12, 1)
