"""What an integrator relies on when reading codes: all are there, each says what answers say with it."""

import re
from typing import Any, get_args

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from compliance.api.protocol.codes import MAX_UNITS
from compliance.api.protocol.errors import PROBLEMS
from compliance.api.protocol.field_codes import MEANINGS, FieldCode
from compliance.channels.mcp import resources
from rules.engine.facts import Params, When
from rules.engine.matching import statement_of
from rules.engine.vocabulary import CODES, MAX_QUANTITY, Nature
from rules.engine.weighing import Gap
from rules.wording import sentence
from rules.wording.next_steps import StepCode
from tests.compliance.api.reading import read
from tests.support.api_requests import VERIFY, a_request, answer, problem
from tests.support.factories import a_rule
from tests.support.starter import starter_content

LANGUAGES = [code for code, _ in settings.LANGUAGES]

pytestmark = pytest.mark.usefixtures("asked_now")


def codes(client: Client, **query: Any) -> dict[str, dict[str, Any]]:
    return {one["code"]: one for one in read(client, "/api/codes", **query)["codes"]}


def texts(code: dict[str, Any], language: str = "en") -> list[str]:
    return [said["text"][language] for said in code["sentences"]]


def test_it_lists_every_code_of_engine_wording_and_errors_once(client: Client) -> None:
    listed = read(client, "/api/codes")
    kinds: dict[str, list[str]] = {}
    for one in listed["codes"]:
        kinds.setdefault(one["kind"], []).append(one["code"])
    warnings = [name for name, code in CODES.items() if code.nature in {Nature.ADVICE, Nature.NOTICE}]
    suggested = {problem.suggested.code for problem in PROBLEMS.values()}
    assert kinds["warning"] == warnings
    assert kinds["constraint"] == [name for name in CODES if name not in warnings]
    assert kinds["gap"] == [*get_args(Gap)]
    assert sorted(kinds["next_step"]) == sorted({*get_args(StepCode), *suggested})
    assert kinds["error"] == [*PROBLEMS]
    assert kinds["field_error"] == [*get_args(FieldCode)]
    assert listed["total"] == len(listed["codes"])


def test_an_error_about_a_whole_request_has_a_listed_code_for_its_field() -> None:
    refused = {code.lower() for code, problem_ in PROBLEMS.items() if problem_.status == 400}
    assert refused <= {*get_args(FieldCode)}


def test_each_code_says_its_nature_severity_status_and_first_version(client: Client) -> None:
    listed = codes(client)
    assert listed["max_units"]["nature"] == "limit"
    assert listed["airline_policy_unconfirmed"]["severity"] == "caution"
    stale = listed["evidence_stale"]
    assert (stale["severity"], stale["severity_at_worst"]) == ("advisory", "caution")
    assert listed["RATE_LIMITED"]["status"] == 429
    assert {re.fullmatch(r"\d+\.\d+\.\d+", one["since"]) is not None for one in listed.values()} == {True}


def test_travelers_sentences_are_in_all_languages_and_those_for_developers_in_english(client: Client) -> None:
    listed = codes(client)
    for name in (*CODES, *get_args(Gap)):
        assert all([*said["text"]] == LANGUAGES for said in listed[name]["sentences"]), name
    details = {name: one.detail for name, one in PROBLEMS.items()}
    for name, text in (*details.items(), *MEANINGS.items()):
        assert [said["text"] for said in listed[name]["sentences"]] == [{"en": text}]
    # Both a verdict and an error may suggest it.
    asked = [[*said["text"]] for said in listed["ask_airline"]["sentences"]]
    assert LANGUAGES in asked
    assert ["en"] in asked
    assert all(one["sentences"] for one in listed.values())


def test_every_sentence_has_its_values_in_every_language(client: Client) -> None:
    for one in codes(client).values():
        for said in one["sentences"]:
            for language, text in said["text"].items():
                assert {*re.findall(r"\{(\w+)\}", text)} <= {*said.get("parameters", ())}, language
                assert "%" not in text, language
            english = {*re.findall(r"\{(\w+)\}", said["text"]["en"])}
            assert english == {*said.get("parameters", ())}


def test_a_language_makes_it_small_and_leaves_no_code_without_a_text(client: Client) -> None:
    german = codes(client, language="de")
    assert german.keys() == codes(client).keys()
    assert texts(german["max_units"], "de")[0] == "Höchstens {max_units} Powerbank pro Person."
    assert [*german["RATE_LIMITED"]["sentences"][0]["text"]] == ["en"]
    whole, small = (len(client.get(f"/api/codes{query}").content) for query in ("", "?language=de"))
    assert small < whole / 2


def test_a_kind_selects_and_another_word_is_refused(client: Client) -> None:
    assert {one["kind"] for one in codes(client, kind="gap").values()} == {"gap"}
    assert problem(client.get("/api/codes?kind=rumour"))["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_says_what_the_list_says(client: Client, language: str) -> None:
    listed = codes(client, language=language)
    said = answer(client, VERIFY, a_request(options={"language": language}))
    assert said["constraints"]
    for one in (*said["constraints"], *said["warnings"]):
        fitting = [code for code in listed.values() if _is_written(code, one["code"])]
        assert len(fitting) == 1, one["code"]
        patterns = [_filled(text) for text in texts(fitting[0], language)]
        assert any(re.fullmatch(pattern, one["message"]) for pattern in patterns), one


@given(
    st.integers(1, MAX_QUANTITY),
    st.none() | st.decimals("0.01", 1000, places=2, allow_nan=False, allow_infinity=False),
)
def test_max_units_is_written_with_every_number_that_a_rule_may_have(most: int, over: Any) -> None:
    rule = a_rule(
        effect="require", code="max_units", params=Params(max_units=most), when=When(watt_hour_over=over)
    )
    statement = statement_of(rule)
    assert statement is not None
    assert MAX_UNITS.fullmatch(statement.code)


def test_every_rule_of_the_starter_corpus_says_a_listed_code_and_sentence(client: Client) -> None:
    listed = codes(client, language="en")
    said = [one for one in map(statement_of, starter_content().rules) if one is not None]
    assert {one.nature for one in said} >= {Nature.LIMIT, Nature.CONDUCT, Nature.ADVICE}
    for one in said:
        assert _is_written(listed[one.name], one.code)
        assert any(re.fullmatch(_filled(text), sentence(one, "en")) for text in texts(listed[one.name]))


def test_a_code_with_numbers_shows_how_answers_write_it(client: Client) -> None:
    shown = {code["code"]: code for code in read(client, "/api/codes?kind=constraint")["codes"]}
    assert [code for code, one in shown.items() if "examples" in one] == ["max_units"]
    units = shown["max_units"]
    assert units["examples"]
    for written in units["examples"]:
        assert [code for code, one in shown.items() if _is_written(one, written)] == ["max_units"]


def test_the_sandbox_gives_the_same_list(client: Client) -> None:
    assert read(client, "/sandbox/api/codes") == read(client, "/api/codes")


def test_agents_read_it_in_english_as_a_resource(client: Client) -> None:
    (uri,) = [one.uri for one in resources.listed() if one.name == "codes"]
    read_ = resources.read(uri)
    assert read_ is not None
    assert read_.text == client.get(uri.removeprefix(settings.SITE_URL)).content.decode()


def _is_written(code: dict[str, Any], written: str) -> bool:
    pattern = code.get("written_as")
    return code["code"] == written if pattern is None else re.fullmatch(pattern, written) is not None


def _filled(text: str) -> str:
    return re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))
