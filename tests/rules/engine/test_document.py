"""What makes a release unpublishable. A rule that cannot be read must never just disappear."""

import datetime
from decimal import Decimal

import msgspec
import pytest

from recalls.serials import AffectedSerials
from rules.engine.document import (
    ReleaseDocument,
    UnreadableDocument,
    builtins,
    decode,
    problems,
)
from rules.engine.facts import Country, Jurisdiction, Params, When
from tests.rules.rows import AIRLINE, CONTENT, DEVICE, HEARSAY, PERMIT, RECALL, RULE, SOURCE

GLOBAL_RULE = msgspec.structs.replace(
    RULE, rule_id="intl.icao.max-two", jurisdiction="INTL", applies=("global",)
)
SOUND = msgspec.structs.replace(
    CONTENT,
    jurisdictions=(
        *CONTENT.jurisdictions,
        Jurisdiction(
            code="INTL", name="International", regulator="ICAO", regulator_url="https://icao.example/"
        ),
    ),
    rules=(PERMIT, RULE, GLOBAL_RULE),
)


def test_sound_content_has_no_problem():
    assert problems(SOUND) == []


def rule(**changes):
    return {"rules": (msgspec.structs.replace(RULE, **changes),)}


def when(**conditions):
    return rule(when=When(**conditions))


def airline_rule(**changes):
    return {"rules": (msgspec.structs.replace(PERMIT, **changes),)}


def device(**changes):
    return {"devices": (msgspec.structs.replace(DEVICE, **changes),)}


def recall(**changes):
    return {"recalls": (msgspec.structs.replace(RECALL, **changes),)}


def serials(**evidence):
    return recall(affected_serials=AffectedSerials(identifier="serial", **evidence))


