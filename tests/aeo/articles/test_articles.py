"""An article says what the API answers, keeps the manifest's bounds and names only rules that spoke."""

import datetime
import json
from decimal import Decimal

import msgspec
import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aeo import editions
from aeo.articles.article import Article, article, source_sentence
from aeo.articles.documents import ask, document
from aeo.editions import Edition
from aeo.web.documents import encode
from rules import corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Rule, When
from rules.engine.vocabulary import STRICTNESS
from rules.wording import rule_message
from tests.support import starter

RELEASE = starter.starter_release()
EDITION = editions.of(RELEASE, starter.NOW)

combinations = st.tuples(
    st.sampled_from(sorted(RELEASE.shelf.devices)),
    st.sampled_from(sorted(RELEASE.shelf.airlines)),
    st.one_of(
        st.sampled_from(sorted(RELEASE.corpus.countries)),
        st.sampled_from(sorted(rule.jurisdiction for rule in RELEASE.shelf.rules.values())).filter(
            RELEASE.corpus.countries.__contains__
        ),
    ),
)

many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def article_of(combination: tuple[str, str, str], edition: Edition = EDITION) -> Article | None:
    try:
        return article(edition, *combination)
    except AirlineNotCovered:
        return None


@many
@given(combinations)
def test_an_article_keeps_the_bounds_of_the_manifest(combination: tuple[str, str, str]) -> None:
    shown = article_of(combination)
    if shown is None:
        return
    assert 160 <= len(shown.body) <= 1600
    assert len(shown.summary) >= 20
    assert len(shown.route_factors) >= 4
    assert min(map(len, shown.route_factors)) >= 40
    assert len(shown.citations) >= len(shown.leading_sources) >= 1


@many
@given(combinations)
def test_nothing_that_is_banned_is_said_to_be_within_a_limit(combination: tuple[str, str, str]) -> None:
    shown = article_of(combination)
    if shown is not None and shown.verdict == "banned":
        assert "The rules that permit it" not in shown.body


@many
@given(combinations)
def test_the_body_is_summary_factors_and_sources_word_by_word(combination: tuple[str, str, str]) -> None:
    shown = article_of(combination)
    if shown is None:
        return
    sources = [source_sentence(citation) for citation in shown.leading_sources]
    assert shown.body == " ".join([shown.summary, *shown.route_factors, *sources])
    assert all(citation.authority in shown.body for citation in shown.leading_sources)
    assert all(text.endswith(".") for text in (shown.summary, *shown.route_factors))


@many
@given(combinations)
def test_factors_say_only_what_rules_that_spoke_say_in_their_words(
    combination: tuple[str, str, str],
) -> None:
    shown = article_of(combination)
    if shown is None:
        return
    steps = {step for flight in shown.flights for step in flight.answer.outcome.path}
    for factor in shown.factors:
        for sentence in factor.sentences:
            if sentence.rule_id is not None:
                rule = RELEASE.shelf.rules[sentence.rule_id]
                assert rule.rule_id in steps
                assert sentence.text == rule_message(rule, "en")
                assert (factor.kind == "airline") == (rule.airline == shown.airline.airline)
                assert (factor.kind == "baseline") == (rule.jurisdiction == "INTL")


@many
@given(combinations)
def test_what_is_not_allowed_opens_with_its_verdict_and_never_reads_as_allowed(
    combination: tuple[str, str, str],
) -> None:
    shown = article_of(combination)
    if shown is None or shown.verdict == "allowed":
        return
    opening = {"conditional": "Conditional: ", "insufficient": "Not cleared: ", "banned": "Banned: "}
    assert shown.summary.startswith(opening[shown.verdict])
    assert not any("Allowed" in text for text in (shown.summary, *shown.route_factors))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(combination=combinations)
@pytest.mark.usefixtures("starter_release", "now")
def test_the_verdict_is_the_strictest_of_what_the_api_answers(combination: tuple[str, str, str]) -> None:
    shown = article_of(combination)
    if shown is None:
        return
    client, verdicts = Client(), []
    for flight in json.loads(encode(document(shown)))["flights"]:
        answer = client.post("/api/verify", flight["ask"]["body"], content_type="application/json").json()
        verdicts.append(answer["verdict"])
        for field in ("verdict", "summary", "constraints", "warnings", "verdict_path"):
            assert flight[field] == answer[field]
        assert shown.expires_at <= datetime.datetime.fromisoformat(answer["expires_at"])
        assert shown.release.ruleset_version == answer["ruleset_version"]
    assert shown.verdict == max(verdicts, key=lambda verdict: STRICTNESS[verdict])


