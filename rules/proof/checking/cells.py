"""The kinds of units that some rules tell apart: a tree for each energy, with one fact on each level.

On each level the values of a fact are in one class if no rule that is left treats them differently. A rule is
left as long as its conditions about the facts above hold. So a leaf is a kind of unit, and one unit of each
kind is judged. `docs/how-a-verdict-is-made.md` says what a rule can depend on; what verdicts tell apart
without a rule (an open recall, the answer of the maker's list) is never merged. Where the facts above ban a
unit whatever else is true of it, nothing more is told apart. The tests judge every unit of small releases and
find the same.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple, get_args

from recalls.serials import RecallStatus
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)
from rules.proof.checking.records import MOST_HUNDREDTHS, Said

COMPARTMENTS: tuple[Compartment, ...] = get_args(Compartment)
CONDITIONS: tuple[UnitCondition, ...] = get_args(UnitCondition)
MARKS: tuple[MarkIndication, ...] = get_args(MarkIndication)
LABELS: tuple[LabelIndication, ...] = get_args(LabelIndication)
STATUSES: tuple[RecallStatus, ...] = get_args(RecallStatus)
LIST_ANSWERS: tuple[ListAnswer, ...] = get_args(ListAnswer)
OPEN: tuple[RecallStatus, ...] = ("serial_unknown", "external_check_required")

DESCRIPTIONS = (
    len(COMPARTMENTS) * MAX_QUANTITY * len(MARKS) * len(LABELS) * len(CONDITIONS) * len(LIST_ANSWERS)
)
"""How many descriptions of a unit a traveler can give, but for its serial."""

FACTS = ("recall", "compartment", "condition", "mark", "quantity", "label")
"""The levels of a tree."""

BANNED_VALUE = {"compartment": "checked", "condition": None, "label": "missing"}
"""The value of a fact that a requirement about it bans. Of marks, each value decides something else."""

SHORTFALL = 95
"""A computed figure may be this part of the rated one, in percent."""


class Energy(NamedTuple):
    """An energy in hundredths of a watt-hour, and how it is known. `model` is a model that rules name."""

    basis: str
    figure: int | None
    model: str | None = None


class Unit(NamedTuple):
    """A unit of one kind: a value of each fact.

    `recall` is the status by recalls and the answer of the maker's list, `mark` the mark and whether a
    certificate puts it in doubt.
    """

    recall: tuple[RecallStatus, ListAnswer]
    compartment: Compartment
    condition: UnitCondition
    mark: tuple[MarkIndication, bool]
    quantity: int
    label: LabelIndication


Values = tuple[Any, ...]


class Domain(NamedTuple):
    """What recalls can say about a unit, and whether certificates can put its mark in doubt."""

    statuses: tuple[RecallStatus, ...] = STATUSES
    doubts: tuple[bool, ...] = (False, True)

    def values(self, fact: str) -> Values:
        """Return the values of a fact."""
        return {
            "compartment": COMPARTMENTS,
            "recall": tuple(product(self.statuses, LIST_ANSWERS)),
            "condition": CONDITIONS,
            "mark": tuple(product(MARKS, self.doubts)),
            "quantity": tuple(range(1, MAX_QUANTITY + 1)),
            "label": LABELS,
        }[fact]


@dataclass(frozen=True, eq=False)
class Node:
    """A level of a tree: the classes of values of its fact, and what is below each. `leaf` numbers a leaf."""

    branches: tuple[tuple[Values, "Node"], ...] = ()
    leaf: int = -1


class Tree:
    """The kinds of units with one energy: each leaf has a class of values for each fact."""

    def __init__(self, energy: Energy, rules: Sequence[Said], domain: Domain, *, merged: bool = True) -> None:
        self.leaves: list[tuple[Values, ...]] = []
        self._energy, self._domain, self._merged = energy, domain, merged
        self.root = self._grown(tuple(left_at(energy, rules)), (), banned=False)
        self._pairs: dict[Hashable, list[tuple[int, int]]] = {}

    def units(self) -> list[Unit]:
        """Return the first unit of each kind."""
        return [Unit(*(values[0] for values in leaf)) for leaf in self.leaves]

    def others(self) -> Iterator[tuple[int, Unit]]:
        """Return another unit of each kind that has more than one, in turn with other values."""
        for turn, leaf in enumerate(self.leaves):
            if any(len(values) > 1 for values in leaf):
                yield (
                    turn,
                    Unit(*(values[-1 - (turn + level) % len(values)] for level, values in enumerate(leaf))),
                )

    def _grown(self, rules: tuple[Said, ...], above: tuple[Values, ...], *, banned: bool) -> Node:
        level = len(above)
        if level == len(FACTS):
            self.leaves.append(above)
            return Node(leaf=len(self.leaves) - 1)
        fact = FACTS[level]
        values = self._domain.values(fact)
        if not self._merged:
            classes: list[Values] = [(value,) for value in values]
        else:
            classes = [values] if banned else _classes(fact, values, rules)
        branches = []
        for alike in classes:
            left = tuple(one for one in rules if banned or _is_left(fact, alike[0], one))
            known = dict(zip(FACTS, (some[0] for some in (*above, alike)), strict=False))
            bans = banned or (self._merged and self._is_banned(left, known))
            branches.append((alike, self._grown(left, (*above, alike), banned=bans)))
        return Node(tuple(branches))

    def _is_banned(self, rules: Sequence[Said], known: Mapping[str, Any]) -> bool:
        """Return whether the known facts ban a unit, whatever the others are."""
        status, answer = known["recall"]
        if "affected" in (status, answer):
            return True
        return any(_certainly_bans(one, self._energy, known) for one in rules)

    def meeting(
        self, other: "Tree", fact: str = "", better: Any = None, worse: Any = None
    ) -> list[tuple[int, int]]:
        """Return the pairs of leaves that have a unit in common, but for one fact that gets worse.

        A leaf of this tree has the better value, the leaf of the other tree the worse one.
        """
        key = id(other), fact, better, worse
        if key not in self._pairs:
            self._pairs[key] = list(_met(self.root, other.root, 0, fact, better, worse))
        return self._pairs[key]

    def common(
        self, leaf: int, other: "Tree", its: int, fact: str = "", better: Any = None, worse: Any = None
    ) -> tuple[Unit, Unit]:
        """Return a unit of a leaf and one of another leaf that differ in the one fact, if in any."""
        both = list(zip(FACTS, self.leaves[leaf], other.leaves[its], strict=True))
        shared: dict[str, Any] = {
            name: next((value for value in some if value in others), None) for name, some, others in both
        }
        first, second = ({**shared, fact: value} if fact else shared for value in (better, worse))
        return Unit(**first), Unit(**second)

    def leaf_of(self, unit: Unit) -> int:
        """Return the number of the kind of a unit."""
        node = self.root
        for value in unit:
            node = next(below for values, below in node.branches if value in values)
        return node.leaf


def _met(one: Node, other: Node, level: int, fact: str, better: Any, worse: Any) -> Iterator[tuple[int, int]]:
    if level == len(FACTS):
        yield one.leaf, other.leaf
        return
    for some, below in one.branches:
        for others, beneath in other.branches:
            if FACTS[level] == fact:
                meet = better in some and worse in others
            else:
                meet = some is others or not set(some).isdisjoint(others)
            if meet:
                yield from _met(below, beneath, level + 1, fact, better, worse)


def left_at(energy: Energy, rules: Sequence[Said]) -> list[Said]:
    """Return the rules that can matter at an energy: at its figure, or at one that a computed one hides."""
    found = []
    for one in rules:
        named = one.when.get("model")
        if named is not None and energy.model not in named:
            continue
        if one.span is not None:
            if energy.figure is None:
                continue
            low, high = one.span
            highest = beyond(energy.figure) if energy.basis == "computed" else energy.figure
            if high < energy.figure or low > highest:
                continue
        found.append(one)
    return found


def beyond(computed: int) -> int:
    """Return the first figure above the highest that a computed one can hide."""
    return computed * 100 // SHORTFALL + 1


def energies(edges: Sequence[int]) -> list[Energy]:
    """Return the energies that are judged: both ends of each interval between edges, and unknown watt-hours.

    A computed figure has more edges: those at which it starts to hide a figure beyond an edge.
    """
    inside = [edge for edge in edges if 1 < edge <= MOST_HUNDREDTHS]
    rated = {1, MOST_HUNDREDTHS, *(point for edge in inside for point in (edge - 1, edge))}
    computed = set(rated)
    for edge in inside:
        hiding = -(-(edge - 1) * SHORTFALL // 100)
        computed |= {hiding - 1, hiding}
    return [
        Energy("unknown", None),
        *(Energy("rated", figure) for figure in sorted(rated)),
        *(Energy("computed", figure) for figure in sorted(computed) if 0 < figure <= MOST_HUNDREDTHS),
    ]


def _classes(fact: str, values: Sequence[Any], rules: Sequence[Said]) -> list[Values]:
    """Return the classes of values that no rule treats differently."""
    if fact == "quantity":
        return list(_quantities(rules))
    treated = _TREATED[fact](rules)
    found: dict[Hashable, list[Any]] = defaultdict(list)
    for value in values:
        found[treated(value)].append(value)
    return [tuple(alike) for alike in found.values()]


def _quantities(rules: Sequence[Said]) -> Iterator[Values]:
    """Return the numbers of units between thresholds; the last of each interval is a class of its own."""
    edges = {1, MAX_QUANTITY + 1}
    for one in rules:
        limits = [one.when.get("quantity_over"), one.max_units if one.tells_apart("quantity") else None]
        edges |= {limit + 1 for limit in limits if limit is not None and limit < MAX_QUANTITY}
    for first, after in pairwise(sorted(edges)):
        if after - first > 1:
            yield tuple(range(first, after - 1))
        yield (after - 1,)


def _by_condition(fact: str) -> Callable[[Sequence[Said]], Callable[[Any], Hashable]]:
    def of(rules: Sequence[Said]) -> Callable[[Any], Hashable]:
        wanted = [one.when[fact] for one in rules if fact in one.when]
        bans = any(one.tells_apart(fact) for one in rules)
        return lambda value: (bans and value == BANNED_VALUE[fact], tuple([value in some for some in wanted]))

    return of


def _by_recall(rules: Sequence[Said]) -> Callable[[Any], Hashable]:
    wanted = [one.when["recall_status"] for one in rules if "recall_status" in one.when]

    def treated(value: tuple[RecallStatus, ListAnswer]) -> Hashable:
        status, answer = value
        kind = "open" if status in OPEN else status
        return kind, answer == "affected", tuple([status in some for some in wanted])

    return treated


def _by_mark(rules: Sequence[Said]) -> Callable[[Any], Hashable]:
    if any(one.tells_apart("mark") for one in rules):
        return lambda value: value
    if any("certification_missing" in one.when for one in rules):
        return lambda value: value[0] == "present"
    return lambda value: None


_TREATED: dict[str, Callable[[Sequence[Said]], Callable[[Any], Hashable]]] = {
    "compartment": _by_condition("compartment"),
    "recall": _by_recall,
    "condition": _by_condition("condition"),
    "mark": _by_mark,
    "label": _by_condition("label"),
}


def _certainly_bans(rule: Said, energy: Energy, known: Mapping[str, Any]) -> bool:
    """Return whether a rule bans by the known facts, if its conditions about them hold."""
    if rule.span is not None and (energy.figure is None or not rule.span[0] <= energy.figure <= rule.span[1]):
        return False
    if any(_FACT_OF_CONDITION[name] not in known for name in rule.when if name in _FACT_OF_CONDITION):
        return False
    if rule.effect == "prohibit":
        return "certification_missing" not in rule.when or known["mark"][0] != "present"
    if rule.tells_apart("compartment"):
        return known.get("compartment") == "checked"
    if rule.tells_apart("quantity"):
        return rule.max_units is not None and known.get("quantity", 0) > rule.max_units
    return rule.tells_apart("mark") and "mark" in known and known["mark"][0] == "absent"


_FACT_OF_CONDITION = {
    "compartment": "compartment",
    "recall_status": "recall",
    "condition": "condition",
    "certification_missing": "mark",
    "quantity_over": "quantity",
}
"""The fact of each condition that is on a level of a tree."""


def _is_left(fact: str, value: Any, rule: Said) -> bool:
    """Return whether the condition of a rule about a fact holds, or can still matter."""
    when = rule.when
    match fact:
        case "compartment" | "condition":
            return fact not in when or value in when[fact]
        case "recall":
            return "recall_status" not in when or value[0] in when["recall_status"]
        case "mark":
            # A rule that demands the mark also matters where a certificate puts a mark in doubt.
            return "certification_missing" not in when or value[0] != "present" or rule.tells_apart("mark")
        case "quantity":
            return "quantity_over" not in when or value > when["quantity_over"]
        case _:
            return True
