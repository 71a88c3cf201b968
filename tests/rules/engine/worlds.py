"""Small generated releases, and questions about them.

They hold what the starter corpus does not: rules that start and stop within days, several regions, other
thresholds, missing permits, recalls of every shape. Each can be published (`rules.engine.document.problems`
is empty). What they have in common:

    countries      FR and DE in region RA; JP in RA and RB; US in RB or in none; BR in none
    airlines       A1, B2 and C3, based in any country, of any confidence; C3 mostly has no rule
    permits        of the baseline, of FR, of RB, of A1 and of B2, one of which may be missing; and drawn ones
    models         two-one and two-two of one brand, ton-one of another; figures on and beside the edges;
                   most of them with certificates that are valid, suspended or revoked on some days
    days           TODAY is 2027-03-01; rules start and stop within weeks of it

In a *monotone* world rules get stricter as the facts get worse. The promises "more watt-hours never make a
verdict less strict" and "unknown lies between" are promises about what editors write as much as about the
engine: a permit for 100 to 160 Wh with none below it, or a prohibition of intact units alone, breaks them
whatever the engine does. So in a monotone world

- a permit has no lower watt-hour bound, and holds for a set of conditions and recall answers that also has
  every better one (a permit for damaged units alone would make damage a merit);
- a requirement, prohibition or advice has no upper watt-hour bound, and holds for a set of conditions and
  recall answers that also has every worse one;
- a rule names no model (a prohibition of the smaller of two models would make watt-hours a merit).

More units and a worse mark need no such restriction: no publishable permit depends on them, and for other
rules they are conditions that only worse facts meet. The starter corpus is written in bands of watt-hours;
that it keeps the promises all the same is part of what `test_invariants.py` finds out.
"""

import datetime
import itertools
import random
from decimal import Decimal
from typing import Any

import msgspec
from hypothesis import strategies as st

from recalls.serials import AffectedSerials
from rules.engine.document import Content
from rules.engine.facts import (
    INTERNATIONAL,
    Airline,
    Certificate,
    Country,
    Device,
    Jurisdiction,
    Leg,
    Params,
    Question,
    Recall,
    Rule,
    Source,
    TripQuestion,
    When,
)
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, Compartment, Scope
from tests.rules.engine.units import COMPARTMENTS_DRAWN, CONDITIONS, RECALL_STATUSES, units

TODAY = datetime.date(2027, 3, 1)
WORLD_DAYS = st.integers(0, 25).map(lambda ahead: TODAY + datetime.timedelta(days=ahead))

FIGURES: tuple[tuple[str | None, str], ...] = (
    (None, "unknown"),
    *((figure, "rated") for figure in ("20", "99.9", "100", "100.01", "111", "160", "160.01", "222")),
    *(
        (figure, "computed")
        for figure in ("27.5", "94.99", "95", "97.12", "99.9", "100", "130", "151.99", "152", "155.4", "160")
    ),
)
BOUNDS = tuple(Decimal(bound) for bound in ("27", "95", "100", "100.5", "130", "154", "160"))

WORLD_IDENTIFIERS = (
    "A123",
    "al23",
    " a 12 3 ",
    "AO11",
    "B000",
    "8000",
    "X-A",
    "X-D",
    "S5",
    "OI" * 13,
    "Å123",
    "Å-A",
    "\uff38-\uff21",  # X-A in the full-width letters of Chinese and Japanese keyboards.
)
"""Affected, outside or undecided under one or the other recall; over the bound; not ASCII."""


def _source(name: str, **fields: Any) -> Source:
    return Source(id=name, jurisdiction="INTL", title=name, read_on=fields.pop("read_on"), **fields)


