"""What each candidate of a checklist means for the rules that are there: new, revised, ended, or known.

A rule of the same issuer about the same thing is never doubled. What a notice says from a later day on ends
that rule on the day before and begins a successor, so that no day is without a rule. Pure; the caller reads
the rows.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec.structs import replace

from catalog.dates import day_words
from catalog.errors import AlreadyRecorded, Refused, Unfit, WrongState
from rules.editing.announcement.lines import Candidate, Topic, says_the_same, topic_of
from rules.editing.rule_sentence import Names
from rules.engine.facts import Rule
from rules.engine.quotes import Quote
from rules.engine.vocabulary import Confidence, Issuer, Scope

DAY = datetime.timedelta(days=1)


class Notice(NamedTuple):
    """What all rules of one announcement share. `prefix` is how the ids of new rules begin, such as `ek`."""

    issuer: Issuer
    authority: str
    jurisdiction: str
    airline: str | None
    applies: tuple[Scope, ...]
    prefix: str
    effective_from: datetime.date | None
    effective_until: datetime.date | None
    confidence: Confidence
    source: str
    quote: tuple[str, str] | None
    """The words, and where they are on the page."""


class Outcome(StrEnum):
    """What becomes of a candidate."""

    NEW = "new"  # No rule of the issuer is about this in that time.
    REVISES = "revises"  # The next revision of the published rule says it.
    SUCCEEDS = "succeeds"  # The published rule ends on the day before, and a new rule begins.
    BESIDE = "beside"  # The notice ends earlier than the published rule, which stays; both apply.
    KNOWN = "known"  # The published rule says it already, for all of that time.


class Proposal(NamedTuple):
    """What one candidate means.

    `rule` is what the announcement says: the new rule, the revised one, or the published one that is known.
    `before` is the published rule it concerns, and `ended` that rule with its last day, if it ends.
    """

    line: str
    outcome: Outcome
    rule: Rule
    before: Rule | None = None
    ended: Rule | None = None

    @property
    def drafted(self) -> Iterator[Rule]:
        """The rules that are drafted anew."""
        if self.outcome in (Outcome.NEW, Outcome.SUCCEEDS, Outcome.BESIDE):
            yield self.rule

    @property
    def revised(self) -> Iterator[Rule]:
        """The rules whose next revision is opened."""
        if self.outcome is Outcome.REVISES:
            yield self.rule
        if self.ended is not None:
            yield self.ended


class Refusal(NamedTuple):
    """Why a line cannot make its rule."""

    line: str
    refused: Refused


def propose(
    notice: Notice,
    candidates: Iterable[Candidate],
    *,
    agreed: Sequence[Rule],
    open_rules: Sequence[Rule],
    ids: Collection[str],
    names: Names,
    today: datetime.date,
) -> list[Proposal | Refusal]:
    """Return what each candidate of a notice means.

    Args:
        notice: What all of them share.
        candidates: The rules that the lines make.
        agreed: The issuer's rules as the next release has them.
        open_rules: The issuer's drafts and revisions in review.
        ids: All ids of rules that were ever recorded.
        names: The names in the summaries.
        today: The day on which the editor asks.

    """
    by_topic = _by_topic(agreed)
    busy = _by_topic(open_rules)
    found: list[Proposal | Refusal] = []
    for candidate in candidates:
        rule = _rule(notice, candidate, names)
        topic = topic_of(rule)
        try:
            _refuse_busy(busy.get(topic, []))
            now_on = replace(rule, effective_from=max(rule.effective_from or today, today))
            standing = [one for one in by_topic.get(topic, []) if _overlap(now_on, one)]
            found.append(_proposal(candidate, rule, standing, names=names, ids=ids, today=today))
        except Refused as refused:
            found.append(Refusal(candidate.line, refused))
    return found


def _rule(notice: Notice, candidate: Candidate, names: Names) -> Rule:
    quotes: tuple[Quote, ...] = ()
    if notice.quote is not None:
        words, where = notice.quote
        quotes = (Quote(source=notice.source, words=words, where=where),)
    rule = Rule(
        rule_id=f"{notice.prefix}.{candidate.stem}",
        issuer=notice.issuer,
        authority=notice.authority,
        jurisdiction=notice.jurisdiction,
        airline=notice.airline,
        applies=notice.applies,
        when=candidate.when,
        effect=candidate.effect,
        code=candidate.code,
        params=candidate.params,
        effective_from=notice.effective_from,
        effective_until=notice.effective_until,
        summary="",
        confidence=notice.confidence,
        sources=(notice.source,),
        quotes=quotes,
    )
    return _summed_up(rule, names)


def _proposal(
    candidate: Candidate,
    rule: Rule,
    standing: Sequence[Rule],
    *,
    names: Names,
    ids: Collection[str],
    today: datetime.date,
) -> Proposal:
    """Return what a rule means next to the published rules about the same thing at the same time."""
    line = candidate.line
    if not standing:
        return Proposal(line, Outcome.NEW, _named(rule, candidate, ids, today))
    if len(standing) > 1:
        both = " and ".join(one.rule_id for one in standing)
        raise Unfit(both, "are both about this in that time: revise them one by one")
    before = standing[0]
    same = says_the_same(rule, before)
    if same and _covers(before, rule):
        return Proposal(line, Outcome.KNOWN, before, before)
    if not same and rule.effective_until is not None and _goes_on_after(before, rule.effective_until):
        if rule.effect == "permit":
            raise Unfit(
                before.rule_id,
                f"is in force after {day_words(rule.effective_until)} and permits something else: "
                "leave “Until” open, or revise that rule by itself",
            )
        return Proposal(line, Outcome.BESIDE, _named(rule, candidate, ids, today), before)
    begins = rule.effective_from
    # The id of a rule stays, and some name a figure.
    moves = begins is not None and (begins > today or not before.rule_id.endswith(candidate.stem))
    if not same and begins is not None and moves and _began_before(before, begins):
        ended = replace(before, effective_until=begins - DAY, sources=_with(before.sources, rule.sources))
        return Proposal(line, Outcome.SUCCEEDS, _named(rule, candidate, ids, today), before, ended)
    dated = _dated(rule, before, widen=same)
    revised = _summed_up(replace(dated, rule_id=before.rule_id, authority=before.authority), names)
    return Proposal(line, Outcome.REVISES, revised, before)


def _named(rule: Rule, candidate: Candidate, ids: Collection[str], today: datetime.date) -> Rule:
    """Return a new rule with an id that no rule has had: with its year or day if the plain one is taken."""
    day = rule.effective_from or today
    prefix = rule.rule_id.removesuffix(f".{candidate.stem}")
    for dated in (prefix, f"{prefix}.{day.year}", f"{prefix}.{day}"):
        name = f"{dated}.{candidate.stem}"
        if name not in ids:
            return replace(rule, rule_id=name)
    raise AlreadyRecorded(name, "is already recorded: revise that rule by itself")


def _refuse_busy(open_rules: Sequence[Rule]) -> None:
    for one in open_rules:
        raise WrongState(
            one.rule_id, "has an open draft about this: it has to be approved or discarded first"
        )


def _by_topic(rules: Iterable[Rule]) -> dict[Topic | None, list[Rule]]:
    """Return rules by what they are about, without those that no line can make."""
    found: defaultdict[Topic | None, list[Rule]] = defaultdict(list)
    for rule in rules:
        if (topic := topic_of(rule)) is not None:
            found[topic].append(rule)
    return dict(found)


def _summed_up(rule: Rule, names: Names) -> Rule:
    return replace(rule, summary=names.say(rule))


def _with(sources: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*sources, *more)))


# --- Days -------------------------------------------------------------------------------------------------


def _overlap(one: Rule, other: Rule) -> bool:
    """Return whether two rules are in force on one day."""
    return _starts_by(one, other.effective_until) and _starts_by(other, one.effective_until)


def _starts_by(rule: Rule, day: datetime.date | None) -> bool:
    return day is None or rule.effective_from is None or rule.effective_from <= day


def _covers(before: Rule, rule: Rule) -> bool:
    """Return whether a published rule is in force whenever a notice is. A notice without a day is of now."""
    begins = rule.effective_from is None or not _starts_later(before, rule.effective_from)
    ends = before.effective_until is None or (
        rule.effective_until is not None and rule.effective_until <= before.effective_until
    )
    return begins and ends


def _starts_later(rule: Rule, day: datetime.date) -> bool:
    return rule.effective_from is not None and rule.effective_from > day


def _began_before(rule: Rule, day: datetime.date) -> bool:
    return rule.effective_from is None or rule.effective_from < day


def _goes_on_after(rule: Rule, day: datetime.date) -> bool:
    return rule.effective_until is None or rule.effective_until > day


def _dated(rule: Rule, before: Rule, *, widen: bool) -> Rule:
    """Return a rule with the days of its next revision: what a notice leaves open stays as published.

    `widen`: the rule says the same for more days, so none of the published ones is lost.
    """
    begins, ends = rule.effective_from, rule.effective_until
    if begins is None or (widen and before.effective_from is None):
        begins = before.effective_from
    elif widen and before.effective_from is not None:
        begins = min(begins, before.effective_from)
    if widen and (before.effective_until is None or (ends is not None and ends < before.effective_until)):
        ends = before.effective_until
    return replace(rule, effective_from=begins, effective_until=ends)
