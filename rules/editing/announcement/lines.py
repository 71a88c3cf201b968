"""The lines of the checklist, and the rules that each of them makes.

The forms are those of published rules: a permit up to a figure, a band with approval, a limit, a number of
units, and the demands that need no figure. Nothing is read from free text. Pure.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from rules.engine.facts import Params, Rule, When
from rules.engine.matching import plain
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, Compartment, Effect, Nature

CABIN: tuple[Compartment, ...] = ("carry_on", "on_person")

IN_ANY_BAGGAGE = frozenset({"carry_on_only", "label_required", "ccc_mark_required"})
"""Demands that hold wherever the unit is carried. All others are about the cabin."""

REFUSED = {
    "damaged_not_permitted": When(condition=("damaged",)),
    "recalled_not_permitted": When(recall_status=("affected",)),
}
"""Prohibitions that need no figure, and whom they are about."""

WITH_ITS_OWN_LINE = frozenset({"airline_approval_required", "max_units"})


def demands() -> tuple[str, ...]:
    """Return the codes that a line of the checklist can name alone, in the order of the registry."""
    required = [
        code.name
        for code in CODES.values()
        if code.from_rules
        and EFFECT_OF_NATURE.get(code.nature) == "require"
        and code.name not in WITH_ITS_OWN_LINE
    ]
    return (*required, *REFUSED)


class Said(NamedTuple):
    """What a notice says, line by line. None and an empty tuple are lines that are left open.

    `up_to`: may travel in the cabin without asking. `approval_to`: more than `up_to` and up to this, with the
    airline's approval. `refused`: refused, more than this or from this on (`refused_from`). `units`: per
    passenger. `band_units`: of those, more than `band_over` and up to `band_up_to` (open: without an end).
    """

    up_to: Decimal | None = None
    approval_to: Decimal | None = None
    refused: Decimal | None = None
    refused_from: bool = False
    units: int | None = None
    band_units: int | None = None
    band_over: Decimal | None = None
    band_up_to: Decimal | None = None
    demands: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """One rule that a line makes: the line, the end of the rule's id, and its deciding content."""

    line: str
    stem: str
    effect: Effect
    code: str | None
    when: When
    params: Params = Params()


def candidates(said: Said) -> Iterator[Candidate]:
    """Return the rules of a checklist, in the order of its lines."""
    if said.up_to is not None:
        within = When(watt_hour_up_to=said.up_to, compartment=CABIN)
        yield Candidate("up_to", f"carry-on-up-to-{_in_id(said.up_to)}wh", "permit", None, within)
    if said.up_to is not None and said.approval_to is not None:
        band = When(watt_hour_over=said.up_to, watt_hour_up_to=said.approval_to, compartment=CABIN)
        figures = f"{_in_id(said.up_to)}-{_in_id(said.approval_to)}wh"
        yield Candidate("approval_to", f"carry-on-{figures}", "permit", None, band)
        yield Candidate("approval_to", f"approval-{figures}", "require", "airline_approval_required", band)
    if said.refused is not None:
        figure = said.refused
        beyond = When(watt_hour_at_least=figure) if said.refused_from else When(watt_hour_over=figure)
        yield Candidate(
            "refused",
            f"over-{_in_id(said.refused)}wh",
            "prohibit",
            "over_watt_hour_limit",
            beyond,
            Params(limit_watt_hour=said.refused),
        )
    if said.units is not None:
        every = When(compartment=CABIN)
        yield Candidate("units", "max-units", "require", "max_units", every, Params(max_units=said.units))
    if said.band_units is not None and said.band_over is not None:
        yield Candidate(
            "band_units",
            f"max-units-over-{_in_id(said.band_over)}wh",
            "require",
            "max_units",
            When(watt_hour_over=said.band_over, watt_hour_up_to=said.band_up_to, compartment=CABIN),
            Params(max_units=said.band_units),
        )
    for code in said.demands:
        yield _demand(code)


def _demand(code: str) -> Candidate:
    when = REFUSED.get(code) or When(compartment=None if code in IN_ANY_BAGGAGE else CABIN)
    effect = EFFECT_OF_NATURE[CODES[code].nature]
    return Candidate("demands", code.replace("_", "-"), effect, code, when)


def _in_id(figure: Decimal) -> str:
    """Return a figure as an id may have it: `99.99` is `99-99`."""
    return plain(figure).replace(".", "-")


# --- Which published rules are about the same -------------------------------------------------------------


class Topic(NamedTuple):
    """What a rule is about, whatever its figures: who says it, on which flights, and which line."""

    issuer: tuple[str, ...]
    flights: frozenset[str]
    effect: Effect
    code: str | None
    banded: bool
    about: tuple[tuple[str, ...] | None, ...]


def topic_of(rule: Rule) -> Topic | None:
    """Return what a rule is about. None if no line makes such a rule, as for one that names exact models."""
    when = rule.when
    if when.model or when.quantity_over or when.certification_missing:
        return None
    lower = when.watt_hour_over is not None or when.watt_hour_at_least is not None
    return Topic(
        issuer=(rule.airline,) if rule.airline else (rule.authority, rule.jurisdiction),
        flights=frozenset(rule.applies),
        effect=rule.effect,
        code=rule.code,
        banded=lower and CODES[rule.code].nature is not Nature.PROHIBITION if rule.code else lower,
        about=(when.condition, when.recall_status),
    )


def says_the_same(one: Rule, other: Rule) -> bool:
    """Return whether two rules about one thing decide the same, apart from their days."""
    return (_in_order(one.when), one.params) == (_in_order(other.when), other.params)


def _in_order(when: When) -> When:
    return replace(when, compartment=tuple(sorted(when.compartment)) if when.compartment else None)
