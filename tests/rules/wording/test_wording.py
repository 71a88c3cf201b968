"""What readers rely on: every code has its sentence, and every answer reads like a person wrote it."""

import datetime
import itertools
from gettext import NullTranslations
from typing import Any

import msgspec
import pytest
from django.conf import settings as site
from hypothesis import given, settings
from hypothesis import strategies as st

from recalls.serials import AffectedSerials, MatchStatus, SerialEvaluation
from rules import wording
from rules.engine.errors import ModelNotFound
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.matching import Statement
from rules.engine.outcomes import RecallFinding
from rules.engine.vocabulary import CODES, Nature
from rules.verdicts import Answer, TripAnswer
from rules.wording import translating
from rules.wording.saying import say
from rules.wording.sentences import lookup_url, sentence
from rules.wording.texts import STATEMENTS, SUMMARIES
from rules.wording.translating import translated
from tests.rules.answer_texts import SENTENCE_END, drawn_answers, reads_well
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.starter import NOW, starter_content, starter_release

CARRIES_NOTHING = {"banned", "insufficient"}
"""The verdicts with which nothing says how to carry a power bank."""


def an_answer(model_id: str, route: str, compartment: str = "carry_on", **unit: Any) -> Answer:
    """Ask about a route like `CN-JP CA` and return the answer."""
    return door.verify(
        Question(
            unit=Unit(model_id=model_id, **unit),
            leg=legs(route)[0],
            travel_date=NOW.date(),
            compartment_intent=compartment,  # type: ignore[arg-type]
        ),
        now=NOW,
    )


def a_trip_answer(model_id: str, *routes: str, **unit: Any) -> TripAnswer:
    """Ask about flights like `CN-JP CA`, `JP-US NH` and return the answer."""
    question = TripQuestion(unit=Unit(model_id=model_id, **unit), legs=legs(*routes), travel_date=NOW.date())
    return door.verify_trip(question, now=NOW)


def legs(*routes: str) -> tuple[Leg, ...]:
    return tuple(Leg(route[:2], route[3:5], route[6:]) for route in routes)


# --- Codes ---


@pytest.mark.parametrize("name", CODES)
def test_every_code_of_the_registry_has_a_sentence(name: str) -> None:
    code = CODES[name]
    params = {"max_units": "2", "limit_watt_hour": "160"}
    statement = Statement(
        name, name, code.nature, params=((code.parameter, params[code.parameter]),) if code.parameter else ()
    )
    if name in {"rule_change_upcoming", "certificate_change_upcoming"}:
        statement = msgspec.structs.replace(statement, params=(("date", "2026-12-01"),))
    if name == "evidence_stale":
        statement = msgspec.structs.replace(statement, params=(("read_on", "2026-12-01"),))
    if name == "marketing_airline_stricter":
        statement = msgspec.structs.replace(statement, params=(("airline", "QF"),))
    reads_well(sentence(statement, "en"))
    for param, value in statement.params:
        assert ("1 December 2026" if param in ("date", "read_on") else value) in sentence(statement, "en")


def test_no_sentence_is_left_over_that_no_code_can_say() -> None:
    assert {name.partition(".")[0] for name in STATEMENTS} == set(CODES)


def test_no_two_codes_say_the_same() -> None:
    texts = [str(text) for name, text in STATEMENTS.items() if "units" not in name and "quantity" not in name]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("units", "words"), [("1", "1 power bank per"), ("2", "2 power banks per"), ("20", "20 power banks")]
)
def test_one_power_bank_is_singular_and_more_are_plural(units: str, words: str) -> None:
    assert words in sentence(
        Statement("max_units", f"max_units_{units}", Nature.LIMIT, params=(("max_units", units),)), "en"
    )


def test_a_limit_above_some_watt_hours_names_them() -> None:
    params = (("max_units", "2"), ("watt_hour_over", "100"))
    statement = Statement("max_units", "max_units_over_100wh_2", Nature.LIMIT, params=params)
    assert sentence(statement, "en") == "At most 2 power banks over 100 Wh per passenger."


