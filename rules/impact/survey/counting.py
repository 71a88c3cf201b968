"""What lets a bag of several models get a less strict answer, although no single question changes.

A rule that limits numbers counts what one passenger carries, of all models within its own energy conditions
(`matching.counted`). The survey asks about one model, and about up to 20 units of it. So each rule that
counts, and decides, is compared by itself. It has to be *covered*: where and when it speaks, a rule of the
same issuer counts at least the same units and is at least as strict. And a model that it counts has to stay
within its energy conditions, or to be banned there.

Then no bag gets a less strict answer that the survey does not see. What a bag adds to the answer about one
unit only comes from rules that count, and more units never make these milder. No permit counts.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.engine.corpus import figure, highest_figure
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Device, Jurisdiction, Rule
from rules.engine.matching import EVERYTHING, GROUPS, UNKNOWN_WATT_HOUR, Entry, entry, watt_hour_span
from rules.impact.survey.changes import Changed, Versions
from rules.impact.survey.signatures import MARK_DEMANDED, Signatures

FEWER = "counts fewer units together, so a bag of several models can get a less strict answer"
LEFT_OUT = "no longer counts together with other models, so a bag of several can get a less strict answer"
FEWER_FLIGHTS = "leaves a rule that counts units, so a bag of several models can get a less strict answer"

_ANY = (UNKNOWN_WATT_HOUR, 10**12)


def counting_causes(
    contents: tuple[Content, Content],
    changed: Mapping[Changed, Versions],
    signatures: Signatures,
    days: Sequence[datetime.date],
) -> dict[Changed, str]:
    """Return the changed records that let a bag get a less strict answer, each with how it does so.

    `days` are the first days of the periods.
    """
    counting = _Counting(contents, signatures, days)
    found: dict[Changed, str] = {}
    for key, (before, after) in changed.items():
        match key.kind:
            case "rules" if before is not None and counting.loosens(before):
                found[key] = FEWER
            case "devices" if before is not None and after is not None and counting.drops(before, after):
                found[key] = LEFT_OUT
            case "jurisdictions" if before is not None and counting.left_by(before, after):
                found[key] = FEWER_FLIGHTS
            case "airlines" if before is not None and after is not None:
                if before.country != after.country and counting.of_operators(before.country):
                    found[key] = FEWER_FLIGHTS
    return found


class _Counting:
    """The rules before that count and decide, and the rules after that can cover them."""

    def __init__(
        self, contents: tuple[Content, Content], signatures: Signatures, days: Sequence[datetime.date]
    ) -> None:
        self._signatures, self._days = signatures, days
        before, after = contents
        self._regions = {place.code: place.member_of for place in before.jurisdictions}
        self._before = [rule for rule in before.rules if self._counts(rule) and any(self._days_of(rule))]
        self._after = after.rules

    def loosens(self, rule: Rule) -> bool:
        """Return whether a rule counts, and is not covered where and when it speaks."""
        return rule in self._before and not all(
            any(scope in one.applies and one.in_force(day) and self._covers(one, rule) for one in self._after)
            for scope in rule.applies
            for day in self._days_of(rule)
        )

    def drops(self, before: Device, after: Device) -> bool:
        """Return whether a rule counted a model, or could, and does so no longer where the model may go."""
        energies = list(zip(_energies(before), _energies(after), strict=True))
        return any(
            not all(
                any(self._bans(one, after, rule, day) for one in self._after) for day in self._days_of(rule)
            )
            for rule in self._before
            if any(_meets(rule, was) and not _meets(rule, will_be) for was, will_be in energies)
        )

    def left_by(self, before: Jurisdiction, after: Jurisdiction | None) -> bool:
        """Return whether a place leaves a region whose rules count."""
        left = set(before.member_of) - set(after.member_of if after else ())
        return any(rule.airline is None and rule.jurisdiction in left for rule in self._before)

    def of_operators(self, country: str) -> bool:
        """Return whether rules that count apply to the airlines of a country."""
        places = {country, *self._regions.get(country, ())}
        return any(
            rule.airline is None and rule.jurisdiction in places and "operator" in rule.applies
            for rule in self._before
        )

    def _counts(self, rule: Rule) -> bool:
        admits, compiled = self._entry(rule)
        decides = (compiled.bans | compiled.unproven) & admits
        return compiled.counts and bool(decides or rule.code == MARK_DEMANDED)

    def _days_of(self, rule: Rule) -> Iterator[datetime.date]:
        return (day for day in self._days if rule.in_force(day))

    def _covers(self, one: Rule, rule: Rule) -> bool:
        """Return whether a rule counts all units that another one counts, and is at least as strict."""
        if _voice(one) != _voice(rule) or (rule.code == MARK_DEMANDED != one.code):
            return False
        (admits, compiled), (admitted, covered) = self._entry(one), self._entry(rule)
        return all(
            not facts & ~admits and _contain(enough, facts)
            for decided, enough in (
                (covered.bans, compiled.bans),
                (covered.unproven, compiled.bans | compiled.unproven),
            )
            for facts in _decided(admitted, decided)
        )

    def _bans(self, one: Rule, device: Device, rule: Rule, day: datetime.date) -> bool:
        """Return whether a rule bans a model, however it travels, wherever another rule speaks on a day."""
        everywhere = one.airline is None and one.jurisdiction == INTERNATIONAL
        admits, compiled = self._entry(one)
        return (
            (everywhere or (_voice(one) == _voice(rule) and set(rule.applies) <= set(one.applies)))
            and one.in_force(day)
            and not EVERYTHING & ~(admits & compiled.bans)
            and device.model_id in (one.when.model or (device.model_id,))
            and _meets(one, (figure(device), figure(device)))
        )

    def _entry(self, rule: Rule) -> Entry:
        return entry(rule, self._signatures.bands, self._signatures.models)


def _decided(admitted: int, bits: int) -> Iterator[int]:
    """Return the facts on which a rule decides: admitted ones, with one of some bits in a group."""
    for group in GROUPS:
        if some := admitted & group & bits:
            yield admitted & ~group | some


def _contain(bits: int, facts: int) -> bool:
    """Return whether each of some facts has one of some bits."""
    return any(not facts & group & ~bits for group in GROUPS)


def _voice(rule: Rule) -> tuple[str | None, str | None]:
    """Return who speaks: an airline, or else an authority."""
    return rule.airline, None if rule.airline else rule.jurisdiction


def _energies(device: Device) -> Iterable[tuple[int, int]]:
    """Return the energies with which rules count a model, as shown and as it can be: lowest and highest."""
    if device.watt_hour is None:
        return _ANY, _ANY
    shown = figure(device)
    return (shown, shown), (shown, highest_figure(device))


def _meets(rule: Rule, energies: tuple[int, int]) -> bool:
    """Return whether any of some energies meets the energy conditions of a rule."""
    low, high = watt_hour_span(rule)
    return low <= energies[1] and energies[0] <= high
