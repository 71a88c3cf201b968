"""What the rules of one day say about one question, and the verdict that it adds up to.

The precedence of the lattice is written once, in `weigh`. Called by `evaluate` for the travel date, and again
for the day of an upcoming change.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from recalls.serials import RecallStatus
from rules.engine.corpus import CatalogEntry, Corpus, InPlay
from rules.engine.facts import Question
from rules.engine.matching import BAN, CONDUCT, PRECONDITION, Compiled, Statement, in_hold, speaking
from rules.engine.vocabulary import CODES, Verdict

Gap = Literal["watt_hour_unknown", "no_airline_permit", "no_authority_permit"]
"""What is missing for a verdict. Any of them makes it `insufficient`."""


def notice(name: str, *, grave: bool = False, **params: str) -> Statement:
    """Return what the engine itself has to say under a registry name; `grave` where that is at its worst."""
    code = CODES[name]
    severity = code.at_worst if grave else code.severity
    return Statement(name, name, code.nature, severity, tuple(params.items()))


_RECALLED = notice("recalled_not_permitted")
_SERIAL_CHECK = notice("recall_serial_check")
_LIST_PROOF = notice("recall_list_proof")
_CONFIRM_RATED = notice("confirm_rated_watt_hour")
_RECALL_WARNING: dict[RecallStatus, Statement] = {
    "serial_unknown": notice("recall_serial_unknown"),
    "external_check_required": notice("recall_external_list"),
}
_FACTS_UNCONFIRMED = notice("device_facts_unconfirmed")
_WATT_HOUR_UNCONFIRMED = notice("watt_hour_unconfirmed")
_APPROVAL_REVIEW = notice("airline_approval_review")
_POLICY_UNCONFIRMED = notice("airline_policy_unconfirmed")
_BASELINE_ONLY = notice("baseline_only_coverage")


class Case(msgspec.Struct, frozen=True):
    """A question with everything that the corpus holds for it, whatever the day."""

    corpus: Corpus
    question: Question
    entry: CatalogEntry
    in_play: InPlay
    recall_status: RecallStatus
    facts: int
    """As `matching.fold` makes them: without watt-hours and model."""

    @property
    def recalled(self) -> bool:
        """Whether the unit is recalled, by its recalls or by what the maker's list answered."""
        return self.recall_status == "affected" or self.question.unit.recall_check == "affected"

    @property
    def recall_open(self) -> bool:
        """Whether the service cannot tell if the unit is recalled. No answer that was only told closes it."""
        return not self.recalled and self.recall_status != "not_affected"

    def applied(self, day: int, *, beyond: bool = False) -> list[Compiled]:
        """Return the rules that speak on a day, in path order.

        `beyond` asks it of the highest figure that computed watt-hours can hide.
        """
        band = self.entry.band_beyond if beyond else self.entry.band
        return speaking(self.in_play.on(day), self.facts | band | self.entry.named)


class Weighed(msgspec.Struct, frozen=True):
    """The outcome of one day. `warnings` follow from that day's rules and the question alone.

    The first `bans` constraints are those that ban.
    """

    verdict: Verdict
    gaps: tuple[Gap, ...]
    bans: int
    constraints: tuple[Statement, ...]
    warnings: tuple[Statement, ...]
    applied: tuple[Compiled, ...]

    def reads_like(self, other: "Weighed") -> bool:
        """Tell whether a traveler would read the same answer, whatever rules stand behind it."""
        return (
            self.verdict == other.verdict
            and set(self.constraints) == set(other.constraints)
            and set(self.warnings) == set(other.warnings)
        )


def weigh(case: Case, day: int) -> Weighed:
    """Decide a case by the rules in force on one day."""
    applied = case.applied(day)
    gaps = _gaps(case, applied)
    unproven = case.in_play.airline.confidence == "unverified"
    listed = _Listing()
    if case.recalled:
        listed.add(BAN, _RECALLED)
    elif case.recall_open:
        checked = case.question.unit.recall_check == "not_affected"
        listed.add(PRECONDITION, _LIST_PROOF if checked else _SERIAL_CHECK)
        unproven = True
    unconfirmed = _limit_decides(case, applied, gaps, day)
    if unconfirmed:
        listed.add(PRECONDITION, _CONFIRM_RATED)
        unproven = True
    facts, hold = case.facts, in_hold(case.facts)
    for rule in applied:
        if rule.statement is None or rule.rank is None:
            continue
        if rule.bans & facts:
            listed.add(BAN, rule.statement)
        elif rule.unproven & facts:
            listed.add(PRECONDITION, rule.statement)
            unproven = True
        elif not (hold and rule.rank == CONDUCT):
            listed.add(rule.rank, rule.statement)
    return Weighed(
        verdict=_verdict(banned=listed.bans > 0, incomplete=bool(gaps), unproven=unproven),
        gaps=gaps,
        bans=listed.bans,
        constraints=listed.in_order(),
        warnings=tuple(_warnings(case, applied, listed, day, unconfirmed=unconfirmed)),
        applied=tuple(applied),
    )