SOURCES = (
    _source(
        "law",
        kind="regulator",
        authority="Authority",
        url="https://law.example/",
        basis="official_page_read",
        read_on=datetime.date(2027, 2, 1),
    ),
    _source(
        "old-law",
        kind="regulator",
        authority="Authority",
        url="https://law.example/old",
        basis="official_page_read",
        cadence="quarterly",
        read_on=datetime.date(2026, 3, 1),  # 365 days before TODAY: the last day on which it is fresh.
    ),
    _source(
        "older-law",
        kind="regulator",
        authority="Authority",
        url="https://law.example/old",
        basis="official_page_read",
        cadence="quarterly",
        read_on=datetime.date(2026, 2, 28),  # 366 days before TODAY: stale.
    ),
    _source(
        "due-law",
        kind="regulator",
        authority="Authority",
        url="https://law.example/due",
        basis="official_page_read",
        read_on=datetime.date(2026, 9, 2),  # 180 days before TODAY, twice what is good: not yet very stale.
    ),
    _source(
        "overdue-law",
        kind="airline",
        authority="Authority",
        url="https://law.example/overdue",
        basis="official_page_read",
        read_on=datetime.date(2026, 9, 1),  # 181 days before TODAY: very stale.
    ),
    _source(
        "daily-paper",
        kind="news",
        authority="Paper",
        url="https://paper.example/today",
        basis="secondary_read",
        cadence="daily",
        read_on=datetime.date(2026, 12, 30),  # 61 days before TODAY: very stale.
    ),
    _source(
        "same-law",  # Looks the same as `law`.
        kind="regulator",
        authority="Authority",
        url="https://law.example/",
        basis="secondary_read",
        read_on=datetime.date(2027, 2, 1),
    ),
    _source(
        "paper",
        kind="news",
        authority="Paper",
        url="https://paper.example/",
        basis="secondary_read",
        read_on=datetime.date(2026, 12, 1),
    ),
    _source(
        "hearsay",
        kind="news",
        authority="Nobody",
        url="https://hearsay.example/",
        basis="general_knowledge",
        read_on=datetime.date(2027, 2, 28),
    ),
)
_READ = ("law", "old-law", "older-law", "due-law", "overdue-law", "daily-paper", "same-law", "paper")
_EVIDENCE = tuple((one, other) for one in _READ for other in (*_READ, "hearsay") if one != other)
_DEVICE_EVIDENCE = ((), ("hearsay",), ("paper",), ("law", "same-law"), ("hearsay", "old-law"))

AIRLINES = ("A1", "B2", "C3")

_SCOPE_SETS: tuple[tuple[Scope, ...], ...] = (
    ("departure", "arrival", "domestic", "operator"),
    ("departure", "domestic"),
    ("departure",),
    ("arrival",),
    ("domestic",),
    ("operator",),
    ("domestic", "operator", "arrival"),
)
_ISSUERS: tuple[tuple[str, tuple[Scope, ...]], ...] = (
    *(("INTL", ("global",)),) * 4,
    *(("A1", ("airline",)),) * 6,
    *(("B2", ("airline",)),) * 2,
    ("C3", ("airline",)),
    *((place, scopes) for place in ("FR", "RA", "RB") for scopes in _SCOPE_SETS),
    *((place, _SCOPE_SETS[0]) for place in ("DE", "JP", "US")),
)
"""Who issues a rule, and how it applies."""

_DAYS = tuple(
    (start, end)
    for start in (*(None,) * 6, -400, 0, 1, 2, 10, 25, 30, 31, 45)
    for end in (*(None,) * 6, -30, 0, 1, 9, 24, 30, 60)
    if start is None or end is None or start <= end
)
"""First and last day on which a rule is in force, counted from TODAY."""

_RULE_CODES = tuple(sorted(code.name for code in CODES.values() if code.from_rules))
_MORE_OFTEN = (
    "airline_approval_required",
    "carry_on_only",
    "ccc_mark_required",
    "ccc_mark_required",
    "ccc_mark_required",
    "label_required",
    "max_units",
    "max_units",
    "no_onboard_use",
    "onboard_use_discouraged",
    "over_watt_hour_limit",
    "over_watt_hour_limit",
    "quantity_advice",
)


def _said(effects: tuple[str, ...]) -> tuple[tuple[str, str | None, Params], ...]:
    """What a rule of some effects can say: effect, code and parameters."""
    said: list[tuple[str, str | None, Params]] = []
    for name in (*_MORE_OFTEN, *_RULE_CODES):
        code = CODES[name]
        choices = [Params()]
        if code.parameter == "max_units":
            choices = [Params(max_units=units) for units in (1, 2, 5)]
        elif code.parameter == "limit_watt_hour":
            choices = [Params(limit_watt_hour=Decimal(limit)) for limit in (100, 160)]
        if EFFECT_OF_NATURE[code.nature] in effects:
            said += [(EFFECT_OF_NATURE[code.nature], name, params) for params in choices]
    return tuple(said)


_BINDING = _said(("require", "prohibit"))
_ADVICE = _said(("advise",))
_PERMIT = (("permit", None, Params()),)

_COMPARTMENT_SETS: tuple[tuple[Compartment, ...], ...] = (
    ("carry_on", "on_person"),
    ("carry_on",),
    ("checked",),
)

_MODEL_SETS = (("two-one",), ("two-two",), ("two-two", "ton-one"), ("two-one", "two-two", "ton-one"))


