"""What lets a bag of several models get a less strict answer, although no single question changes.

A rule that limits numbers counts what one passenger carries, of all models within its own energy conditions
(`matching.counted`). The survey asks about one model, and about up to 20 units of it. So each rule has
to say as much as before by itself (`loosening`), and here each model that a rule counts has to stay within
its energy conditions, or to be banned there.

Then no bag gets a less strict answer that the survey does not see. What a bag adds to the answer about one
unit only comes from rules that count, and more units never make these milder. No permit counts.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.engine.corpus import figure, highest_figure
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Device, Rule
from rules.engine.matching import EVERYTHING, UNKNOWN_WATT_HOUR, watt_hour_span
from rules.impact.survey.changes import Changed, Versions
from rules.impact.survey.covering import Covering, voice
from rules.impact.survey.signatures import Signatures

LEFT_OUT = "no longer counts together with other models, so a bag of several can get a less strict answer"

_ANY = (UNKNOWN_WATT_HOUR, 10**12)


def counting_causes(
    contents: tuple[Content, Content],
    changed: Mapping[Changed, Versions],
    signatures: Signatures,
    days: Sequence[datetime.date],
) -> dict[Changed, str]:
    """Return the changed models that let a bag get a less strict answer, each with how it does so.

    `days` are the first days of the periods.
    """
    counting = _Counting(contents, signatures, days)
    return {
        key: LEFT_OUT
        for key, (before, after) in changed.items()
        if key.kind == "devices"
        if before is not None and after is not None and counting.drops(before, after)
    }


class _Counting:
    """The rules before that count and decide, and the rules after that can ban what they count."""

    def __init__(
        self, contents: tuple[Content, Content], signatures: Signatures, days: Sequence[datetime.date]
    ) -> None:
        self._covering, self._days = Covering(signatures), days
        before, after = contents
        self._before = [rule for rule in before.rules if self._counts(rule) and any(self._days_of(rule))]
        self._after = after.rules

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

    def _counts(self, rule: Rule) -> bool:
        _, compiled = self._covering.entry(rule)
        return compiled.counts and self._covering.decides(rule)

    def _days_of(self, rule: Rule) -> Iterator[datetime.date]:
        return (day for day in self._days if rule.in_force(day))

    def _bans(self, one: Rule, device: Device, rule: Rule, day: datetime.date) -> bool:
        """Return whether a rule bans a model, however it travels, wherever another rule speaks on a day."""
        everywhere = one.airline is None and one.jurisdiction == INTERNATIONAL
        admits, compiled = self._covering.entry(one)
        return (
            (everywhere or (voice(one) == voice(rule) and set(rule.applies) <= set(one.applies)))
            and one.in_force(day)
            and not EVERYTHING & ~(admits & compiled.bans)
            and device.model_id in (one.when.model or (device.model_id,))
            and _meets(one, (figure(device), figure(device)))
        )


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
