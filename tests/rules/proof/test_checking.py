"""The proof of a release finds what is planted, names a question that shows it, and merging loses nothing."""

import datetime
import itertools
import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battery_travel_reference import question_of, release_of
from battery_travel_reference.answering import answer_leg
from rules.engine import corpus as engine_corpus
from rules.engine import weighing
from rules.engine.corpus import Corpus
from rules.engine.document import Content, decode
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, Unit
from rules.engine.matching import Bands
from rules.engine.vocabulary import STRICTNESS
from rules.proof.checking.cells import FACTS, MARKS, Domain, Energy, Tree, energies
from rules.proof.checking.cells import Unit as Kind
from rules.proof.checking.flights import Selecting
from rules.proof.checking.judging import Ground
from rules.proof.checking.records import Records, UnknownCondition
from rules.proof.checking.reference import Reference, ReferenceFailed
from rules.proof.checking.sets import prove
from tests.rules.engine.worlds import TODAY, WORLDS
from tests.rules.proof.asking import Json, part, proved, rule, selected
from tests.support.reference import text_of
from tests.support.starter import NOW

DAY = NOW.date()


@pytest.fixture(scope="module")
def document() -> bytes:
    return part()


def _answers(document: bytes, body: Json) -> tuple[Any, Any]:
    """Return what both programs answer to a body of POST /api/verify: verdict and path."""
    day = datetime.date.fromisoformat(body["trip"]["date"])
    question = question_of(body, day)
    reference = answer_leg(release_of(document), question, question.legs[0], day)
    fields = {name: value for name, value in body.items() if name != "trip"}
    trip = body["trip"]
    engine = evaluate_leg(
        Corpus(decode(document).content),
        Question(
            unit=Unit(**fields),
            leg=Leg(trip["origin"], trip["destination"], trip["airline"]),
            travel_date=day,
            compartment_intent=trip["compartment_intent"],
        ),
        today=day,
    )
    return (engine.verdict, list(engine.path)), (reference.verdict, reference.path)


def test_a_true_release_has_no_findings_and_an_exact_number_of_questions(document: bytes) -> None:
    tally, sets = selected(document)
    assert tally.differing == 0
    covered, units, countries = 3 * 2, 0, 6
    corpus = Corpus(decode(document).content)
    from rules.proof.checking.flights import statuses_of

    units = sum(len(statuses_of(corpus, name)) for name in corpus._catalog)
    assert len(Records(document).days(DAY)) == covered // 3
    assert tally.questions == covered * countries**2 * units * 3 * 20 * 3 * 3 * 3 * 3
    found = proved(document, sets)
    assert (found.differing, found.broken) == (0, 0)
    assert found.cells > 50 * len(sets)


