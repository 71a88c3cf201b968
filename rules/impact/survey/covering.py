"""Whether one rule says all that another one says, so that nothing is lost where it takes its place.

Compares what verdicts depend on, as `matching` folds it: what a rule admits, what it bans, and what it
demands without proof. What a rule requires of travelers on the way, such as taped contacts, or advises them,
changes no verdict, but travelers rely on it too. So they do on the limit that a rule tells. Two rules compare
only if the same authority or airline speaks.
"""

from collections.abc import Iterator

from rules.engine.facts import Rule
from rules.engine.matching import GROUPS, Entry, entry
from rules.engine.vocabulary import CODES
from rules.impact.survey.signatures import MARK_DEMANDED, Signatures


class Covering:
    """Compares the rules of two rulesets, whose bits are laid out together."""

    def __init__(self, signatures: Signatures) -> None:
        self._signatures = signatures

    def binds(self, rule: Rule) -> bool:
        """Return whether a rule bans, requires or advises anything. Permits do not."""
        return rule.effect != "permit"

    def decides(self, rule: Rule) -> bool:
        """Return whether a rule can make a verdict stricter."""
        admits, compiled = self.entry(rule)
        return bool((compiled.bans | compiled.unproven) & admits) or rule.code == MARK_DEMANDED

    def covers(self, one: Rule, rule: Rule) -> bool:
        """Return whether `one` is at least as strict as `rule` for all units of which `rule` speaks.

        It then also counts at least the same units.
        """
        if voice(one) != voice(rule) or (rule.code == MARK_DEMANDED != one.code):
            return False
        (admits, compiled), (admitted, covered) = self.entry(one), self.entry(rule)
        if not self.decides(rule):
            said = rule.effect, rule.code, rule.params
            says = (
                one.effect == "prohibit"
                or (one.effect, one.code, one.params) == said
                or (rule.effect == "advise" and one.code in CODES[rule.code or ""].covered_by)
            )
            return says and not admitted & ~admits
        return _tells_as_low(one, rule) and all(
            not facts & ~admits and _contain(enough, facts)
            for decided, enough in (
                (covered.bans, compiled.bans),
                (covered.unproven, compiled.bans | compiled.unproven),
            )
            for facts in _decided(admitted, decided)
        )

    def permits(self, one: Rule, permit: Rule) -> bool:
        """Return whether `one` permits all that another permit permits."""
        if one.effect != "permit" or voice(one) != voice(permit):
            return False
        (admits, _), (admitted, _) = self.entry(one), self.entry(permit)
        return not admitted & ~admits

    def entry(self, rule: Rule) -> Entry:
        """Return a rule as bits, without its evidence."""
        return entry(rule, self._signatures.bands, self._signatures.models)


def voice(rule: Rule) -> tuple[str | None, str | None]:
    """Return who speaks: an airline, or else an authority."""
    return rule.airline, None if rule.airline else rule.jurisdiction


def _tells_as_low(one: Rule, rule: Rule) -> bool:
    """Return whether the limit that `one` tells travelers is at most the one that `rule` tells, if any."""
    told, limit = one.params.limit_watt_hour, rule.params.limit_watt_hour
    return limit is None or (told is not None and told <= limit)


def _decided(admitted: int, bits: int) -> Iterator[int]:
    """Return the facts on which a rule decides: admitted ones, with one of some bits in a group."""
    for group in GROUPS:
        if some := admitted & group & bits:
            yield admitted & ~group | some


def _contain(bits: int, facts: int) -> bool:
    """Return whether each of some facts has one of some bits."""
    return any(not facts & group & ~bits for group in GROUPS)
