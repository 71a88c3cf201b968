"""The blast radius counts every verdict that a change flips, and no other: as asking one by one would."""

import datetime
from collections import Counter
from itertools import product

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catalog.records import CertificateStatus
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Certificate, Leg, Params, Question, Rule, Unit, When
from rules.impact.survey import Changed, Flip, Impact, Outcome, Survey, measure, summarize, survey
from rules.impact.survey.flips import COMPARTMENTS
from tests.rules.engine.worlds import TODAY, WORLDS
from tests.support.quotes import a_quote
from tests.support.starter import NOW, starter_content

Asked = tuple[str, str, str, str, str, int, str, datetime.date]
"""Airline, origin, destination, model, compartment, number of units, mark, day."""
Flips = dict[Asked, tuple[Outcome, Outcome]]
"""The answers before and after."""


def measured(before: Content, after: Content, today: datetime.date = TODAY) -> Impact:
    return summarize(survey(Corpus(before), Corpus(after), today=today))


def outcome(corpus: Corpus, question: Question) -> Outcome:
    try:
        return evaluate_leg(corpus, question, today=TODAY).verdict
    except (AirlineNotCovered, ModelNotFound, UnknownCountry):
        return "not_answered"


def one_by_one(before: Content, after: Content) -> Flips:
    """Ask both rulesets everything, without any thought of what could be left out."""
    old, new = Corpus(before), Corpus(after)
    days = Survey(old, new, today=TODAY).days
    # A mark that no certificate puts in doubt, or that no rule demands, is not surveyed.
    devices = (*before.devices, *after.devices)
    doubted = {row.model_id for row in devices if any(one.status != "valid" for one in row.certificates)}
    models = sorted({(row.model_id, "unknown") for row in devices} | {(name, "present") for name in doubted})
    countries = {row.code for row in (*before.countries, *after.countries)}
    flips: Flips = {}
    for airline in {**old.airlines, **new.airlines}:
        homes = {corpus.airlines[airline].country for corpus in (old, new) if airline in corpus.airlines}
        ends = {
            ends for home in homes for country in countries for ends in ((country, home), (home, country))
        }
        demanded = {
            (airline, *one)
            for one in ends
            if any(demands_mark(corpus, Leg(*one, airline)) for corpus in (old, new))
        }
        # All numbers of units that the rules of these worlds could tell apart.
        for (origin, destination), (model, mark), compartment, quantity, day in product(
            ends, models, COMPARTMENTS, range(1, 8), days
        ):
            if mark == "present" and (airline, origin, destination) not in demanded:
                continue
            question = Question(
                unit=Unit(model_id=model, quantity=quantity, ccc_mark=mark),  # type: ignore[arg-type]
                leg=Leg(origin, destination, airline),
                travel_date=day,
                compartment_intent=compartment,
            )
            was, will_be = outcome(old, question), outcome(new, question)
            if was != will_be:
                asked = (airline, origin, destination, model, compartment, quantity, mark, day)
                flips[asked] = was, will_be
    return flips


def demands_mark(corpus: Corpus, leg: Leg) -> bool:
    """Tell whether a rule that demands the mark is in play for a leg on any day."""
    try:
        groups = corpus.in_play(leg).groups
    except (AirlineNotCovered, UnknownCountry):
        return False
    demanding = {rule.rule_id for rule in corpus.content.rules if rule.code == "ccc_mark_required"}
    in_play = {rule.rule_id for group in groups for period in group.periods for _, rule in period}
    return bool(demanding & in_play)


def spelled_out(impact: Impact) -> Flips:
    """Return every question that the flips of an impact stand for."""
    found: Flips = {}
    for flip in impact.flips:
        for country, model in product(flip.countries, flip.models):
            ends = {
                "departing": (country, flip.home),
                "arriving": (flip.home, country),
                "domestic": (flip.home, flip.home),
            }[flip.direction]
            unit = (flip.compartment, flip.quantity, flip.ccc_mark)
            found[flip.airline, *ends, model, *unit, flip.travel_date] = flip.before, flip.after
    return found


