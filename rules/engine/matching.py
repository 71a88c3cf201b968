"""Does this rule speak for this question? A rule and a question, both folded into a few integers.

Every fact (compartment, recall status, condition of the unit, mark, label, quantity, band of watt-hours,
named model) is one bit of an integer. A question sets exactly one bit of each group: its *facts*. A rule
keeps three integers of the same layout:

- `admits`: the facts under which its conditions hold (`facts & admits == facts`);
- `bans`: the facts under which it bans (a prohibition: all; `carry_on_only`: checked; `max_units` 2: over 2);
- `unproven`: the facts under which it is a precondition that is not shown (approval: all; a mark: unknown).

This is a private representation that makes matching cheap; the readable form stays `facts.Rule`.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from typing import Literal, NamedTuple, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from catalog.energy import hundredths
from recalls.serials import RecallStatus
from rules.engine.facts import INTERNATIONAL, Question, Rule
from rules.engine.vocabulary import (
    CODES,
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    MarkIndication,
    Nature,
    Severity,
    UnitCondition,
)

UNKNOWN_WATT_HOUR = -1
"""Represents unknown watt-hours: below every span that a watt-hour condition can name."""

_NO_LIMIT = 10**12


Value = TypeVar("Value")


class _Layout:
    """Hands out the bits of the integer, group by group."""

    def __init__(self) -> None:
        self.width = 0

    def group(self, values: Iterable[Value]) -> dict[Value, int]:
        bits = {value: 1 << self.width + place for place, value in enumerate(values)}
        self.width += len(bits)
        return bits


_layout = _Layout()
_COMPARTMENT: dict[Compartment, int] = _layout.group(get_args(Compartment))
_RECALL_STATUS: dict[RecallStatus, int] = _layout.group(get_args(RecallStatus))
_CONDITION: dict[UnitCondition, int] = _layout.group(get_args(UnitCondition))
_MARK: dict[MarkIndication, int] = _layout.group(get_args(MarkIndication))
_LABEL: dict[LabelIndication, int] = _layout.group(get_args(LabelIndication))
_MANY = MAX_QUANTITY + 1
"""Represents every number of units that is higher than any rule names."""
_QUANTITY = _layout.group(range(1, _MANY + 1))

_COMPARTMENTS = sum(_COMPARTMENT.values())
_MARKS = sum(_MARK.values())
_QUANTITIES = sum(_QUANTITY.values())
_FIXED = ~(_MARKS | _QUANTITIES)
"""The facts of a unit that stay the same in every bag, and where its mark is in doubt."""

EVERYTHING = (1 << _layout.width) - 1
NOTHING = 0
ANY_BAND = -1 << _layout.width
"""The bits of all bands of watt-hours, for a unit whose energy is unknown; those above them as well."""

GROUPS = tuple(
    sum(group.values()) for group in (_COMPARTMENT, _RECALL_STATUS, _CONDITION, _MARK, _LABEL, _QUANTITY)
)
"""The bits of each group of facts, as masks."""


def fold(question: Question, recall_status: RecallStatus) -> int:
    """Return the facts of a question as one integer, one bit of each group but watt-hours and model."""
    unit = question.unit
    return (
        _COMPARTMENT[question.compartment_intent]
        | _RECALL_STATUS[recall_status]
        | _CONDITION[unit.condition]
        | _MARK[unit.ccc_mark]
        | _LABEL[unit.capacity_label]
        | _QUANTITY[min(unit.quantity, _MANY)]
    )


def with_number(facts: int, number: int) -> int:
    """Return the same facts for another number of units."""
    return facts & ~_QUANTITIES | _QUANTITY[min(number, _MANY)]


def with_mark_unknown(facts: int) -> int:
    """Return the same facts for a unit of which it is unknown whether it bears the mark."""
    return facts & ~_MARKS | _MARK["unknown"]


def in_cabin(facts: int) -> int:
    """Return the same facts for a unit in carry-on baggage."""
    return facts & ~_COMPARTMENTS | _COMPARTMENT["carry_on"]


def in_hold(facts: int) -> bool:
    """Return whether the unit would travel in checked baggage."""
    return bool(facts & _COMPARTMENT["checked"])


class Bands:
    """The bands of watt-hours that the rules of a release distinguish, one bit each, above all other facts.

    Between two neighboring edges no rule starts or ceases to speak, so the band is as good as the figure.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        spans = [watt_hour_span(rule) for rule in rules]
        self.edges = sorted({low for low, _ in spans} | {high + 1 for _, high in spans})
        """The figures at which another band begins, in hundredths of a watt-hour."""

    @property
    def top(self) -> int:
        """The place of the first bit above all bands."""
        return _layout.width + len(self.edges) + 1

    def of(self, watt_hour: int) -> int:
        """Return the bit of a figure, in hundredths of a watt-hour."""
        return 1 << _layout.width + bisect_right(self.edges, watt_hour)

    def within(self, low: int, high: int) -> int:
        """Return the bits of all figures from `low` to `high`."""
        return 2 * self.of(high) - self.of(low)