def test_a_recall_message_names_the_makers_address_where_there_is_one() -> None:
    check = Statement("recall_serial_check", "recall_serial_check", Nature.PRECONDITION)
    assert "https://maker.example/list" in sentence(check, "en", "https://maker.example/list")
    reads_well(sentence(check, "en"))


def test_the_address_is_that_of_a_recall_which_is_still_open() -> None:
    def finding(status: MatchStatus, address: str | None) -> RecallFinding:
        recall = msgspec.structs.replace(
            starter_content().recalls[0],
            affected_serials=AffectedSerials("lookup_required", "serial", explicit_list_url=address),
        )
        return RecallFinding(recall, SerialEvaluation(status, "none"))

    cleared = finding("not_affected", "https://maker.example/cleared")
    silent = finding("unknown", None)
    first, second = (
        finding("unknown", "https://maker.example/1"),
        finding("unknown", "https://maker.example/2"),
    )
    assert lookup_url([cleared, silent]) is None
    assert lookup_url([cleared, silent, first, second]) == "https://maker.example/1"


def test_another_language_is_looked_up_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shouting:
        """Stands for a translation: the English in capitals, with the plural of one for everything."""

        def gettext(self, text: str) -> str:
            return text.replace("Keep", "KEEP")

        def ngettext(self, singular: str, plural: str, number: int) -> str:
            return f"[{number}] {plural}"

    monkeypatch.setattr(
        translating, "translations", lambda language: Shouting() if language == "de" else NullTranslations()
    )
    say.cache_clear()
    sentence.cache_clear()
    reach = Statement("keep_within_reach", "keep_within_reach", Nature.CONDUCT)
    units = Statement("max_units", "max_units_1", Nature.LIMIT, params=(("max_units", "1"),))
    english = sentence(reach, "en")
    assert english.startswith("Keep")
    assert sentence(reach, "de") == english.replace("Keep", "KEEP")
    assert sentence(units, "de") == "[1] At most 1 power banks per passenger."
    assert sentence(reach, "en") == english
    say.cache_clear()
    sentence.cache_clear()


# --- Summaries, one of each kind ---

