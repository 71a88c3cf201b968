"""The verdict of a set of rules as a formula of z3 (docs/how-a-verdict-is-made.md, "The four verdicts").

Facts are whole numbers. Those that have an order count from the favorable to the unfavorable value, so that
"worse" is "greater".
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import z3

from battery_travel_reference.records import When
from checks.solver.sets import RuleSet, Statement

COMPARTMENTS = ("carry_on", "on_person", "checked")
MARKS = ("present", "unknown", "absent")
LABELS = ("legible", "unknown", "missing")
CONDITIONS = ("intact", "unknown", "damaged")
RECALL_STATUSES = ("not_affected", "serial_unknown", "external_check_required", "affected")
BASES = ("rated", "computed", "unknown")
LIST_ANSWERS = ("not_checked", "affected")
"""`not_affected` gives the verdict of `not_checked`: it changes only what must be shown."""

VERDICTS = ("allowed", "conditional", "insufficient", "banned")
"""From the mildest: the number of a verdict is its strictness."""

MOST_UNITS = 20
MOST_HUNDREDTHS = 100_000_000
"""A million watt-hours. More is a typing error, which no release contains."""

Term = Any
"""An expression of z3, which comes without types."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a unit, as terms.

    `energy` is in hundredths of a watt-hour and counts only if the basis is not unknown. `model` is 0 for a
    model that no rule names, else its number among the named models. `doubted` is 1 if a certificate of the
    model is suspended or revoked.
    """

    energy: Term
    basis: Term
    compartment: Term
    mark: Term
    label: Term
    condition: Term
    recall: Term
    list_answer: Term
    quantity: Term
    model: Term
    doubted: Term

    def possible(self, named: int) -> Term:
        """Say which values there are, with so many named models."""
        highest = (
            (self.basis, BASES),
            (self.compartment, COMPARTMENTS),
            (self.mark, MARKS),
            (self.label, LABELS),
            (self.condition, CONDITIONS),
            (self.recall, RECALL_STATUSES),
            (self.list_answer, LIST_ANSWERS),
            (self.doubted, (0, 1)),
        )
        return z3.And(
            self.energy >= 1,
            self.energy <= MOST_HUNDREDTHS,
            self.quantity >= 1,
            self.quantity <= MOST_UNITS,
            self.model >= 0,
            self.model <= named,
            *(z3.And(term >= 0, term < len(values)) for term, values in highest),
        )


def any_facts(prefix: str = "") -> Facts:
    """Return facts that the solver may choose."""
    return Facts(*(z3.Int(prefix + name) for name in Facts.__slots__))


class Encoding:
    """The formula of one set of rules. `named` are the models that rules name, in order."""

    def __init__(self, rules: RuleSet, named: Iterable[str]) -> None:
        self._rules = rules
        self._statements = sorted(rules.statements, key=repr)
        self._number = {name: number for number, name in enumerate(named, start=1)}

    @property
    def named(self) -> int:
        """The number of models that rules name."""
        return len(self._number)

    def strictness(self, facts: Facts) -> Term:
        """Return the strictness of the verdict: 3 is banned, 0 is allowed."""
        recalled = z3.Or(facts.recall == 3, facts.list_answer == 1)
        banned = z3.Or(recalled, *(self._bans(one, facts) for one in self._statements))
        gap = z3.Or(facts.basis == 2, *self._gaps(facts))
        unproven = z3.Or(
            z3.BoolVal(self._rules.unverified),
            facts.recall == 1,
            facts.recall == 2,
            *(self._asks(one, facts) for one in self._statements),
            self._limit_open(facts),
        )
        return z3.If(banned, 3, z3.If(gap, 2, z3.If(unproven, 1, 0)))

    def _bans(self, one: Statement, facts: Facts) -> Term:
        """Say whether a rule applies and bans."""
        if one.prohibits:
            fails = z3.BoolVal(True)
        elif one.code == "carry_on_only":
            fails = facts.compartment == COMPARTMENTS.index("checked")
        elif one.code == "max_units":
            fails = facts.quantity > (one.max_units or 0)
        elif one.code == "ccc_mark_required":
            fails = facts.mark == MARKS.index("absent")
        elif one.code == "label_required":
            fails = facts.label == LABELS.index("missing")
        else:
            return z3.BoolVal(False)
        return z3.And(fails, self._holds(one.when, facts))

    def _asks(self, one: Statement, facts: Facts) -> Term:
        """Say whether a rule applies and is not proved, or demands a mark that is in doubt."""
        if one.code == "airline_approval_required":
            return self._holds(one.when, facts)
        if one.code != "ccc_mark_required":
            return z3.BoolVal(False)
        unmarked = replace(facts, mark=z3.IntVal(MARKS.index("unknown")))
        return z3.Or(
            z3.And(facts.mark == MARKS.index("unknown"), self._holds(one.when, facts)),
            z3.And(
                facts.doubted == 1,
                facts.mark != MARKS.index("absent"),
                self._holds(one.when, unmarked),
            ),
        )

    def _gaps(self, facts: Facts) -> tuple[Term, Term]:
        """Say whether the airline's permit is missing, and whether an authority's is."""
        voices = {"authority"} if self._rules.domestic else {"authority", "baseline"}
        return (
            z3.Not(self._permitted({"airline"}, facts)),
            z3.Not(self._permitted(voices, facts)),
        )

    def _permitted(self, voices: set[str], facts: Facts) -> Term:
        return z3.Or(*(self._holds(one.when, facts) for one in self._statements if one.permit_of in voices))

    def _limit_open(self, facts: Facts) -> Term:
        """Say whether a computed figure hides a limit: just beyond it, something more prevents travel."""
        # As it is divided by 0.95 and rounded down, in hundredths, and one hundredth more.
        beyond = replace(facts, energy=facts.energy * 100 / 95 + 1)

        def restricts(one: Statement, at: Facts) -> Term:
            return z3.Or(self._bans(one, at), self._asks(one, at))

        return z3.And(
            facts.basis == BASES.index("computed"),
            z3.Or(
                *(
                    z3.And(restricts(one, beyond), z3.Not(restricts(one, facts)))
                    for one in self._statements
                    if one.permit_of is None
                ),
                *(
                    z3.And(then, z3.Not(now))
                    for then, now in zip(self._gaps(beyond), self._gaps(facts), strict=True)
                ),
            ),
        )

    def _holds(self, when: When, facts: Facts) -> Term:
        """Say whether all conditions of a rule hold."""
        known = facts.basis != BASES.index("unknown")
        terms = []
        if when.watt_hour_over is not None:
            terms.append(z3.And(known, facts.energy > _hundredths(when.watt_hour_over)))
        if when.watt_hour_at_least is not None:
            terms.append(z3.And(known, facts.energy >= _hundredths(when.watt_hour_at_least)))
        if when.watt_hour_up_to is not None:
            terms.append(z3.And(known, facts.energy <= _hundredths(when.watt_hour_up_to)))
        for term, values, wanted in (
            (facts.compartment, COMPARTMENTS, when.compartment),
            (facts.recall, RECALL_STATUSES, when.recall_status),
            (facts.condition, CONDITIONS, when.condition),
        ):
            if wanted is not None:
                terms.append(z3.Or(*(term == values.index(one) for one in wanted)))
        if when.certification_missing is not None:
            terms.append(facts.mark != MARKS.index("present"))
        if when.quantity_over is not None:
            terms.append(facts.quantity > when.quantity_over)
        if when.model is not None:
            terms.append(z3.Or(*(facts.model == self._number[one] for one in when.model)))
        return z3.And(*terms)


def _hundredths(watt_hour: Decimal) -> int:
    """Return a figure of a rule in hundredths. Raises `ValueError` if it is finer than that."""
    if watt_hour * 100 != int(watt_hour * 100):
        raise ValueError(f"{watt_hour} Wh is finer than a hundredth")
    return int(watt_hour * 100)