@pytest.mark.parametrize(
    ("changes", "where", "reason"),
    [
        (rule(code="no_such_code"), "rule fr.dgac.max-two", "not one that a rule can have"),
        (
            rule(code="recall_serial_check", params=Params()),
            "rule fr.dgac.max-two",
            "not one that a rule can have",
        ),
        (rule(code=None), "rule fr.dgac.max-two", "not one that a rule can have"),
        (rule(effect="prohibit"), "rule fr.dgac.max-two", "goes with the effect `require`"),
        (rule(effect="permit"), "rule fr.dgac.max-two", "takes no code and no parameter"),
        (rule(params=Params()), "rule fr.dgac.max-two", "takes the parameter `max_units`"),
        (
            rule(params=Params(limit_watt_hour=Decimal(100))),
            "rule fr.dgac.max-two",
            "takes the parameter `max_units`",
        ),
        (rule(code="carry_on_only"), "rule fr.dgac.max-two", "takes no parameter"),
        (rule(params=Params(max_units=0)), "rule fr.dgac.max-two", "not between 1 and 20"),
        (rule(sources=("hearsay",)), "rule fr.dgac.max-two", "could not be cited"),
        (rule(sources=()), "rule fr.dgac.max-two", "could not be cited"),
        (rule(sources=("nowhere",)), "rule fr.dgac.max-two", "names the source `nowhere`"),
        (rule(jurisdiction="XX"), "rule fr.dgac.max-two", "no jurisdiction of this release"),
        (rule(applies=()), "rule fr.dgac.max-two", "names no scope"),
        (rule(applies=("departure", "departure")), "rule fr.dgac.max-two", "or one twice"),
        (rule(applies=("global",)), "rule fr.dgac.max-two", "only rules of `INTL` apply globally"),
        (rule(jurisdiction="INTL"), "rule fr.dgac.max-two", "only rules of `INTL` apply globally"),
        (rule(airline="7C"), "rule fr.dgac.max-two", "names no airline"),
        (rule(rule_id="Max Two"), "rule Max Two", "lower-case words"),
        (
            rule(effective_from=datetime.date(2026, 2, 1), effective_until=datetime.date(2026, 1, 1)),
            "rule fr.dgac.max-two",
            "before it starts",
        ),
        (when(compartment=()), "rule fr.dgac.max-two", "`compartment` is empty"),
        (when(quantity_over=0), "rule fr.dgac.max-two", "quantity_over"),
        (when(model=()), "rule fr.dgac.max-two", "`model` is empty"),
        (when(model=("lynx-10k", "lynx-10k")), "rule fr.dgac.max-two", "names a value twice"),
        (when(model=("lynx-99k",)), "rule fr.dgac.max-two", "names the model `lynx-99k`"),
        (
            when(watt_hour_over=Decimal(160), watt_hour_up_to=Decimal(160)),
            "rule fr.dgac.max-two",
            "nothing between",
        ),
        (
            when(watt_hour_over=Decimal(1), watt_hour_at_least=Decimal(1)),
            "rule fr.dgac.max-two",
            "two lower bounds",
        ),
        (when(watt_hour_up_to=Decimal("99.999")), "rule fr.dgac.max-two", "more than two decimals"),
        (when(watt_hour_up_to=Decimal(0)), "rule fr.dgac.max-two", "not a positive number"),
        (airline_rule(airline="ZZ"), "rule 7c.permit", "no airline of this release"),
        (airline_rule(applies=("departure",)), "rule 7c.permit", "applies to `airline` alone"),
        (airline_rule(when=When(quantity_over=2)), "rule 7c.permit", "no permit may"),
        (airline_rule(when=When(certification_missing="CCC")), "rule 7c.permit", "no permit may"),
        (device(nominal_voltage=Decimal("1e30")), "device lynx-10k", "not a positive number"),
        (device(watt_hour=None), "device lynx-10k", "and basis disagree"),
        (device(watt_hour_basis="unknown"), "device lynx-10k", "and basis disagree"),
        (device(watt_hour=Decimal("37.02")), "device lynx-10k", "10000 mAh at 3.70 V are 37.00 Wh"),
        (device(capacity_mah=None), "device lynx-10k", "mAh or volts are missing"),
        (device(model_id="Lynx"), "device Lynx", "model id"),
        (device(sources=("nowhere",)), "device lynx-10k", "names the source `nowhere`"),
        (recall(model_id="lynx-20k"), "recall fr-2026-1", "no model of this release"),
        (recall(sources=("hearsay",)), "recall fr-2026-1", "could not be cited"),
        (serials(scope="serial_pattern"), "recall fr-2026-1", "but no pattern"),
        (serials(scope="batch", pattern="(a"), "recall fr-2026-1", "cannot be used"),
        (
            serials(scope="lookup_required", exhaustive=True),
            "recall fr-2026-1",
            "clears units without a pattern",
        ),
        (
            serials(scope="lookup_required", explicit_list_url="maker"),
            "recall fr-2026-1",
            "not an absolute web address",
        ),
        ({"rules": (RULE, RULE)}, "rule fr.dgac.max-two", "stands 2 times"),
        (
            {"airlines": (msgspec.structs.replace(AIRLINE, country="XX"),)},
            "airline 7C",
            "no country of this release",
        ),
        (
            {"airlines": (msgspec.structs.replace(AIRLINE, airline="7c"),)},
            "airline 7c",
            "two upper-case letters or digits",
        ),
        (
            {"sources": (msgspec.structs.replace(SOURCE, url="regulator"), HEARSAY)},
            "source regulator-page",
            "not an absolute",
        ),
        ({"countries": (Country(code="fr", name="France"),)}, "country fr", "two upper-case letters"),
    ],
)
def test_a_record_that_could_mislead_blocks_publishing(changes, where, reason):
    found = problems(msgspec.structs.replace(SOUND, **changes))
    assert any(problem.where == where and reason in problem.reason for problem in found), found


def test_a_document_survives_its_round_trip_with_decimals_and_dates_intact():
    document = ReleaseDocument(ruleset_version="2026-11-21", predecessor=None, content=SOUND)
    assert decode(msgspec.json.encode(builtins(document))) == document
    assert builtins(document)["content"]["rules"][0]["when"]["watt_hour_up_to"] == "160.00"


def test_a_source_that_goes_by_its_kind_is_written_as_before_there_were_cadences():
    """So releases that are stored, and what is known by the digest of their text, stay what they are."""
    own = msgspec.structs.replace(SOURCE, cadence="daily")
    for source, spelled in ((SOURCE, None), (own, "daily")):
        document = ReleaseDocument(
            ruleset_version="2026-11-21",
            predecessor=None,
            content=msgspec.structs.replace(SOUND, sources=(source, *SOUND.sources[1:])),
        )
        [written, *_] = builtins(document)["content"]["sources"]
        assert written.get("cadence") == spelled
        assert ("cadence" in written) is (spelled is not None)
        assert decode(msgspec.json.encode(builtins(document))) == document


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format":"release.v2","ruleset_version":"1","predecessor":null,"content":{}}',
        b"\xff",
    ],
)
def test_bytes_that_are_no_release_document_are_refused(text):
    with pytest.raises(UnreadableDocument):
        decode(text)


def test_a_rule_that_names_no_model_is_spelled_as_before_rules_could():
    assert all("model" not in rule["when"] for rule in builtins(SOUND)["rules"])