@st.composite
def changes(draw: st.DrawFn) -> tuple[Content, Content]:
    """A world, and the same with rules and certificates of another one, or a recall dropped."""
    before, other = draw(WORLDS), draw(WORLDS)
    kept = [rule for rule in before.rules if draw(st.integers(0, 9)) > 0]
    ids = {rule.rule_id for rule in kept}
    added = [rule for rule in other.rules if rule.rule_id not in ids and draw(st.integers(0, 3)) == 0]
    after = msgspec.structs.replace(
        before,
        rules=tuple(sorted([*kept, *added], key=lambda rule: rule.rule_id)),
        recalls=before.recalls if draw(st.booleans()) else (),
        devices=tuple(
            msgspec.structs.replace(row, certificates=another.certificates) if draw(st.booleans()) else row
            for row, another in zip(before.devices, other.devices, strict=True)
        ),
        jurisdictions=before.jurisdictions if draw(st.booleans()) else other.jurisdictions,
    )
    return before, after


@given(changes())
@settings(max_examples=30, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_the_flips_are_exactly_those_that_asking_one_by_one_finds(change: tuple[Content, Content]) -> None:
    before, after = change
    wanted = one_by_one(before, after)
    found = spelled_out(measured(before, after))
    numbers = {flip[5] for flip in found}
    assert {asked: way for asked, way in wanted.items() if asked[5] in numbers} == found
    # A number of units that the survey leaves out flips exactly as the next lower one that it asks about.
    assert bool(wanted) == bool(found)


@given(WORLDS)
@settings(max_examples=20)
def test_nothing_flips_where_nothing_changed(content: Content) -> None:
    impact = measured(content, content)
    assert (impact.flipped, impact.evaluated, impact.flips) == (0, 0, ())
    assert impact.questions > 0


@given(WORLDS)
@settings(max_examples=20)
def test_nothing_flips_where_rules_are_quoted(content: Content) -> None:
    read = {source.id for source in content.sources if source.citable}
    quoted = tuple(
        msgspec.structs.replace(
            rule, quotes=tuple(a_quote(source=name) for name in rule.sources if name in read)
        )
        for rule in content.rules
    )
    impact = measured(content, msgspec.structs.replace(content, rules=quoted))
    assert (impact.flipped, impact.evaluated, impact.flips) == (0, 0, ())


BASE = next(rule for rule in starter_content().rules if rule.rule_id == "sq.max-units")
ONE_UNIT = msgspec.structs.replace(
    BASE, rule_id="qr.one-unit", airline="QR", jurisdiction="QA", params=Params(max_units=1)
)


def with_rule(rule: Rule) -> Content:
    content = starter_content()
    return msgspec.structs.replace(content, rules=(*content.rules, rule))


def test_a_rule_of_one_airline_flips_verdicts_of_that_airline_alone() -> None:
    impact = measured(starter_content(), with_rule(ONE_UNIT), NOW.date())
    assert set(impact.by_airline) == {"QR"}
    assert set(impact.ways) == {
        ("allowed", "banned"),
        ("conditional", "banned"),
        ("insufficient", "banned"),
    }
    assert impact.lenient == 0
    assert all(flip.quantity == 2 for flip in impact.flips)
    assert impact.flipped == sum(flip.count for flip in impact.flips) == sum(impact.by_airline.values())
    assert sum(impact.by_model.values()) == sum(impact.by_country.values()) == impact.flipped


def test_taking_the_rule_back_is_lenient_for_every_one_of_them() -> None:
    there = measured(starter_content(), with_rule(ONE_UNIT), NOW.date())
    back = measured(with_rule(ONE_UNIT), starter_content(), NOW.date())
    assert back.lenient == back.flipped == there.flipped
    assert Counter({(after, before): count for (before, after), count in there.ways.items()}) == Counter(
        back.ways
    )


def test_a_rule_that_starts_later_flips_nothing_before() -> None:
    starts = NOW.date() + datetime.timedelta(days=40)
    impact = measured(
        starter_content(),
        with_rule(msgspec.structs.replace(ONE_UNIT, effective_from=starts)),
        NOW.date(),
    )
    assert {flip.travel_date for flip in impact.flips} == {starts}


def with_certificate(status: CertificateStatus) -> Content:
    content = starter_content()
    source = next(source.id for source in content.sources if source.citable)
    own = Certificate(mark="CCC", status=status, source=source)
    return msgspec.structs.replace(
        content,
        devices=tuple(
            msgspec.structs.replace(row, certificates=(own,)) if row.model_id == "anker-a1289" else row
            for row in content.devices
        ),
    )


def test_a_suspended_certificate_flips_marked_units_of_its_model_where_the_mark_is_demanded() -> None:
    impact = measured(starter_content(), with_certificate("suspended"), NOW.date())
    assert set(impact.ways) == {("allowed", "conditional")}
    assert {flip.ccc_mark for flip in impact.flips} == {"present"}
    assert {(flip.models, flip.home, flip.direction) for flip in impact.flips} == {
        (("anker-a1289",), "CN", "domestic")
    }
    assert impact.lenient == 0


def test_lifting_a_suspension_is_lenient_and_the_model_is_its_cause() -> None:
    survey = Survey(
        Corpus(with_certificate("suspended")), Corpus(with_certificate("valid")), today=NOW.date()
    )
    result = measure(survey)
    assert result.lenient == result.flipped > 0
    assert [cause.record for cause in result.causes] == [Changed("devices", "anker-a1289")]


def test_a_valid_certificate_flips_nothing() -> None:
    impact = measured(starter_content(), with_certificate("valid"), NOW.date())
    assert (impact.flipped, impact.evaluated) == (0, 0)


def test_a_sample_can_be_asked_and_shows_both_answers() -> None:
    before, after = starter_content(), with_rule(ONE_UNIT)
    impact = measured(before, after, NOW.date())
    for flip in impact.flips[::50]:
        question = flip.sample
        answers = [
            evaluate_leg(Corpus(content), question, today=NOW.date()).verdict for content in (before, after)
        ]
        assert answers == [flip.before, flip.after]


def test_a_new_answer_where_none_was_given_is_lenient_unless_it_bans() -> None:
    def flip(before: Outcome, after: Outcome) -> Flip:
        return Flip(
            airline="QR",
            home="QA",
            direction="departing",
            countries=("QA",),
            models=("m1",),
            compartment="carry_on",
            quantity=1,
            travel_date=TODAY,
            before=before,
            after=after,
        )

    assert flip("not_answered", "allowed").lenient
    assert flip("not_answered", "conditional").lenient
    assert flip("banned", "not_answered").lenient
    assert not flip("not_answered", "insufficient").lenient
    assert not flip("not_answered", "banned").lenient
    assert not flip("allowed", "not_answered").lenient


def test_a_rule_for_named_models_is_surveyed_for_these_models_on_the_flights_where_it_speaks() -> None:
    content = starter_content()
    before = msgspec.structs.replace(
        content, rules=tuple(rule for rule in content.rules if rule.rule_id != "ac.named-anker-models")
    )
    survey = Survey(Corpus(before), Corpus(content), today=NOW.date())
    assert [airline for airline in survey.airlines if survey.size(airline)] == ["AC"]
    flips = survey.part("AC").flips
    named = {"anker-a1647", "anker-a1681", "anker-a1689"}
    assert {model for flip in flips for model in flip.models} == named
    assert {flip.after for flip in flips} == {"banned"}
    asked_of_each = survey.size("AC") / len(named)
    everything = msgspec.structs.replace(content, rules=(*content.rules, _for_all_models(content)))
    whole = Survey(Corpus(content), Corpus(everything), today=NOW.date())
    assert whole.size("AC") > 10 * asked_of_each


def _for_all_models(content: Content) -> Rule:
    rule = next(rule for rule in content.rules if rule.rule_id == "ac.named-anker-models")
    return msgspec.structs.replace(rule, rule_id="ac.no-model", when=When())