CLEAN, CLEAN_148_WH, CLEAN_192_WH = "anker-a1289", "romoss-pea40", "ecoflow-trail-200-dc"


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            {"model_id": CLEAN, "route": "JP-SG SQ"},
            "Allowed in your cabin bag on this flight. At most 2 power banks; do not use or recharge them on "
            "board. Keep it out of the overhead bin.",
        ),
        (
            {"model_id": CLEAN, "route": "AE-GB EK", "compartment": "on_person"},
            "Allowed on your person on this flight. At most 1 power bank; do not use or recharge it on "
            "board. Keep it out of the overhead bin.",
        ),
        (
            {"model_id": CLEAN, "route": "AE-GB EK", "quantity": 2},
            "Not allowed on this flight. At most 1 power bank per passenger may travel, and you have 2.",
        ),
        (
            {"model_id": CLEAN_148_WH, "route": "JP-SG SQ"},
            "May travel in your cabin bag on this flight only once the following is settled. Singapore "
            "Airlines must approve it before you fly. At most 2 power banks; do not use or recharge them on "
            "board. Keep it out of the overhead bin.",
        ),
        (
            {"model_id": CLEAN, "route": "CN-CN CA"},
            "May travel in your cabin bag on this flight only once the following is settled. Make "
            "sure that it has a readable CCC (3C) mark. At most 2 power banks; do not use or recharge "
            "them on board.",
        ),
        (
            {"model_id": CLEAN_148_WH, "route": "CN-CN CA", "ccc_mark": "present"},
            "May travel in your cabin bag on this flight only once the following is settled. Air China "
            "must approve it before you fly. At most 2 power banks; do not use or recharge them on board.",
        ),
        (
            {"model_id": CLEAN, "route": "CN-CN CA", "ccc_mark": "absent"},
            "Not allowed on this flight. A CCC (3C) mark is required, and it has none.",
        ),
        (
            {"model_id": CLEAN, "route": "CN-JP CA", "capacity_label": "missing"},
            "Not allowed on this flight. A readable rating on the unit is required, and it has none.",
        ),
        (
            {"model_id": CLEAN, "route": "JP-SG SQ", "condition": "damaged"},
            "Not allowed on this flight. A damaged power bank may not travel.",
        ),
        (
            {"model_id": CLEAN, "route": "JP-SG SQ", "compartment": "checked"},
            "Not allowed in checked baggage; power banks travel in the cabin only. Check again for "
            "your cabin bag.",
        ),
        (
            {"model_id": CLEAN_192_WH, "route": "JP-SG SQ"},
            "Not allowed on this flight. It has 192 Wh and the limit is 160 Wh.",
        ),
        (
            {"model_id": CLEAN_192_WH, "route": "JP-SG SQ", "compartment": "checked"},
            "Not allowed on this flight. Power banks are not accepted in checked baggage. It has 192 Wh and "
            "the limit is 160 Wh.",
        ),
        (
            {"model_id": "anker-a1263", "route": "CN-CN CA", "ccc_mark": "present"},
            "Not allowed on this flight. Its model is under recall, and recalled models are refused on this "
            "route.",
        ),
        (
            {"model_id": "anker-a1263", "route": "CN-JP CA"},
            "May travel in your cabin bag on this flight only once the following is settled. Its model is "
            "under recall: check yours at https://www.anker.com/product-recalls before you fly. At most 2 "
            "power banks; do not use or recharge them on board. Keep it out of the overhead bin.",
        ),
    ],
)
def test_a_summary_says_what_why_and_what_next(asked: dict[str, Any], words: str) -> None:
    assert wording.summary(an_answer(**asked), "en") == words


@pytest.mark.usefixtures("starter_release")
def test_unknown_watt_hours_ask_for_the_label() -> None:
    answer = an_answer("anker-a1680", "JP-SG SQ")
    assert answer.outcome.verdict == "insufficient"
    assert "read its label and ask Singapore Airlines" in wording.summary(answer, "en")


@pytest.mark.usefixtures("starter_release")
def test_a_recall_of_all_units_is_the_reason() -> None:
    recall = next(row for row in starter_content().recalls if row.affected_serials.scope == "all_units")
    answer = an_answer(recall.model_id, "JP-SG SQ")
    assert answer.outcome.recall_status == "affected"
    assert "It is under recall: stop using it and follow the recall notice." in wording.summary(answer, "en")


