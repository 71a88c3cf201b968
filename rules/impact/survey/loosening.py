"""What makes answers less strict only later: a record that says less than before, while another one hides it.

A second rule can repeat a limit while the first one is raised, and be withdrawn afterwards: then no answer
changes on the day on which the limit is raised, and its evidence would never be asked for. So each changed
rule, recall, place and airline is also compared with itself.

A rule that has ended is a loss too. But a rule that takes its place in the same release, and says as much, is
reviewed together with it, and later it is compared with itself. So it may have another id.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from recalls.records import Recall
from rules.engine.document import Content
from rules.engine.facts import Airline, Jurisdiction, Rule
from rules.engine.vocabulary import Scope
from rules.impact.survey.changes import Changed, Versions
from rules.impact.survey.covering import Covering
from rules.impact.survey.recalls import as_strict
from rules.impact.survey.signatures import Signatures

LOOSENED = (
    "is less strict by itself than before, or requires less: so answers can become less strict about several "
    "models in one bag, or as soon as no other record says the same"
)
MOVED = (
    "leaves rules or gets permits, so answers can become less strict as soon as no other record says the same"
)

Covers = Callable[[Rule, Rule], bool]


def loosened_causes(
    contents: tuple[Content, Content],
    changed: Mapping[Changed, Versions],
    signatures: Signatures,
    days: Sequence[datetime.date],
) -> dict[Changed, str]:
    """Return the changed records that are less strict by themselves, each with what that means.

    `days` are the first days of the periods.
    """
    loosening = _Loosening(contents, changed, signatures, days)
    found: dict[Changed, str] = {}
    for key, versions in changed.items():
        match key.kind:
            case "rules" if loosening.of_rule(*versions):
                found[key] = LOOSENED
            case "recalls" if _recalls_less(*versions):
                found[key] = LOOSENED
            case "jurisdictions" if loosening.of_place(*versions):
                found[key] = MOVED
            case "airlines" if loosening.of_operator(*versions):
                found[key] = MOVED
    return found


class _Loosening:
    """The rules before and after: who is bound by them, and which of them take the place of others."""

    def __init__(
        self,
        contents: tuple[Content, Content],
        changed: Mapping[Changed, Versions],
        signatures: Signatures,
        days: Sequence[datetime.date],
    ) -> None:
        self._days, self._covering = days, Covering(signatures)
        self._before, self._after = contents
        self._changed = [versions for key, versions in changed.items() if key.kind == "rules"]

    @cached_property
    def _binding(self) -> list[Rule]:
        return [rule for rule in self._before.rules if self._speaks(rule) and self._covering.binds(rule)]

    @cached_property
    def _permits(self) -> list[Rule]:
        return [rule for rule in self._after.rules if self._speaks(rule) and rule.effect == "permit"]

    def of_rule(self, before: Rule | None, after: Rule | None) -> bool:
        """Return whether a rule binds less than before, or permits more."""
        binds_less = (
            before is not None
            and self._covering.binds(before)
            and self._says_more(before, after, self._changed, self._covering.covers)
        )
        if binds_less or after is None or after.effect != "permit":
            return binds_less
        backwards = [(new, old) for old, new in self._changed]
        return self._says_more(after, before, backwards, self._covering.permits)

    def of_place(self, before: Jurisdiction | None, after: Jurisdiction | None) -> bool:
        """Return whether a place leaves a region with rules that bind, or gets the permits of another one."""
        if before is None:
            return False
        was, becomes = (set(one.member_of if one else ()) for one in (before, after))
        return _any_in(self._binding, was - becomes) or _any_in(self._permits, becomes - was)

    def of_operator(self, before: Airline | None, after: Airline | None) -> bool:
        """Return whether an airline moves away from rules for its country's operators, or to permits."""
        if before is None or after is None or before.country == after.country:
            return False
        was = _places(before, self._before)
        becomes = _places(after, self._after)
        return _any_in(_of_operators(self._binding), was - becomes) or _any_in(
            _of_operators(self._permits), becomes - was
        )

    def _says_more(
        self, rule: Rule, other: Rule | None, exchanged: Sequence[Versions], covers: Covers
    ) -> bool:
        """Return whether a rule says, at some time and place, what its other version does not say.

        At a time of which the other version does not speak at all, a rule that is `exchanged` with it, and
        says as much, is as good.
        """

        def if_covering(one: Rule | None) -> Rule | None:
            return one if one is not None and covers(one, rule) else None

        # Whether a rule covers another one depends on no day and on no kind of flight.
        own = [(None, if_covering(other))]
        others = [(if_covering(old), new) for old, new in exchanged if if_covering(new)]
        for day in filter(rule.in_force, self._days):
            instead = own if other is not None and other.in_force(day) else others
            for scope in rule.applies:
                if not any(_says(new, scope, day) and not _says(old, scope, day) for old, new in instead):
                    return True
        return False

    def _speaks(self, rule: Rule) -> bool:
        return any(map(rule.in_force, self._days))


def _says(one: Rule | None, scope: Scope, day: datetime.date) -> bool:
    return one is not None and scope in one.applies and one.in_force(day)


def _places(airline: Airline, content: Content) -> set[str]:
    """Return the country of an airline and its regions."""
    regions = (one.member_of for one in content.jurisdictions if one.code == airline.country)
    return {airline.country, *next(regions, ())}


def _any_in(rules: Iterable[Rule], places: set[str]) -> bool:
    """Return whether an authority of some places made any of some rules."""
    return any(rule.airline is None and rule.jurisdiction in places for rule in rules)


def _of_operators(rules: Iterable[Rule]) -> Iterable[Rule]:
    return (rule for rule in rules if "operator" in rule.applies)


def _recalls_less(before: Recall | None, after: Recall | None) -> bool:
    """Return whether a recall is gone, is about another model, is milder about any unit, or names others."""
    if before is None or after is None:
        return before is not None
    same = before.model_id == after.model_id
    return not (same and as_strict(before.affected_serials, after.affected_serials))