class NamedModels:
    """The models that the rules of a release name, one bit each, above the bands of watt-hours.

    One more bit represents every other model, and a unit whose model is unknown.
    """

    def __init__(self, rules: Iterable[Rule], bands: Bands) -> None:
        names = sorted({name for rule in rules for name in rule.when.model or ()})
        self._other = 1 << bands.top
        self._bits = {name: self._other << place for place, name in enumerate(names, start=1)}

    def of(self, model_id: str) -> int:
        """Return the bit of a model."""
        return self._bits.get(model_id, self._other)

    def admitted(self, models: Iterable[str] | None) -> int:
        """Return the bits of some models, or of all models if a rule names none."""
        if models is None:
            return self._other + sum(self._bits.values())
        return sum(map(self._bits.__getitem__, models))


class Statement(msgspec.Struct, frozen=True, cache_hash=True):
    """What a rule or the engine says, ready to be listed: a registry name and what to show for it.

    `code` is what the answer shows (`max_units_over_100wh_2`), `name` the registry's entry behind it
    (`max_units`), `params` what its sentence needs (`max_units`, `watt_hour_over`, `limit_watt_hour`, `date`,
    `read_on`) as text. Of two statements with one name, the one with the higher `strictness` is shown.
    """

    name: str
    code: str
    nature: Nature
    severity: Severity | None = None
    params: tuple[tuple[str, str], ...] = ()
    strictness: int = 0


BAN, PRECONDITION, LIMIT, CONDUCT = range(4)
"""The order in which constraints are listed."""

RANK_OF_NATURE = {
    Nature.PROHIBITION: BAN,
    Nature.PRECONDITION: PRECONDITION,
    Nature.LIMIT: LIMIT,
    Nature.CONDUCT: CONDUCT,
}

Voice = Literal["baseline", "authority", "airline"]
"""Who speaks: the international baseline, a national or regional authority, or the airline."""


class Reading(NamedTuple):
    """When the evidence of a rule was last read, and from when it is stale and very stale: day numbers.

    Both may be beyond the calendar.
    """

    read_on: int
    stale_from: int
    very_stale_from: int


NO_READING = Reading(0, 0, 0)


class Compiled(msgspec.Struct, frozen=True):
    """A rule ready to be weighed.

    `permit_of` says whose permit it is and is null for any other effect. `rank` is the place of its
    constraint in the list while it is met, and is null for permits and advice. `counts` says whether it
    depends on the number of units. The days of its evidence are those of a `Reading`.
    """

    rule_id: str
    permit_of: Voice | None
    statement: Statement | None
    rank: int | None
    bans: int
    unproven: int
    counts: bool
    citations: tuple[int, ...]
    read_on: int
    stale_from: int
    very_stale_from: int


Entry = tuple[int, Compiled]
"""One row of the index: what a rule admits, and the rule.

A plain tuple, because the innermost loop of every verdict unpacks it.
"""


def speaking(entries: Iterable[Entry], facts: int) -> list[Compiled]:
    """Return the rules whose conditions hold, in the order given."""
    return [rule for admits, rule in entries if facts & admits == facts]


def may_speak(admits: int, facts: int, bands: int) -> bool:
    """Return whether a rule may speak for a unit, whatever the mark and the number of units.

    `bands` are those of its watt-hours that count, `facts` all others.
    """
    fixed = facts & _FIXED
    return fixed & admits == fixed and bands & admits != NOTHING


Energies = tuple[tuple[int, int], ...]
"""The units of a bag by their energy: the bands in which a unit can be, and how many such units there are.

Unknown watt-hours can be in any band.
"""


def counted(entries: Iterable[Entry], bag: Energies) -> Iterator[Entry]:
    """Return rules as they read a bag of several energies: the number of units is already compared.

    A rule counts the units of the bag that meet its own energy conditions, so one number cannot be right for
    all rules. Each rule that counts is replaced by one that says the same for every number.
    """
    for admits, rule in entries:
        if rule.counts:
            number = _QUANTITY[_number(admits, bag)]
            yield _settled(admits, number), replace(rule, bans=_settled(rule.bans, number))
        else:
            yield admits, rule


def compared(entries: Iterable[Entry], bag: Energies) -> int:
    """Compare the units of a bag with rules that count. Bags that compare alike are alike to these rules.

    Each rule has two bits: whether it speaks for the number of units, and whether it bans it.
    """
    found = 0
    for admits, rule in entries:
        number = _QUANTITY[_number(admits, bag)]
        found = found << 2 | (2 if admits & number else 0) | (1 if rule.bans & number else 0)
    return found


def concerned(entries: Iterable[Entry], facts: int, bands: int) -> int:
    """Return the bits of `compared` that belong to rules which may speak for a unit."""
    found = 0
    for admits, _ in entries:
        found = found << 2 | (0b11 if may_speak(admits, facts, bands) else 0b00)
    return found


def _number(admits: int, bag: Energies) -> int:
    """Return how many units of a bag meet the energy conditions of a rule."""
    number = 0
    for bands, units in bag:
        if bands & admits:
            number += units
    return _MANY if number > _MANY else number or 1


