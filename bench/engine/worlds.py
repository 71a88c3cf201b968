"""Synthetic releases of any size in which every leg has the same number of rules.

They test the claim that a verdict costs the rules for its leg, not the size of the corpus. So only the corpus
grows:

- Sources, devices, recalls, countries and the baseline (`INTL`) are those of the given real release; rules of
  the baseline that begin after its last reading are left out.
- All other rules come in packs of six. An authority's pack belongs to a country, an airline's pack to an
  airline. All authority packs are the same, and so are all airline packs; conditions, parameters and texts
  are shared objects, but every rule has its own id and its own place in memory.
- A bigger world has more countries with a pack, up to all countries, and beyond that more airlines: 10,000
  rules make 249 countries and 1,415 airlines, a million rules 166,415 airlines.
- Questions are about flights between two countries with a pack, by an airline of a third. So each leg has the
  baseline, the origin's departure rules, the destination's arrival rules, the operator's home rules and the
  airline's six: 32 rules in force in a world of any size; in the real corpus the median is 34.
- No two countries share a region here: a leg within one region would have other rules than one across two.

Airline codes count up in base 36, without codes of two digits, which are for made-up airlines: first with two
characters (1,196 airlines, 8,686 rules), then three and four. Longer codes could not be published
(`rules.engine.document.problems` reports only that), but the index does not check their length, and there is
no other way to a million rules at real density.
"""

import datetime
import random
from collections.abc import Iterator
from itertools import product
from string import ascii_uppercase, digits

import msgspec

from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Airline, Leg, Question, Rule, Unit

PACK = 6
COUNTRIES_OF_A_LEG = 3
"""Origin, destination and the country of the operator: this many must have a pack."""

IN_THE_CABIN = {"compartment": ["carry_on", "on_person"]}
UP_TO_100 = {**IN_THE_CABIN, "watt_hour_up_to": "100"}
FROM_100_TO_160 = {**IN_THE_CABIN, "watt_hour_over": "100", "watt_hour_up_to": "160"}
OVER_160 = {"watt_hour_over": "160"}
TWO_UNITS: dict[str, object] = {
    "rule_id": "units",
    "effect": "require",
    "code": "max_units",
    "params": {"max_units": 2},
    "when": IN_THE_CABIN,
    "effective_from": "2026-01-01",
}
AT_HOME = ["departure", "domestic", "operator"]
COMMON = {
    "authority": "Authority",
    "jurisdiction": INTERNATIONAL,
    "summary": "A rule of a synthetic world.",
    "confidence": "confirmed",
    "sources": [],
}


def _pack(*rows: dict[str, object], **common: object) -> tuple[Rule, ...]:
    """Read rows in the form of the starter corpus, without the fields that all rules share."""
    return msgspec.convert([{**COMMON, **common, **row} for row in rows], tuple[Rule, ...], strict=False)


AUTHORITY_PACK = _pack(
    {"rule_id": "permit", "effect": "permit", "when": UP_TO_100, "applies": AT_HOME},
    {
        "rule_id": "checked",
        "effect": "require",
        "code": "carry_on_only",
        "applies": ["departure", "domestic"],
    },
    {
        "rule_id": "limit",
        "effect": "prohibit",
        "code": "over_watt_hour_limit",
        "params": {"limit_watt_hour": "160"},
        "when": OVER_160,
        "applies": ["departure", "arrival", "domestic"],
    },
    {**TWO_UNITS, "applies": AT_HOME},
    {
        "rule_id": "terminals",
        "effect": "require",
        "code": "terminals_protected",
        "when": IN_THE_CABIN,
        "applies": ["departure", "arrival", "operator"],
    },
    {
        "rule_id": "recharge",
        "effect": "require",
        "code": "no_onboard_recharge",
        "when": IN_THE_CABIN,
        "applies": ["operator"],
    },
    issuer="regulator",
)
AIRLINE_PACK = _pack(
    {"rule_id": "permit", "effect": "permit", "when": UP_TO_100},
    {"rule_id": "permit-over-100", "effect": "permit", "when": FROM_100_TO_160},
    {
        "rule_id": "approval",
        "effect": "require",
        "code": "airline_approval_required",
        "when": FROM_100_TO_160,
    },
    TWO_UNITS,
    {"rule_id": "bin", "effect": "require", "code": "no_overhead_bin", "when": IN_THE_CABIN},
    {"rule_id": "use", "effect": "advise", "code": "onboard_use_discouraged", "when": IN_THE_CABIN},
    issuer="airline",
    applies=["airline"],
)