def _conditions(permit: bool, monotone: bool) -> tuple[When, ...]:
    """No condition, one, or two of different kinds, as often as each other."""
    lower = [{name: bound} for name in ("watt_hour_over", "watt_hour_at_least") for bound in BOUNDS]
    upper = [{"watt_hour_up_to": bound} for bound in BOUNDS]
    bands = [{"watt_hour_over": low, "watt_hour_up_to": high} for low, high in itertools.pairwise(BOUNDS)]
    better = (("intact",), ("intact", "unknown"), ("not_affected",), RECALL_STATUSES[:3])
    worse = (("damaged",), ("unknown", "damaged"), ("affected",), RECALL_STATUSES[2:], RECALL_STATUSES[1:])
    neither = (("unknown",), ("intact", "damaged"), ("serial_unknown",), ("not_affected", "affected"))
    sets = (better if permit else worse) if monotone else (*better, *worse, *neither)
    kinds: list[list[dict[str, Any]]] = [
        (upper if permit else lower) if monotone else [*lower, *upper, *bands],
        [{"compartment": compartments} for compartments in _COMPARTMENT_SETS],
        [{"recall_status": values} for values in sets if values[0] in RECALL_STATUSES],
        [{"condition": values} for values in sets if values[0] in CONDITIONS],
        [] if monotone else [{"model": models} for models in _MODEL_SETS],
    ]
    if not permit:
        kinds.append([{"certification_missing": "CCC"}])
        kinds.append([{"quantity_over": units} for units in (1, 2, 5)])
    single = [condition for kind in kinds for condition in kind]
    double = [
        one | other for first, second in itertools.combinations(kinds, 2) for one in first for other in second
    ]
    random.Random(0).shuffle(double)
    return tuple(When(**conditions) for conditions in [*[{}] * len(single), *single, *double[: len(single)]])


_WHEN = {
    (permit, monotone): _conditions(permit, monotone)
    for permit in (True, False)
    for monotone in (True, False)
}


def _drafts(
    say: tuple[tuple[str, str | None, Params], ...], monotone: bool
) -> st.SearchStrategy[tuple[Any, ...]]:
    """Everything of a rule but its identifier: each choice from one table, so that drawing is quick."""
    return st.tuples(
        st.sampled_from(_ISSUERS),
        st.sampled_from(say),
        st.sampled_from(_WHEN[say is _PERMIT, monotone]),
        st.sampled_from(_DAYS),
        st.sampled_from(_EVIDENCE),
    )


