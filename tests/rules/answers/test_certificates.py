"""A suspended or revoked certificate puts the mark in doubt where a flight demands the mark."""

import datetime
from typing import Any

import msgspec
import pytest
from django.conf import settings

from rules import verdicts, wording
from rules.answers.alternatives import alternatives
from rules.answers.rules_in_play import deciding
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.facts import Certificate, Leg, Question, Unit
from rules.verdicts import Answer
from rules.wording.dates import day_in
from tests.rules.answer_texts import reads_well
from tests.support.starter import NOW, starter_content

MODEL = "anker-a1289"
TODAY = NOW.date()
DAY = datetime.timedelta(days=1)
REGISTER = "https://register.example/certificates"
SOURCE = next(source for source in starter_content().sources if source.citable)
SUSPENDED = Certificate(
    mark="CCC", status="suspended", source=SOURCE.id, number="2024010907", lookup_url=REGISTER
)


def suspended(**changes: Any) -> Certificate:
    return msgspec.structs.replace(SUSPENDED, **changes)


def answer(*certificates: Certificate, mark: str = "present", route: str = "CN-CN") -> Answer:
    content = starter_content()
    devices = tuple(
        msgspec.structs.replace(row, certificates=certificates) if row.model_id == MODEL else row
        for row in content.devices
    )
    release = Published(
        ruleset_version="2026-11-20",
        sha256="0" * 64,
        published_at=NOW,
        corpus=Corpus(msgspec.structs.replace(content, devices=devices)),
    )
    question = Question(
        unit=Unit(model_id=MODEL, ccc_mark=mark),  # type: ignore[arg-type]
        leg=Leg(route[:2], route[3:], "CA"),
        travel_date=TODAY,
    )
    return verdicts.answer_from(release, question, now=NOW)


def codes(given: Answer) -> list[str]:
    return [constraint.code for constraint in given.outcome.constraints]


def test_a_marked_unit_is_conditional_where_the_mark_is_demanded_and_the_certificate_suspended() -> None:
    assert answer().outcome.verdict == "allowed"
    given = answer(suspended())
    assert given.outcome.verdict == "conditional"
    assert codes(given)[0] == "ccc_certificate_suspended"
    assert "ccc_mark_in_doubt" in {warning.code for warning in given.outcome.warnings}
    assert given.outcome.path[:3] == ("device.resolved", "recall.not_affected", "certificate.suspended")
    assert SOURCE.url in {citation.url for citation in given.outcome.citations}


def test_an_unmarked_unit_stays_banned_and_an_unknown_mark_is_conditional_for_both_reasons() -> None:
    absent, unknown = answer(suspended(), mark="absent"), answer(suspended(), mark="unknown")
    assert absent.outcome.verdict == "banned"
    assert codes(absent) == codes(answer(mark="absent"))
    assert unknown.outcome.verdict == "conditional"
    assert codes(unknown)[:2] == ["ccc_certificate_suspended", "ccc_mark_required"]


def test_a_flight_that_does_not_demand_the_mark_is_answered_as_ever() -> None:
    with_it, without = answer(suspended(), route="CN-JP").outcome, answer(route="CN-JP").outcome
    assert (with_it.verdict, with_it.constraints, with_it.warnings, with_it.path, with_it.citations) == (
        without.verdict, without.constraints, without.warnings, without.path, without.citations,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("since", "until", "verdict"),
    [
        (TODAY, TODAY, "conditional"),
        (None, TODAY - DAY, "allowed"),
        (TODAY + DAY, None, "allowed"),
        (None, None, "conditional"),
    ],
)
def test_both_days_of_a_status_are_included_and_the_travel_date_decides(
    since: datetime.date | None, until: datetime.date | None, verdict: str
) -> None:
    assert answer(suspended(since=since, until=until)).outcome.verdict == verdict


def test_any_certificate_in_force_is_enough_and_the_graver_status_is_named() -> None:
    outcome = answer(suspended(status="valid"), suspended(), suspended(status="revoked")).outcome
    assert outcome.verdict == "conditional"
    assert outcome.path[2] == "certificate.revoked"


def test_a_suspension_ahead_is_announced_and_no_answer_outlives_its_day() -> None:
    given = answer(suspended(since=TODAY + DAY))
    [warning] = [one for one in given.outcome.warnings if one.code == "certificate_change_upcoming"]
    assert dict(warning.params) == {"date": (TODAY + DAY).isoformat()}
    assert given.expires_at == datetime.datetime.combine(TODAY + DAY, datetime.time(), datetime.UTC)


@pytest.mark.parametrize("lookup_url", [REGISTER, None])
def test_what_to_do_is_said_in_every_language_with_the_address_where_that_is_known(
    lookup_url: str | None,
) -> None:
    given = answer(suspended(lookup_url=lookup_url))
    question, outcome = given.question, given.outcome
    for language, _ in settings.LANGUAGES:
        said = wording.constraint_messages(outcome, language)[0]
        points = wording.open_points(given.release, question, question.leg, outcome, language)
        step = wording.next_step(given, language)
        assert points == (said,)
        assert step is not None
        assert (step.code, step.url) == ("look_up_certificate", lookup_url)
        for text in (said, wording.summary(given, language), step.message):
            assert (REGISTER in text) == (lookup_url is not None)
    for text in (*wording.constraint_messages(outcome, "en"), *wording.warning_messages(outcome, "en")):
        reads_well(text)


def test_the_day_on_which_a_suspension_is_over_helps_and_says_why() -> None:
    over = TODAY + 4 * DAY
    given = answer(suspended(until=over - DAY))
    words = wording.alternatives_words(alternatives(given), "en")
    [helping] = [one for one in words.helping if one.alternative.question.travel_date == over]
    assert helping.alternative.verdict == "allowed"
    assert helping.changes == (
        f"Fly on {day_in(over, 'en')}, when the CCC (3C) certificate has another status.",
    )


def test_the_rule_that_demands_the_mark_is_among_those_that_decide() -> None:
    given = answer(suspended())
    assert deciding(given.release, given.question, given.outcome) == ("cn.caac.2025.ccc-mark-domestic",)


def test_the_path_in_words_tells_of_the_certificate_with_its_number_and_its_source() -> None:
    given = answer(suspended())
    [step] = [one for one in wording.steps(given.release, given.outcome, "en") if one.kind == "certificate"]
    assert step.says == "A CCC (3C) certificate of this model is suspended on the day of travel."
    assert step.conditions == ("Certificate number: 2024010907.",)
    assert [citation.url for citation in step.citations] == [SOURCE.url]