def verdict_of(case: Case, day: int) -> Verdict:
    """Return the verdict of `weigh` without what an answer lists beside it, for whoever asks millions."""
    return judge(case, day)[0]


def judge(case: Case, day: int) -> tuple[Verdict, int]:
    """Return the verdict of `weigh` and how many rules it applied."""
    applied, facts = case.applied(day), case.facts
    if case.recalled or any([rule.bans & facts for rule in applied]):
        return _verdict(banned=True, incomplete=False, unproven=False), len(applied)
    gaps = _gaps(case, applied)
    verdict = _verdict(
        banned=False,
        incomplete=bool(gaps),
        unproven=case.in_play.airline.confidence == "unverified"
        or case.recall_open
        or any([rule.unproven & facts for rule in applied])
        or _limit_decides(case, applied, gaps, day),
    )
    return verdict, len(applied)


def _verdict(*, banned: bool, incomplete: bool, unproven: bool) -> Verdict:
    """The lattice: a ban is final, a gap is never bridged, and only what is proved is allowed."""
    if banned:
        return "banned"
    if incomplete:
        return "insufficient"
    return "conditional" if unproven else "allowed"


def _gaps(case: Case, applied: Iterable[Compiled]) -> tuple[Gap, ...]:
    if case.entry.device.watt_hour is None:
        return ("watt_hour_unknown",)
    permits = {rule.permit_of for rule in applied}
    gaps: list[Gap] = []
    if "airline" not in permits:
        gaps.append("no_airline_permit")
    if "authority" not in permits and (case.question.leg.domestic or "baseline" not in permits):
        gaps.append("no_authority_permit")
    return tuple(gaps)


def _limit_decides(case: Case, applied: Iterable[Compiled], gaps: Iterable[Gap], day: int) -> bool:
    """Tell whether a computed figure hides a limit: just beyond it, something more would stand in the way."""
    if case.entry.band_beyond == case.entry.band:
        return False
    then = case.applied(day, beyond=True)
    return not _restrictions(case, then, _gaps(case, then)) <= _restrictions(case, applied, gaps)


def _restrictions(case: Case, applied: Iterable[Compiled], gaps: Iterable[Gap]) -> set[str]:
    return {rule.rule_id for rule in applied if (rule.bans | rule.unproven) & case.facts}.union(gaps)


def _warnings(
    case: Case, applied: Iterable[Compiled], listed: "_Listing", day: int, *, unconfirmed: bool
) -> Iterator[Statement]:
    if not case.entry.confirmed:
        yield _FACTS_UNCONFIRMED
    if case.question.unit.recall_check == "not_checked" and case.recall_status in _RECALL_WARNING:
        yield _RECALL_WARNING[case.recall_status]
    if unconfirmed:
        yield _WATT_HOUR_UNCONFIRMED
    advice = _Listing()
    for rule in applied:
        if rule.rank is None and rule.statement is not None and not listed.covers(rule.statement):
            advice.add(CONDUCT, rule.statement)
    yield from advice.in_order()
    if "airline_approval_required" in listed:
        yield _APPROVAL_REVIEW
    if case.in_play.airline.confidence == "unverified":
        yield _POLICY_UNCONFIRMED
    if not any(group.on(day) for group in case.in_play.of_origin):
        yield _BASELINE_ONLY


class _Listing:
    """Statements gathered in path order, one for each registry name: the strictest that was said."""

    def __init__(self) -> None:
        self._said: dict[str, Statement] = {}
        self._ranks: dict[str, int] = {}

    def add(self, rank: int, statement: Statement) -> None:
        name = statement.name
        known = self._said.get(name)
        if known is None or statement.strictness > known.strictness:
            self._said[name] = statement
        if known is None or rank < self._ranks[name]:
            self._ranks[name] = rank

    @property
    def bans(self) -> int:
        return list(self._ranks.values()).count(BAN)

    def __contains__(self, name: str) -> bool:
        return name in self._said

    def covers(self, advice: Statement) -> bool:
        return not CODES[advice.name].covered_by.isdisjoint(self._said)

    def in_order(self) -> tuple[Statement, ...]:
        return tuple([self._said[name] for name in sorted(self._said, key=self._ranks.__getitem__)])