# --- Trips ---


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            (CLEAN, "JP-CN CA", "CN-CN CA"),
            "May travel in your cabin bag on this trip only once the following is settled. Make sure "
            "that it has a readable CCC (3C) mark. The strictest answer is for flight 2 of 2 (China "
            "to China, Air China). At most 2 power banks; do not use or recharge them on board. Keep it out "
            "of the overhead bin.",
        ),
        (
            (CLEAN, "US-DE LH", "DE-AE EK"),
            "Allowed in your cabin bag on each of the 2 flights of this trip. At most 1 power bank; do not "
            "use or recharge it on board. Keep it out of the overhead bin.",
        ),
        (
            (CLEAN_148_WH, "US-DE LH", "DE-AE EK"),
            "Not allowed on this trip. It has 148 Wh and the limit is 100 Wh. The strictest answer is "
            "for flight 2 of 2 (Germany to United Arab Emirates, Emirates).",
        ),
        (
            (CLEAN, "US-JP NH", "JP-SG NK"),
            "Not enough is known to clear it for your cabin bag on this trip. Spirit Airlines is not "
            "covered here, so ask the airline. The strictest answer is for flight 2 of 2 (Japan to "
            "Singapore, Spirit Airlines).",
        ),
        (
            (CLEAN, "US-JP ZZ"),
            "Not enough is known to clear it for your cabin bag on this flight. ZZ is not covered here, so "
            "ask the airline.",
        ),
        (
            (CLEAN_148_WH, "JP-SG SQ", "SG-SG SQ", "SG-CN CA", "CN-JP CA"),
            "May travel in your cabin bag on this trip only once the following is settled. Singapore "
            "Airlines must approve it before you fly. Air China must approve it before you fly. All 4 "
            "flights have the same answer. At most 2 power banks; do not use or recharge them on board. Keep "
            "it out of the overhead bin.",
        ),
        (
            (CLEAN_148_WH, "JP-SG SQ", "SG-AE EK", "AE-GB EK"),
            "Not allowed on this trip. It has 148 Wh and the limit is 100 Wh. The strictest answer is for "
            "2 of 3 flights; the first is flight 2 (Singapore to United Arab Emirates, Emirates).",
        ),
    ],
)
def test_the_summary_of_a_trip_names_its_strictest_flight(asked: tuple[str, ...], words: str) -> None:
    model_id, *routes = asked
    assert wording.trip_summary(a_trip_answer(model_id, *routes), "en") == words


@pytest.mark.usefixtures("starter_release")
def test_a_trip_of_one_flight_reads_like_the_flight() -> None:
    for route in ("JP-SG SQ", "CN-CN CA", "DE-AE EK"):
        flight = wording.summary(an_answer(CLEAN_148_WH, route), "en")
        trip = wording.trip_summary(a_trip_answer(CLEAN_148_WH, route), "en")
        assert trip == flight


# --- Every answer of the corpus reads well ---


@pytest.mark.usefixtures("starter_release")
def test_thousands_of_answers_read_well_and_stay_short() -> None:
    kinds = set()
    for answer in drawn_answers(6000):
        summary = wording.summary(answer, "en")
        reads_well(summary)
        assert len(summary) <= 450, summary
        for message in (
            *wording.constraint_messages(answer.outcome, "en"),
            *wording.warning_messages(answer.outcome, "en"),
        ):
            reads_well(message)
        kinds.add(answer.outcome.verdict)
    assert kinds == {"allowed", "conditional", "insufficient", "banned"}


@pytest.mark.parametrize("language", dict(site.LANGUAGES))
@pytest.mark.usefixtures("starter_release")
def test_the_headline_says_every_rule_of_carrying_in_every_language(language: str) -> None:
    met = 0
    for answer in drawn_answers(1000):
        if answer.question.compartment_intent == "checked" or answer.outcome.verdict in CARRIES_NOTHING:
            continue
        summary = wording.summary(answer, language)
        names = {statement.name for statement in answer.outcome.constraints}
        said = say("summary.carry.no_overhead_bin", language)
        assert (said in summary) == ("no_overhead_bin" in names), summary
        assert all(sentence in summary for sentence in wording.essentials(answer, language))
        met += "no_overhead_bin" in names and "recall_serial_check" in names
    assert met


@pytest.mark.usefixtures("starter_release")
def test_an_answer_that_is_not_allowed_never_sounds_allowed() -> None:
    for answer in drawn_answers(3000):
        opening = wording.summary(answer, "en").split()[0]
        assert (opening == "Allowed") == (answer.outcome.verdict == "allowed")


@pytest.mark.usefixtures("starter_release")
def test_an_answer_that_is_not_allowed_says_why() -> None:
    for answer in drawn_answers(3000):
        sentences = SENTENCE_END.split(wording.summary(answer, "en"))
        assert answer.outcome.verdict == "allowed" or len(sentences) > 1


