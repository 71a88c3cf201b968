"""What the rules of one day say about one question, and the verdict that results.

The precedence is written once, in `_verdict`. `judge` gives only the verdict, `weigh` also the lists of an
answer. Called by `evaluate` for the travel date, and again for the day of an upcoming change; `judge` also by
the impact survey.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple

import msgspec

from recalls.serials import RecallStatus
from rules.engine.certificates import Doubt
from rules.engine.corpus import CatalogEntry, Corpus, InPlay
from rules.engine.facts import Question
from rules.engine.matching import (
    BAN,
    CONDUCT,
    NOTHING,
    PRECONDITION,
    Compiled,
    Energies,
    Entry,
    Statement,
    concerned,
    counted,
    in_hold,
    speaking,
    with_mark_unknown,
)
from rules.engine.vocabulary import CODES, Verdict

Gap = Literal["watt_hour_unknown", "no_airline_permit", "no_authority_permit"]
"""What is missing for a verdict. Any gap makes it `insufficient`."""


def notice(name: str, *, grave: bool = False, **params: str) -> Statement:
    """Return a statement of the engine itself under a registry name; `grave` gives it the worst severity."""
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
_MARK_IN_DOUBT = notice("ccc_mark_in_doubt")
_APPROVAL_REVIEW = notice("airline_approval_review")
_POLICY_UNCONFIRMED = notice("airline_policy_unconfirmed")
_BASELINE_ONLY = notice("baseline_only_coverage")


class Together(msgspec.Struct, frozen=True, cache_hash=True):
    """The units that one passenger carries on a flight, by their energy: as shown, and as it can be.

    They differ where a computed figure can hide a higher one.
    """

    shown: Energies
    possible: Energies


class RulesOfBag:
    """The rules in play as they read one bag: the number of units is compared once, for all of its units."""

    def __init__(self, in_play: InPlay, together: Together) -> None:
        self._in_play, self._together = in_play, together
        self._read: dict[tuple[int, bool], list[Entry]] = {}

    def on(self, day: int, *, beyond: bool) -> list[Entry]:
        """Return the rules in force on a day; `beyond` counts by all figures that computed ones can hide."""
        if (known := self._read.get((day, beyond))) is None:
            energies = self._together.possible if beyond else self._together.shown
            known = self._read[day, beyond] = list(counted(self._in_play.on(day), energies))
        return known

    @property
    def hides(self) -> bool:
        """Whether the computed figure of a unit can hide a higher one."""
        return self._together.possible != self._together.shown


class Case(msgspec.Struct, frozen=True):
    """A question with everything that the corpus says about it, on any day."""

    corpus: Corpus
    question: Question
    entry: CatalogEntry
    in_play: InPlay
    recall_status: RecallStatus
    facts: int
    """As `matching.fold` makes them: without watt-hours and model."""
    status_day: int | None = None
    """The day whose certificates count, if it is not the day that is weighed."""
    of_bag: RulesOfBag | None = None
    """The rules as they read the bag; none if one number of units, that in `facts`, is right for all."""
    unsettled: tuple[Statement, ...] = ()
    """Preconditions that no rule makes: what the question itself leaves open."""

    @property
    def recalled(self) -> bool:
        """Whether the unit is recalled, by its recalls or by what the maker's list answered."""
        return self.recall_status == "affected" or self.question.unit.recall_check == "affected"

    @property
    def recall_open(self) -> bool:
        """Whether the service cannot tell if the unit is recalled. A traveler's report cannot close this."""
        return not self.recalled and self.recall_status != "not_affected"

    def applied(self, day: int, *, beyond: bool = False, unmarked: bool = False) -> list[Compiled]:
        """Return the rules that speak on a day, in path order.

        `beyond` asks this for the highest figure that computed watt-hours can hide, `unmarked` for a unit of
        which it is unknown whether it bears the mark.
        """
        band = self.entry.band_beyond if beyond else self.entry.band
        facts = with_mark_unknown(self.facts) if unmarked else self.facts
        rules = self.in_play.on(day) if self.of_bag is None else self.of_bag.on(day, beyond=beyond)
        return speaking(rules, facts | band | self.entry.named)

    @property
    def hides(self) -> bool:
        """Whether a computed figure, of this unit or of another one in its bag, can hide a higher one."""
        return self.entry.band_beyond != self.entry.band if self.of_bag is None else self.of_bag.hides

    def may_be_told_by(self, entries: Iterable[Entry]) -> bool:
        """Return whether one of some rules may speak for the unit, whatever its mark and the number."""
        return concerned(entries, self.facts | self.entry.named, self.entry.bands_weighed) != NOTHING

    def doubts(self, day: int) -> tuple[Doubt, ...]:
        """Return the certificates that are suspended or revoked, if that puts a mark in doubt.

        A unit without the mark has none that could be in doubt.
        """
        if self.question.unit.ccc_mark == "absent":
            return ()
        return self.entry.certificates.doubts_on(day if self.status_day is None else self.status_day)

    def demanding(self, day: int, *, beyond: bool = False) -> list[Compiled]:
        """Return the rules that demand a mark which is in doubt on a day.

        A rule for units of unknown mark also demands it of units that are said to bear it.
        """
        if not self.doubts(day):
            return []
        rules = self.applied(day, beyond=beyond, unmarked=True)
        return [rule for rule in rules if rule.statement and rule.statement.name == "ccc_mark_required"]


