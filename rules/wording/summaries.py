"""The whole answer in a few sentences: what the verdict is, why, and what to do next.

Called by all code that shows a verdict. A summary opens with the verdict, gives the reasons of that verdict
(what bans, what is missing, what must be settled first) and says how to carry the power bank. It is never
cut, so it says the same rules in every language. For a trip it names the strictest flight. Constraints and
warnings say everything; a summary says what decides.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence

from rules.answers.guidance import LegGuidance
from rules.engine.corpus import Corpus
from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.matching import Statement, plain
from rules.engine.outcomes import LegVerdict, Segment
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, TripAnswer
from rules.wording.names import airline_name, country_name
from rules.wording.open_points import is_open
from rules.wording.saying import Values, say
from rules.wording.sentences import lookup_url, number_values, sentence
from rules.wording.translating import joined

Phrase = tuple[str, Values]
"""A text of `texts.SUMMARIES` and what fills it."""

MAX_REASONS = 3
"""How many reasons a trip's summary gives; a single flight never has many more."""

NOT_COVERED = "insufficient.not_covered"
"""The reason of a flight that no rule of its airline can judge."""

_HOLD_ONLY: list[Phrase] = [("banned.carry_on_only", ())]


def summary(answer: Answer, language: str) -> str:
    """Say a leg's answer in a few sentences."""
    question, outcome = answer.question, answer.outcome
    reasons = list(leg_reasons(question, outcome, _airline(answer.release.corpus, question.leg, language)))
    if reasons == _HOLD_ONLY:
        return _said((("banned.hold", ()), ("banned.hold.next", ())), language)
    opening = _opening("flight", outcome.verdict, question)
    return _said((opening, *reasons, *_carrying(outcome.verdict, question, [outcome])), language)


def essentials(answer: Answer, language: str) -> list[str]:
    """Say a leg's answer without its opening, a sentence each: what decides, then how to carry it."""
    question, outcome = answer.question, answer.outcome
    airline = _airline(answer.release.corpus, question.leg, language)
    phrases = [
        *leg_reasons(question, outcome, airline),
        *_carrying(outcome.verdict, question, [outcome]),
    ]
    return [_said((phrase,), language) for phrase in phrases]


def ban_reasons(
    question: Question | TripQuestion, outcome: LegVerdict | LegGuidance, language: str
) -> list[str]:
    """Say what bans on a leg, a sentence each; nothing if nothing bans."""
    bans = outcome.constraints[: outcome.bans]
    return [_said((_ban(statement, question, outcome),), language) for statement in bans]


def trip_summary(answer: TripAnswer, language: str) -> str:
    """Say a trip's answer in a few sentences; a trip of one flight reads like the flight."""
    question, outcome, corpus = answer.question, answer.outcome, answer.release.corpus
    deciding = [
        (index, segment)
        for index, segment in enumerate(outcome.segments, start=1)
        if segment.verdict == outcome.verdict
    ]
    reasons = list(
        dict.fromkeys(_segment_reasons(question, [segment for _, segment in deciding], corpus, language))
    )
    if reasons == _HOLD_ONLY:
        return _said((("banned.hold", ()), ("banned.hold.next", ())), language)
    flights = len(outcome.segments)
    kind = "flight" if flights == 1 else "trip"
    phrases = [_opening(kind, outcome.verdict, question, flights)]
    phrases += reasons[:MAX_REASONS]
    if len(reasons) > MAX_REASONS:
        phrases.append(("more", ()))
    if reasons and flights > 1:
        phrases.append(_strictest(deciding, flights, corpus, language))
    answered = [segment.answer for segment in outcome.segments if segment.answer is not None]
    return _said((*phrases, *_carrying(outcome.verdict, question, answered)), language)


def _opening(kind: str, verdict: Verdict, question: Question | TripQuestion, flights: int = 1) -> Phrase:
    if verdict == "banned":
        return f"{kind}.banned", ()
    key = f"{kind}.{verdict}.{question.compartment_intent}"
    return key, (("flights", flights),) if kind == "trip" and verdict == "allowed" else ()


def _strictest(
    deciding: Sequence[tuple[int, Segment]], flights: int, corpus: Corpus, language: str
) -> Phrase:
    """Name the strictest flight of a trip, or the first of several."""
    if len(deciding) == flights:
        return "strictest.all", (("flights", flights),)
    index, segment = deciding[0]
    leg = segment.leg
    values: Values = (
        ("index", index),
        ("flights", flights),
        ("origin", country_name(leg.origin, corpus.countries[leg.origin].name, language)),
        ("destination", country_name(leg.destination, corpus.countries[leg.destination].name, language)),
        ("airline", _airline(corpus, leg, language)),
    )
    if len(deciding) == 1:
        return "strictest.one", values
    return "strictest.some", (*values, ("strictest", len(deciding)))


def _airline(corpus: Corpus, leg: Leg, language: str) -> str:
    """Return an airline's name in a language, or its code if the release does not have it."""
    airline = corpus.airlines.get(leg.airline)
    return leg.airline if airline is None else airline_name(airline, language)


def _segment_reasons(
    question: TripQuestion, segments: Iterable[Segment], corpus: Corpus, language: str
) -> Iterator[Phrase]:
    for segment in segments:
        airline = _airline(corpus, segment.leg, language)
        if segment.answer is None:
            yield NOT_COVERED, (("airline", airline),)
        else:
            yield from leg_reasons(question, segment.answer, airline)