def test_kinds_of_flights_are_two_or_three_where_the_airline_is_at_home(edition: Edition) -> None:
    abroad = article(edition, "anker-a1289", "EK", "JP")
    assert [(flight.kind, flight.leg.origin, flight.leg.destination) for flight in abroad.flights] == [
        ("departing", "JP", "AE"),
        ("arriving", "AE", "JP"),
    ]
    home = article(edition, "anker-a1289", "JL", "JP")
    assert [flight.kind for flight in home.flights] == ["departing", "arriving", "domestic"]
    assert "from, to and within Japan" in home.question


def test_of_two_limits_only_the_stricter_one_is_told(edition: Edition) -> None:
    shown = article(edition, "anker-a1289", "EK", "JP")
    assert "intl.icao.2026.max-two" in shown.flights[0].answer.outcome.path
    assert "At most 1 power bank per passenger." in shown.body
    assert "At most 2" not in shown.body


def test_nothing_is_told_twice(edition: Edition) -> None:
    shown = article(edition, "anker-a1263", "CA", "CN")
    texts = [sentence.text for factor in shown.factors for sentence in factor.sentences]
    assert len(texts) == len(set(texts))


def test_a_recalled_model_is_banned_inside_china_and_says_so_first(edition: Edition) -> None:
    shown = article(edition, "anker-a1263", "CA", "CN")
    assert shown.verdict == "banned"
    assert shown.summary.startswith(
        "Banned: one Anker PowerCore 10000 may not travel on Air China flights within"
    )
    assert "On its flights from and to China it may travel only once" in shown.summary
    assert shown.factors[0].kind == "recalls"


def test_an_airline_without_a_rule_in_force_has_no_article(edition: Edition) -> None:
    silent = next(code for code in RELEASE.shelf.airlines if not RELEASE.shelf.rules_of(code))
    for code in (silent, "XX"):
        with pytest.raises(AirlineNotCovered):
            article(edition, "anker-a1289", code, "JP")


def test_a_model_without_watt_hours_is_told_truthfully(edition: Edition) -> None:
    unknown = next(one for one in RELEASE.shelf.all_devices if one.watt_hour is None)
    shown = article(edition, unknown.model_id, "BA", "GB")
    assert shown.verdict in {"insufficient", "banned"}
    assert "are not known, so no limit can be checked" in shown.body


def test_reading_a_source_again_leaves_the_content_hash_alone(edition: Edition) -> None:
    content = starter.starter_content()
    later = tuple(
        msgspec.structs.replace(source, read_on=source.read_on + datetime.timedelta(days=1))
        for source in content.sources
    )
    again = starter.published(msgspec.structs.replace(content, sources=later), "2026-11-21")
    before, after = (
        article(one, "anker-a1289", "EK", "JP") for one in (edition, editions.of(again, starter.NOW))
    )
    assert before.content_hash == after.content_hash
    assert before.body != after.body


def test_a_new_rule_moves_the_content_hash_of_the_pages_that_it_speaks_on(edition: Edition) -> None:
    content = starter.starter_content()
    known = next(rule for rule in content.rules if rule.rule_id == "ek.max-units")
    refusal: Rule = msgspec.structs.replace(
        known,
        rule_id="ek.refuses-small-ones",
        effect="prohibit",
        code="over_watt_hour_limit",
        params=msgspec.structs.replace(known.params, max_units=None, limit_watt_hour=Decimal(20)),
        when=When(watt_hour_over=Decimal(20)),
    )
    changed = editions.of(
        starter.published(msgspec.structs.replace(content, rules=(*content.rules, refusal))), starter.NOW
    )
    for airline, verdict, same in (("EK", "banned", False), ("BA", "allowed", True)):
        before = article(edition, "anker-a1289", airline, "GB")
        after = article(changed, "anker-a1289", airline, "GB")
        assert (before.verdict, after.verdict) == ("allowed", verdict)
        assert (before.content_hash == after.content_hash) is same


def test_the_strictest_country_at_the_other_end_gives_the_row(edition: Edition) -> None:
    content = starter.starter_content()
    known = next(rule for rule in content.rules if rule.rule_id == "jp.mlit.over-160wh")
    refusal = msgspec.structs.replace(
        known,
        rule_id="jp.mlit.refuses-all",
        applies=("arrival",),
        when=When(),
    )
    changed = editions.of(
        starter.published(msgspec.structs.replace(content, rules=(*content.rules, refusal))), starter.NOW
    )
    departing = article(changed, "anker-a1289", "BA", "GB").flights[0]
    assert (departing.leg.destination, departing.answer.outcome.verdict) == ("JP", "banned")
    assert departing.milder == len(content.countries) - 2


def test_an_answer_is_asked_for_the_first_instant_of_the_edition(edition: Edition) -> None:
    question = article(edition, "anker-a1289", "EK", "JP").flights[0]
    assert ask(question)["trip"]["date"] == "2026-11-21"
    with corpus.answering_from(RELEASE):
        assert question.answer.generated_at == edition.opened_at