@pytest.mark.usefixtures("starter_release")
def test_trips_read_well_and_stay_short() -> None:
    drawer = Drawer(starter_content(), seed=20261121)
    for _ in range(1500):
        question, today = drawer.trip()
        now = datetime.datetime.combine(today, datetime.time(12), datetime.UTC)
        try:
            answer = door.verify_trip(question, now=now)
        except ModelNotFound:
            continue
        summary = wording.trip_summary(answer, "en")
        reads_well(summary)
        assert len(summary) <= 600, summary


# --- Every combination that the words allow, met in the corpus or not ---


def statements() -> st.SearchStrategy[tuple[Statement, ...]]:
    """Any constraints that an answer could list: at most one of each name."""
    pool = [
        Statement(code.name, code.name, code.nature, code.severity, params)
        for code in CODES.values()
        if code.nature not in {Nature.ADVICE, Nature.NOTICE}
        for params in PARAMS[code.parameter]
    ]
    return st.lists(st.sampled_from(pool), unique_by=lambda statement: statement.name).map(tuple)


PARAMS: dict[str | None, list[tuple[tuple[str, str], ...]]] = {
    None: [()],
    "max_units": [
        (("max_units", "1"),),
        (("max_units", "2"),),
        (("max_units", "1"), ("watt_hour_over", "100")),
        (("max_units", "2"), ("watt_hour_over", "100")),
    ],
    "limit_watt_hour": [(("limit_watt_hour", "160"),)],
}


@settings(max_examples=400, deadline=None)
@given(constraints=statements(), data=st.data())
def test_any_combination_of_findings_reads_well(
    constraints: tuple[Statement, ...], data: st.DataObject
) -> None:
    template = outcome_template()
    verdict = data.draw(st.sampled_from(["allowed", "conditional", "insufficient", "banned"]))
    gaps = ["watt_hour_unknown", "no_airline_permit", "no_authority_permit"]
    outcome = msgspec.structs.replace(
        template.outcome,
        verdict=verdict,
        constraints=constraints,
        gaps=data.draw(st.sampled_from([*itertools.combinations(gaps[1:], 2), (gaps[0],), ()])),
        recall_status=data.draw(st.sampled_from(["affected", "serial_unknown"])),
    )
    unit = Unit(
        model_id="anker-a1263",
        quantity=data.draw(st.sampled_from([1, 3])),
        ccc_mark=data.draw(st.sampled_from(["present", "absent", "unknown"])),
        capacity_label=data.draw(st.sampled_from(["legible", "missing"])),
    )
    question = msgspec.structs.replace(
        template.question,
        unit=unit,
        compartment_intent=data.draw(st.sampled_from(["carry_on", "checked", "on_person"])),
    )
    answer = msgspec.structs.replace(template, question=question, outcome=outcome)
    reads_well(wording.summary(answer, "en"))
    reads_well(" ".join(wording.constraint_messages(outcome, "en")) or "Nothing.")


def outcome_template() -> Answer:
    """An answer to take apart."""
    release = starter_release()
    question = Question(unit=Unit(model_id="anker-a1263"), leg=Leg("JP", "SG", "SQ"), travel_date=NOW.date())
    return Answer(
        question=question,
        outcome=evaluate_leg(release.corpus, question, today=NOW.date()),
        release=release,
        verdict_id="vdt_",
        generated_at=NOW,
        expires_at=NOW,
    )


def test_every_text_of_summaries_is_a_whole_sentence() -> None:
    for text in SUMMARIES.values():
        reads_well(translated(text, "en", VALUES))


VALUES: dict[str, str | int] = {
    "flights": 3,
    "index": 2,
    "strictest": 2,
    "origin": "China",
    "destination": "Japan",
    "airline": "Air China",
    "max_units": 1,
    "watt_hour_over": "100",
    "watt_hour": "185",
    "limit_watt_hour": "160",
    "quantity": 2,
    "lookup_url": "https://maker.example/list",
    "passenger": 2,
    "items": "anker (2), old",
}