def leg_reasons(question: Question | TripQuestion, outcome: LegVerdict, airline: str) -> Iterator[Phrase]:
    """Return why a leg has its verdict, the deciding reason first; nothing if it is allowed."""
    match outcome.verdict:
        case "banned":
            for statement in outcome.constraints[: outcome.bans]:
                yield _ban(statement, question, outcome)
        case "insufficient":
            for gap in outcome.gaps:
                yield f"insufficient.{gap}", () if gap == "no_authority_permit" else (("airline", airline),)
            yield from _recall_points(question, outcome)
        case "conditional":
            yield from _open_points(question, outcome, airline)


def _ban(
    statement: Statement, question: Question | TripQuestion, outcome: LegVerdict | LegGuidance
) -> Phrase:
    key, values = f"banned.{statement.name}", number_values(statement.params)
    match statement.name:
        case "max_units":
            key += ".over" if len(values) > 1 else ""
            values = (*values, ("quantity", question.unit.quantity))
        case "over_watt_hour_limit":
            if outcome.device.watt_hour is None:
                key += ".unknown"
            else:
                shown = plain(outcome.device.watt_hour)
                key += ".exactly" if shown == dict(values)["limit_watt_hour"] else ""
                values = (*values, ("watt_hour", shown))
        case "recalled_not_permitted" if (
            isinstance(outcome, LegGuidance) or outcome.recall_status != "affected"
        ):
            key += ".said" if question.unit.recall_check == "affected" else ".unproven"
    return key, values


def _open_points(question: Question | TripQuestion, outcome: LegVerdict, airline: str) -> Iterator[Phrase]:
    """Return what must be settled before a conditional answer can become milder."""
    for statement in outcome.constraints:
        match statement.name:
            case "recall_serial_check":
                yield _recall(question, outcome)
            case "airline_approval_required":
                yield "conditional.airline_approval_required", (("airline", airline),)
            case "ccc_certificate_suspended":
                yield _certificate(statement)
            case _ if is_open(statement, question):
                yield f"conditional.{statement.name}", ()
    if any(warning.name == "airline_policy_unconfirmed" for warning in outcome.warnings):
        yield "conditional.airline_policy_unconfirmed", (("airline", airline),)


def _certificate(statement: Statement) -> Phrase:
    """Say that the certificate is in doubt, with the address to look it up if that is known."""
    key = "conditional.ccc_certificate_suspended"
    return (f"{key}.at", statement.params) if statement.params else (key, ())


def _recall_points(question: Question | TripQuestion, outcome: LegVerdict) -> Iterator[Phrase]:
    """Return what is open about the recalls of the model, if anything is."""
    for statement in outcome.constraints:
        if statement.name == "recall_serial_check":
            yield _recall(question, outcome)
        elif statement.name == "recall_list_proof":
            yield "conditional.recall_list_proof", ()


def _recall(question: Question | TripQuestion, outcome: LegVerdict) -> Phrase:
    """Say how the recall of the model can be settled: the maker's list, the identifier, or the notice."""
    address = lookup_url(outcome.recalls)
    if address is not None:
        return "conditional.recall.lookup", (("lookup_url", address),)
    has_pattern = any(finding.recall.affected_serials.pattern is not None for finding in outcome.recalls)
    if has_pattern and question.unit.serial is None:
        return "conditional.recall.identifier", ()
    return "conditional.recall.notice", ()


def _carrying(
    verdict: Verdict, question: Question | TripQuestion, outcomes: Sequence[LegVerdict]
) -> Iterator[Phrase]:
    """Return how to carry it in the cabin on all legs; nothing if it must not be carried yet."""
    if verdict in {"banned", "insufficient"} or question.compartment_intent == "checked":
        return
    limit, on_board, no_bin = _conduct(outcomes)
    if limit is None:
        if on_board:
            yield f"carry.{on_board}", ()
    elif len(limit.params) > 1:
        yield "carry.max_units.over", number_values(limit.params)
        if on_board:
            yield f"carry.{on_board}", ()
    else:
        yield f"carry.max_units.{on_board}".rstrip("."), number_values(limit.params)
    if no_bin:
        yield "carry.no_overhead_bin", ()


def carrying_all(outcomes: Sequence[LegVerdict], language: str) -> list[str]:
    """Say how to carry several power banks in the cabin on several flights, by the strictest of them."""
    limit, on_board, no_bin = _conduct(outcomes)
    return [
        *([sentence(limit, language)] if limit else []),
        *([say(f"summary.itinerary.{on_board}", language)] if on_board else []),
        *([say("summary.itinerary.no_overhead_bin", language)] if no_bin else []),
    ]


def _conduct(outcomes: Sequence[LegVerdict]) -> tuple[Statement | None, str, bool]:
    """Return the strictest limit to the number, what not to do on board, and whether bins are prohibited."""
    said = [statement for outcome in outcomes for statement in outcome.constraints]
    names = {statement.name for statement in said}
    limit = max(
        (statement for statement in said if statement.name == "max_units"),
        key=lambda statement: statement.strictness,
        default=None,
    )
    on_board = _ON_BOARD[("no_onboard_use" in names, "no_onboard_recharge" in names)]
    return limit, on_board, "no_overhead_bin" in names


_ON_BOARD = {
    (True, True): "no_use_or_recharge",
    (True, False): "no_use",
    (False, True): "no_recharge",
    (False, False): "",
}
"""The text for (no use, no recharging)."""


# Half a million different legs have a few thousand summaries.
@functools.lru_cache(maxsize=16_384)
def _said(phrases: tuple[Phrase, ...], language: str) -> str:
    return joined([say(f"summary.{key}", language, values) for key, values in phrases], language)