class Weighed(msgspec.Struct, frozen=True):
    """The outcome of one day. `warnings` follow only from that day's rules, the question and the model.

    The first `bans` constraints are those that ban. `doubts` are certificates on which the outcome rests.
    """

    verdict: Verdict
    gaps: tuple[Gap, ...]
    bans: int
    constraints: tuple[Statement, ...]
    warnings: tuple[Statement, ...]
    applied: tuple[Compiled, ...]
    doubts: tuple[Doubt, ...]

    def reads_like(self, other: "Weighed") -> bool:
        """Return whether a traveler would read the same answer, whatever rules it rests on."""
        return (
            self.verdict == other.verdict
            and set(self.constraints) == set(other.constraints)
            and set(self.warnings) == set(other.warnings)
        )


def judge(case: Case, day: int) -> tuple[Verdict, int]:
    """Return the verdict of `weigh` and how many rules it applied: for comparing many cases."""
    applied = case.applied(day)
    return _verdict(case, applied, lambda: _open_points(case, applied, day)), len(applied)


def weigh(case: Case, day: int) -> Weighed:
    """Decide a case by the rules in force on one day, and list what an answer says of it."""
    applied = case.applied(day)
    points = _open_points(case, applied, day)
    doubts = case.doubts(day) if points.demanding else ()
    listed = _Listing()
    advice: list[Statement] = []
    if case.recalled:
        listed.add(BAN, _RECALLED)
    elif case.recall_open:
        checked = case.question.unit.recall_check == "not_affected"
        listed.add(PRECONDITION, _LIST_PROOF if checked else _SERIAL_CHECK)
    if points.limit:
        listed.add(PRECONDITION, _CONFIRM_RATED)
    if doubts:
        listed.add(PRECONDITION, _certificate(doubts))
    for statement in case.unsettled:
        listed.add(PRECONDITION, statement)
    facts = case.facts
    left_out = CONDUCT if in_hold(facts) else None
    for rule in applied:
        if rule.statement is None:
            continue
        if rule.rank is None:
            advice.append(rule.statement)
        elif rule.bans & facts:
            listed.add(BAN, rule.statement)
        elif rule.unproven & facts:
            listed.add(PRECONDITION, rule.statement)
        elif rule.rank != left_out:
            listed.add(rule.rank, rule.statement)
    return Weighed(
        verdict=_verdict(case, applied, lambda: points),
        gaps=points.gaps,
        bans=listed.bans,
        constraints=listed.in_order(),
        warnings=tuple(_warnings(case, listed, advice, day, limit_open=points.limit)),
        applied=tuple(applied),
        doubts=doubts,
    )


class _OpenPoints(NamedTuple):
    """What is not settled: gaps, rules that demand a mark in doubt, and a limit that is perhaps not met."""

    gaps: tuple[Gap, ...]
    demanding: list[Compiled]
    limit: bool