def _settled(bits: int, number: int) -> int:
    """Return bits that contain every number if they contain this one, and else none."""
    return bits | _QUANTITIES if bits & number else bits & ~_QUANTITIES


def entry(
    rule: Rule,
    bands: Bands,
    models: NamedModels,
    *,
    citations: tuple[int, ...] = (),
    reading: Reading = NO_READING,
) -> Entry:
    """Fold a rule for the index. The rule must have passed `document.problems`.

    A caller that only compares conditions leaves the evidence out.
    """
    facts, banned = admits(rule), bans(rule)
    compiled = Compiled(
        rule_id=rule.rule_id,
        permit_of=_voice(rule) if rule.effect == "permit" else None,
        statement=statement_of(rule),
        rank=RANK_OF_NATURE.get(CODES[rule.code].nature) if rule.code else None,
        bans=banned,
        unproven=unproven(rule),
        counts=any(bits & _QUANTITIES not in {NOTHING, _QUANTITIES} for bits in (facts, banned)),
        citations=citations,
        read_on=reading.read_on,
        stale_from=reading.stale_from,
        very_stale_from=reading.very_stale_from,
    )
    within = bands.within(*watt_hour_span(rule)) | models.admitted(rule.when.model)
    return facts | within, compiled


def watt_hour_span(rule: Rule) -> tuple[int, int]:
    """Return the lowest and highest hundredth of a watt-hour for which a rule speaks."""
    when = rule.when
    low, high = 0, _NO_LIMIT
    if when.watt_hour_over is None and when.watt_hour_at_least is None and when.watt_hour_up_to is None:
        return UNKNOWN_WATT_HOUR, high
    if when.watt_hour_over is not None:
        low = hundredths(when.watt_hour_over) + 1
    if when.watt_hour_at_least is not None:
        low = max(low, hundredths(when.watt_hour_at_least))
    if when.watt_hour_up_to is not None:
        high = hundredths(when.watt_hour_up_to)
    return low, high


def admits(rule: Rule) -> int:
    """Return the facts under which the conditions of a rule hold, whatever the watt-hours and the model."""
    when = rule.when
    refused = (
        _others(_COMPARTMENT, when.compartment)
        | _others(_RECALL_STATUS, when.recall_status)
        | _others(_CONDITION, when.condition)
    )
    if when.certification_missing is not None:
        refused |= _MARK["present"]
    if when.quantity_over is not None:
        refused |= _QUANTITIES & ~_more_than(when.quantity_over)
    return EVERYTHING & ~refused


def _others(group: dict[Value, int], values: Collection[Value] | None) -> int:
    """Return the bits of a group but those of some values. A rule that names none speaks for all."""
    if values is None:
        return NOTHING
    return sum(bit for value, bit in group.items() if value not in values)


def _more_than(quantity: int) -> int:
    return sum(bit for number, bit in _QUANTITY.items() if number > quantity)


def bans(rule: Rule) -> int:
    """Return the facts under which a rule that speaks bans, whatever the watt-hours."""
    if rule.effect == "prohibit":
        return EVERYTHING
    if rule.effect != "require":
        return NOTHING
    match rule.code:
        case "carry_on_only":
            return _COMPARTMENT["checked"]
        case "max_units":
            return _more_than(rule.params.max_units or 0)
        case "ccc_mark_required":
            return _MARK["absent"]
        case "label_required":
            return _LABEL["missing"]
        case _:
            return NOTHING


def unproven(rule: Rule) -> int:
    """Return the facts under which a rule that speaks is a precondition that is not shown."""
    match rule.code:
        case "airline_approval_required":
            return EVERYTHING
        case "ccc_mark_required":
            return _MARK["unknown"]
        case _:
            return NOTHING


def _voice(rule: Rule) -> Voice:
    if rule.issuer == "airline":
        return "airline"
    return "baseline" if rule.jurisdiction == INTERNATIONAL else "authority"


def statement_of(rule: Rule) -> Statement | None:
    """Return what a rule has to say to travelers; None for a permit."""
    if rule.code is None:
        return None
    code = CODES[rule.code]
    shown, params, strictness = rule.code, {}, 0
    if rule.params.max_units is not None:
        params["max_units"] = str(rule.params.max_units)
        strictness = -rule.params.max_units
        if code.nature is Nature.LIMIT:
            if rule.when.watt_hour_over is not None:
                params["watt_hour_over"] = plain(rule.when.watt_hour_over)
                shown += f"_over_{params['watt_hour_over']}wh"
            shown += f"_{rule.params.max_units}"
    if rule.params.limit_watt_hour is not None:
        params["limit_watt_hour"] = plain(rule.params.limit_watt_hour)
        strictness = -hundredths(rule.params.limit_watt_hour)
    return Statement(rule.code, shown, code.nature, code.severity, tuple(params.items()), strictness)


def plain(number: Decimal) -> str:
    """Return a decimal as people write it: `100`, `99.9`."""
    return f"{number.normalize():f}"