def test_a_moved_edge_of_a_band_is_found_with_a_question_that_differs(
    document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row(content: Json) -> None:
        # A model exactly at the edge, so that someone can ask about it.
        device = next(one for one in content["devices"] if one["watt_hour_basis"] == "rated")
        content["devices"].append(device | {"model_id": "edge-one", "watt_hour": "100.01"})
        content["devices"].sort(key=lambda one: one["model_id"])

    planted = part(row)
    _, sets = selected(planted)
    real = Bands.of
    monkeypatch.setattr(Bands, "of", lambda self, figure: real(self, 10_000 if figure == 10_001 else figure))
    found = proved(planted, sets[:1])
    assert found.differing > 0
    bodies = [one.question for one in found.found if one.question is not None]
    assert bodies
    engine, reference = _answers(planted, bodies[0])
    assert engine != reference


def test_an_index_that_drops_a_rule_for_one_class_of_flights_is_found(
    document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Corpus.authorities

    def dropping(self: Corpus, origin: str, destination: str, home: str) -> Any:
        groups, of_origin = real(self, origin, destination, home)
        return (groups[:-1] if (origin, destination) == ("CN", "JP") else groups), of_origin

    monkeypatch.setattr(Corpus, "authorities", dropping)
    tally, _ = selected(document)
    assert tally.differing > 0
    assert {one.sort for one in tally.found} == {"selection"}
    body = tally.found[0].question
    assert body is not None
    assert (body["trip"]["origin"], body["trip"]["destination"]) == ("CN", "JP")
    engine, reference = _answers(document, body)
    assert engine != reference


def test_a_country_in_a_wrong_region_is_found(document: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    real = engine_corpus._places
    monkeypatch.setattr(
        engine_corpus,
        "_places",
        lambda content, authorities: {
            country: () if country == "FR" else places
            for country, places in real(content, authorities).items()
        },
    )
    tally, _ = selected(document)
    assert "places of FR" in [one.about for one in tally.found]


def test_an_engine_that_forgets_a_certificate_in_doubt_is_found(
    document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, sets = selected(document)
    monkeypatch.setattr(weighing.Case, "doubts", lambda self, day: ())
    assert proved(document, sets).differing > 0


def test_an_engine_that_lets_a_recalled_unit_travel_is_found(
    document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, sets = selected(document)
    monkeypatch.setattr(weighing.Case, "recalled", property(lambda self: self.recall_status == "affected"))
    found = proved(document, sets[:1])
    assert any(one.question and one.question["recall_check"] == "affected" for one in found.found)


def _gap_in_a_prohibition(content: Json) -> None:
    """Ban 100 to 130 Wh on Emirates, and no energy above."""
    base = rule(content, "ek.label-required")
    content["rules"].append(
        base
        | {
            "rule_id": "ek.zz-banned",
            "effect": "prohibit",
            "code": "over_watt_hour_limit",
            "params": {"limit_watt_hour": "20.00"},
            "when": {"watt_hour_over": "20.00", "watt_hour_up_to": "25.00"},
        }
    )


def test_more_energy_that_is_milder_breaks_a_promise_with_two_questions() -> None:
    planted = part(_gap_in_a_prohibition)
    _, sets = selected(planted)
    found = proved(planted, [one for one in sets if one.leg[2] == "EK"][:1])
    assert found.broken > 0
    shown = [one for one in found.found if one.question and one.worse]
    assert shown, found.found[:2]
    assert shown[0].about.startswith("more energy is never milder")
    (engine, _), _ = _answers(planted, shown[0].question)  # type: ignore[arg-type]
    (worse, _), _ = _answers(planted, shown[0].worse)  # type: ignore[arg-type]
    assert STRICTNESS[worse] < STRICTNESS[engine]


def test_a_condition_that_the_proof_does_not_know_is_refused() -> None:
    def unknown(content: Json) -> None:
        content["rules"][0]["when"]["phase_of_the_moon"] = "full"

    with pytest.raises(UnknownCondition, match="phase_of_the_moon"):
        Records(part(unknown))


def test_a_release_that_the_reference_program_refuses_fails() -> None:
    with (
        Reference(b'{"format": "other"}') as reference,
        pytest.raises(ReferenceFailed, match="other"),
    ):
        reference.ask(ask="catalog", days=[], units=[])


# --- Merging loses nothing ---


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=WORLDS, seed=st.integers(0, 2**32))
def test_merged_kinds_answer_as_every_unit_in_generated_worlds(content: Content, seed: int) -> None:
    document, draw = text_of(content), random.Random(seed)
    corpus = Corpus(content)
    with Reference(document) as reference:
        selecting = Selecting(corpus, Records(document), reference, TODAY, "program")
        tally, sets = selecting.compare()
    assert tally.found == []
    with Ground(document) as ground:
        for one in draw.sample(sets, min(3, len(sets))):
            assert prove(ground, one).differing == 0
            rules = ground.rules(one)
            for energy in ground.energies(rules):
                domain = ground.domain(energy, one.day)
                tree = Tree(energy, rules, domain)
                units = [Kind(*(draw.choice(domain.values(fact)) for fact in FACTS)) for _ in range(30)]
                asked = [ground.asked(energy, unit) for unit in units]
                merged = [ground.asked(energy, tree.units()[tree.leaf_of(unit)]) for unit in units]
                every = ground.by_engine(one.leg, one.day, asked)
                alike = ground.by_engine(one.leg, one.day, merged)
                assert [answer.verdict for answer in every] == [answer.verdict for answer in alike]


def test_every_unit_of_one_energy_is_judged_as_its_kind(document: bytes) -> None:
    _, sets = selected(document)
    one = next(one for one in sets if one.leg[2] == "CA" and one.leg[:2] == ("CN", "CN"))
    with Ground(document) as ground:
        rules = ground.rules(one)
        energy = Energy("computed", 9500)
        assert energy in energies(ground.records.edges(rules))
        domain = Domain(("not_affected", "serial_unknown", "affected"))
        tree = Tree(energy, rules, domain)
        whole = Tree(energy, rules, domain, merged=False)
        units = whole.units()
        assert len(units) == 9 * 3 * 3 * 6 * 20 * 3
        every = ground.by_engine(one.leg, one.day, [ground.asked(energy, unit) for unit in units])
        kinds = ground.by_engine(one.leg, one.day, [ground.asked(energy, unit) for unit in tree.units()])
        differing = [
            unit
            for unit, answer in zip(units, every, strict=True)
            if answer.verdict != kinds[tree.leaf_of(unit)].verdict
        ]
        assert differing == []
        assert len(kinds) < len(units) / 50


def test_each_value_of_a_fact_is_in_exactly_one_branch(document: bytes) -> None:
    _, sets = selected(document)
    with Ground(document) as ground:
        rules = ground.rules(sets[0])
        for energy in ground.energies(rules):
            nodes = [(Tree(energy, rules, Domain()).root, 0)]
            while nodes:
                node, level = nodes.pop()
                if node.branches:
                    values = list(itertools.chain.from_iterable(some for some, _ in node.branches))
                    assert sorted(map(str, values)) == sorted(map(str, Domain().values(FACTS[level])))
                    nodes += [(below, level + 1) for _, below in node.branches]
    assert len(MARKS) == 3
    assert json.loads(document)["format"] == "release.v1"