def world(real: Content, size: int) -> Content:
    """Return a release of exactly `size` rules.

    Raises:
        ValueError: No such world can be made; the message names the nearest larger size.
    """
    last_reading = max(source.read_on for source in real.sources)
    baseline = tuple(
        rule
        for rule in real.rules
        if rule.jurisdiction == INTERNATIONAL
        and rule.airline is None
        and (rule.effective_from is None or rule.effective_from <= last_reading)
    )
    packs, left = divmod(size - len(baseline), PACK)
    if left or packs < 2 * COUNTRIES_OF_A_LEG:
        nearest = len(baseline) + PACK * max(2 * COUNTRIES_OF_A_LEG, packs + 1)
        raise ValueError(f"a world of {size} rules cannot be made of whole packs; one of {nearest} can")
    sources = tuple(source.id for source in real.sources if source.citable)[:1]
    homes = [country.code for country in real.countries][: packs // 2]
    airlines = tuple(
        Airline(
            airline=code,
            icao="",
            name=code,
            country=homes[number % len(homes)],
            policy_url="https://airline.example/",
            confidence="confirmed",
            summary="An airline of a synthetic world.",
        )
        for number, code in zip(range(packs - len(homes)), airline_codes(), strict=False)
    )
    return msgspec.structs.replace(
        real,
        jurisdictions=tuple(msgspec.structs.replace(place, member_of=()) for place in real.jurisdictions),
        airlines=airlines,
        rules=(
            *baseline,
            *(rule for code in homes for rule in _authority_rules(code, sources)),
            *(rule for airline in airlines for rule in _airline_rules(airline, sources)),
        ),
        # They refer to airlines and rules that it does not have.
        disagreements=(),
    )


def airline_codes() -> Iterator[str]:
    """Count up in base 36: `0A` to `ZZ` without two digits, then `100` to `ZZZ`, then from `1000` on."""
    pairs = map("".join, product(digits + ascii_uppercase, repeat=2))
    yield from (code for code in pairs if not code.isdigit())
    for length in (3, 4):
        for first, *rest in product(digits[1:] + ascii_uppercase, *[digits + ascii_uppercase] * (length - 1)):
            yield first + "".join(rest)


def _authority_rules(country: str, sources: tuple[str, ...]) -> Iterator[Rule]:
    for rule in AUTHORITY_PACK:
        yield msgspec.structs.replace(
            rule, rule_id=f"{country.lower()}.law.{rule.rule_id}", jurisdiction=country, sources=sources
        )


def _airline_rules(airline: Airline, sources: tuple[str, ...]) -> Iterator[Rule]:
    for rule in AIRLINE_PACK:
        yield msgspec.structs.replace(
            rule,
            rule_id=f"{airline.airline.lower()}.policy.{rule.rule_id}",
            jurisdiction=airline.country,
            airline=airline.airline,
            sources=sources,
        )


def questions(content: Content, seed: int, travel_date: datetime.date) -> Iterator[Question]:
    """Yield random questions about a synthetic world, without end."""
    draw = random.Random(seed)
    airlines = content.airlines
    homes = sorted({airline.country for airline in airlines})
    model_ids = [device.model_id for device in content.devices]
    while True:
        airline = draw.choice(airlines)
        origin, destination = draw.sample(homes, 2)
        if airline.country in (origin, destination):
            continue
        yield Question(
            unit=Unit(
                model_id=draw.choice(model_ids),
                quantity=draw.choice((1, 1, 2, 3)),
                condition=draw.choice(("intact", "intact", "unknown", "damaged")),
            ),
            leg=Leg(origin, destination, airline.airline),
            travel_date=travel_date,
            compartment_intent=draw.choice(("carry_on", "carry_on", "on_person", "checked")),
        )