def _open_points(case: Case, applied: Iterable[Compiled], day: int) -> _OpenPoints:
    gaps, demanding = _gaps(case, applied), case.demanding(day)
    return _OpenPoints(gaps, demanding, _limit_open(case, applied, gaps, demanding, day))


def _verdict(case: Case, applied: Iterable[Compiled], points: Callable[[], _OpenPoints]) -> Verdict:
    """The precedence: a ban is final, a gap is never bridged, and only what is proved is allowed."""
    if case.recalled:
        return "banned"
    facts = case.facts
    for rule in applied:
        if rule.bans & facts:
            return "banned"
    gaps, demanding, limit = points()
    if gaps:
        return "insufficient"
    unproven = (
        case.in_play.airline.confidence == "unverified"
        or case.recall_open
        or bool(case.unsettled)
        or bool(demanding)
        or limit
        or any([rule.unproven & facts for rule in applied])
    )
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


def _limit_open(
    case: Case, applied: Iterable[Compiled], gaps: Iterable[Gap], demanding: Iterable[Compiled], day: int
) -> bool:
    """Return whether a computed figure hides a limit: just beyond it, something more would prevent travel."""
    if not case.hides:
        return False
    then = case.applied(day, beyond=True)
    restrictions = _restrictions(case, applied, gaps, demanding)
    return not _restrictions(case, then, _gaps(case, then), case.demanding(day, beyond=True)) <= restrictions


def _restrictions(
    case: Case, applied: Iterable[Compiled], gaps: Iterable[Gap], demanding: Iterable[Compiled]
) -> set[str]:
    restricting = {rule.rule_id for rule in applied if (rule.bans | rule.unproven) & case.facts}
    return restricting.union(gaps, (rule.rule_id for rule in demanding))


def _certificate(doubts: tuple[Doubt, ...]) -> Statement:
    """Say that the certificate is not in order, and where to look it up if that is known."""
    for doubt in doubts:
        if (address := doubt.certificate.lookup_url) is not None:
            return notice("ccc_certificate_suspended", lookup_url=address)
    return notice("ccc_certificate_suspended")


def _warnings(
    case: Case, listed: "_Listing", advice: Sequence[Statement], day: int, *, limit_open: bool
) -> Iterator[Statement]:
    if not case.entry.confirmed:
        yield _FACTS_UNCONFIRMED
    if case.question.unit.recall_check == "not_checked" and case.recall_status in _RECALL_WARNING:
        yield _RECALL_WARNING[case.recall_status]
    if limit_open:
        yield _WATT_HOUR_UNCONFIRMED
    if "ccc_certificate_suspended" in listed:
        yield _MARK_IN_DOUBT
    yield from listed.uncovered(advice)
    if "airline_approval_required" in listed:
        yield _APPROVAL_REVIEW
    if case.in_play.airline.confidence == "unverified":
        yield _POLICY_UNCONFIRMED
    if not case.in_play.origin_has_rules(day):
        yield _BASELINE_ONLY


_RANK, _STRICTNESS = itemgetter(0), attrgetter("strictness")


class _Listing:
    """Statements in path order, one for each registry name: the strictest, at the first rank of its name."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[int, Statement]] = {}

    def add(self, rank: int, statement: Statement) -> None:
        known = self._said.get(statement.name)
        if known is None:
            self._said[statement.name] = rank, statement
        elif rank < known[0] or statement.strictness > known[1].strictness:
            strictest = max(known[1], statement, key=_STRICTNESS)
            self._said[statement.name] = min(rank, known[0]), strictest

    @property
    def bans(self) -> int:
        return [rank for rank, _ in self._said.values()].count(BAN)

    def __contains__(self, name: str) -> bool:
        return name in self._said

    def uncovered(self, advice: Sequence[Statement]) -> tuple[Statement, ...]:
        """Return the advice that no statement here makes redundant, each name once."""
        if not advice:
            return ()
        said, names = _Listing(), self._said.keys()
        for statement in advice:
            if names.isdisjoint(CODES[statement.name].covered_by):
                said.add(CONDUCT, statement)
        return said.in_order()

    def in_order(self) -> tuple[Statement, ...]:
        return tuple([statement for _, statement in sorted(self._said.values(), key=_RANK)])