def _any_drafts(monotone: bool) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Two to fourteen rules, of which half bind."""
    binding, permits, advice = (_drafts(say, monotone) for say in (_BINDING, _PERMIT, _ADVICE))
    return st.lists(binding | permits | binding | advice, min_size=2, max_size=14)


ALWAYS = When()


def _rule(
    rule_id: str,
    issued: tuple[str, tuple[Scope, ...]],
    said: tuple[Any, str | None, Params],
    when: When = ALWAYS,
    days: tuple[int | None, int | None] = (None, None),
    sources: tuple[str, ...] = ("law",),
) -> Rule:
    issuer, applies = issued
    effect, code, params = said
    start, end = (None if day is None else TODAY + datetime.timedelta(days=day) for day in days)
    airline = issuer if applies == ("airline",) else None
    return Rule(
        rule_id=rule_id,
        issuer="airline" if airline else "regulator",
        authority="Authority",
        jurisdiction="FR" if airline else issuer,
        airline=airline,
        applies=applies,
        when=when,
        effect=effect,
        code=code,
        params=params,
        effective_from=start,
        effective_until=end,
        summary="A rule of the generated world.",
        confidence="confirmed",
        sources=sources,
    )


PLAIN_PERMITS = (
    _rule("intl.plain-permit", ("INTL", ("global",)), _PERMIT[0]),
    _rule("fr.plain-permit", ("FR", ("departure", "domestic")), _PERMIT[0]),
    _rule("rb.plain-permit", ("RB", ("departure", "domestic")), _PERMIT[0]),
    _rule("a1.plain-permit", ("A1", ("airline",)), _PERMIT[0]),
    _rule("b2.plain-permit", ("B2", ("airline",)), _PERMIT[0]),
)
"""Unconditional permits, without which hardly a question would get beyond `insufficient`."""


AFFECTED_SERIALS = (
    *(AffectedSerials(scope="all_units", identifier="model"),) * 3,
    *(
        AffectedSerials(
            scope="lookup_required", identifier="serial", explicit_list_url="https://lookup.example/"
        ),
    )
    * 3,
    *(AffectedSerials(scope="sale_dates", identifier="serial"),) * 3,
    *(
        AffectedSerials(
            scope="serial_pattern",
            identifier="serial",
            pattern=pattern,
            not_affected_pattern=clearing,
            exhaustive=exhaustive,
            explicit_list_url=url,
            affected_samples=(sample,),
            unaffected_samples=("C",),
        )
        for pattern, sample in (
            ("^A[0-9]{3}$", "A123"),
            ("^.*[0-9D]$", "X-D"),
            ("^B0+$", "B000"),
            ("^(A123|X-D)$", "A123"),
        )
        for clearing, exhaustive in (("^.*A$", False), ("^[A8].*$", False), (None, False), (None, True))
        for url in (None, "https://lookup.example/")
    ),
)


def certificate(
    status: Any, since: int | None = None, until: int | None = None, lookup: int = 0
) -> Certificate:
    """A certificate of the generated world; its days are counted from TODAY."""
    return Certificate(
        mark="CCC",
        status=status,
        source=("law", "paper", "old-law")[lookup],
        lookup_url=(None, "https://register.example/", "https://other-register.example/")[lookup],
        since=None if since is None else TODAY + datetime.timedelta(days=since),
        until=None if until is None else TODAY + datetime.timedelta(days=until),
    )


DOUBTS = tuple(
    certificate(status, since, until, lookup)
    for status in ("suspended", "revoked")
    for since in (None, -20, 0, 1, 10, 25, 40)
    for until in (None, 0, 5, 24, 60)
    for lookup in range(3)
    if since is None or until is None or since <= until
)
"""Certificates that are suspended or revoked."""

VALID = tuple(certificate("valid", since, until) for since, until in ((None, None), (-9, 12), (3, None)))
CERTIFICATES = (
    *((),) * len(DOUBTS),
    *((one,) for one in (*DOUBTS, *VALID)),
    *zip(DOUBTS, reversed(DOUBTS), strict=True),
)
"""The certificates of a model: none, one or two."""

COUNTRY_CODES = ("BR", "DE", "FR", "JP", "US")
MODEL_IDS = ("two-one", "two-two", "ton-one")


def device(model_id: str, watt_hour: str | None, basis: Any, sources: tuple[str, ...] = ("law",)) -> Device:
    """A model with this figure; a computed one gets the mAh that give it at ten volts."""
    figure = None if watt_hour is None else Decimal(watt_hour)
    return Device(
        model_id=model_id,
        brand=model_id[:3],
        model_name=model_id,
        capacity_mah=None if figure is None else int(figure * 100),
        nominal_voltage=Decimal(10),
        watt_hour=figure,
        watt_hour_basis=basis,
        sources=sources,
    )


def recall(
    recall_id: str, model_id: str, affected_serials: AffectedSerials, sources: tuple[str, ...] = ("law",)
) -> Recall:
    """A recall of the generated world."""
    return Recall(
        recall_id=recall_id,
        model_id=model_id,
        authority="Authority",
        jurisdiction="US",
        announced_on=TODAY,
        announced_precision="day",
        title="Recalled",
        hazard="Fire",
        remedy="Refund",
        affected_serials=affected_serials,
        notice_url="https://recall.example/",
        sources=sources,
    )


def _airline(code: str, country: str, confidence: Any) -> Airline:
    return Airline(
        airline=code,
        icao="XXX",
        name=code,
        country=country,
        policy_url="https://airline.example/",
        confidence=confidence,
        summary="An airline.",
    )


def world(
    rules: list[tuple[Any, ...]],
    missing: Rule | None,
    airlines: list[tuple[str, str]],
    figures: list[tuple[str | None, str]],
    device_sources: list[tuple[str, ...]],
    certificates: list[tuple[Certificate, ...]],
    recalls: list[tuple[str, AffectedSerials, tuple[str, ...]]],
    usa_in: tuple[str, ...],
) -> Content:
    members = {"FR": ("RA",), "DE": ("RA",), "JP": ("RA", "RB"), "US": usa_in}
    # The order of the identifiers is not the order of the list.
    drawn = [_rule(f"rule.{name}", *draft) for name, draft in zip("hbjadgcfienlkm", rules, strict=False)]
    return Content(
        countries=tuple(Country(code=code, name=code) for code in COUNTRY_CODES),
        jurisdictions=tuple(
            Jurisdiction(
                code=code,
                name=code,
                regulator=code,
                regulator_url="https://law.example/",
                member_of=members.get(code, ()),
            )
            for code in ("INTL", "RA", "RB", *COUNTRY_CODES)
        ),
        sources=SOURCES,
        airlines=tuple(_airline(code, *drawn) for code, drawn in zip(AIRLINES, airlines, strict=True)),
        devices=tuple(
            msgspec.structs.replace(device(model_id, *figure, sources), certificates=certified)
            for model_id, figure, sources, certified in zip(
                MODEL_IDS, figures, device_sources, certificates, strict=True
            )
        ),
        rules=(*drawn, *(permit for permit in PLAIN_PERMITS if permit is not missing)),
        recalls=tuple(recall(f"recall-{number}", *draft) for number, draft in enumerate(recalls)),
    )


def _worlds(monotone: bool) -> st.SearchStrategy[Content]:
    recalls = st.tuples(
        st.sampled_from(MODEL_IDS), st.sampled_from(AFFECTED_SERIALS), st.sampled_from(_EVIDENCE)
    )
    airlines = st.tuples(
        st.sampled_from(("FR", "FR", *COUNTRY_CODES)),
        st.sampled_from(("confirmed", "reported", "reported", "unverified")),
    )
    return st.builds(
        world,
        rules=_any_drafts(monotone),
        missing=st.sampled_from((None, None, None, *PLAIN_PERMITS)),
        airlines=st.lists(airlines, min_size=3, max_size=3),
        figures=st.lists(st.sampled_from(FIGURES), min_size=3, max_size=3),
        device_sources=st.lists(st.sampled_from(_DEVICE_EVIDENCE), min_size=3, max_size=3),
        certificates=st.lists(st.sampled_from(CERTIFICATES), min_size=3, max_size=3),
        recalls=st.lists(recalls, max_size=2),
        usa_in=st.sampled_from(((), ("RB",))),
    )


WORLDS = _worlds(monotone=False)
"""Small releases that can be published."""

MONOTONE_WORLDS = _worlds(monotone=True)
"""The same, where every rule gets stricter as the facts get worse."""

_places = st.sampled_from(("FR", "FR", *COUNTRY_CODES))
_operators = st.sampled_from((*("A1",) * 6, *("B2",) * 2, "C3"))

WORLD_LEGS = st.builds(Leg, _places, _places, _operators) | st.builds(
    lambda country, airline: Leg(country, country, airline), _places, _operators
)
WORLD_UNITS = units(MODEL_IDS, WORLD_IDENTIFIERS)
WORLD_QUESTIONS = st.builds(
    Question, unit=WORLD_UNITS, leg=WORLD_LEGS, travel_date=WORLD_DAYS, compartment_intent=COMPARTMENTS_DRAWN
)
WORLD_TRIPS = st.builds(
    TripQuestion,
    unit=WORLD_UNITS,
    legs=st.lists(WORLD_LEGS, min_size=1, max_size=4).map(tuple),
    travel_date=WORLD_DAYS,
    compartment_intent=COMPARTMENTS_DRAWN,
)


def _added_drafts(say: tuple[tuple[str, str | None, Params], ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(
        st.sampled_from(("baseline", "airline", "origin", "destination", "operator")),
        st.sampled_from(say),
        st.sampled_from(_WHEN[False, False]),
        st.sampled_from(_DAYS),
    )


ADDED_BINDING = _added_drafts(_BINDING)
ADDED_ADVICE = _added_drafts(_ADVICE)
"""Rules for `with_rule_for`."""


def with_rule_for(content: Content, leg: Leg, draft: tuple[Any, ...]) -> Content:
    """Return the content with one more rule, which is in play for the leg."""
    role, *rest = draft
    issued: dict[str, tuple[str, tuple[Scope, ...]]] = {
        "baseline": (INTERNATIONAL, ("global",)),
        "airline": (leg.airline, ("airline",)),
        "origin": (leg.origin, ("departure", "domestic")),
        "destination": (leg.destination, ("arrival",)),
        "operator": (
            next(row.country for row in content.airlines if row.airline == leg.airline),
            ("operator",),
        ),
    }
    sources = {source.id: source for source in (*content.sources, SOURCES[0])}
    added = _rule("rule.added", issued[role], *rest)
    if added.when.model is not None:
        known = tuple(row.model_id for row in content.devices)
        named = tuple(name for name in known if name in added.when.model) or known
        added = msgspec.structs.replace(added, when=msgspec.structs.replace(added.when, model=named))
    return msgspec.structs.replace(
        content,
        rules=(*content.rules, added),
        sources=tuple(sources.values()),
    )
