"""The counter card: what staff at a check-in counter must see about a trip, on one page.

It shows what decides and all conditions that fit, and says how many more there are at its address. The rule
that decides is in the language of the traveler and in that of the country of departure. Called by the view of
the card.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec
import segno
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from aeo.asking import Point
from aeo.texts import active, model_name, say
from aeo.trips.departure_languages import departure_language
from aeo.trips.shown import Flight, flights, strictest_first
from aeo.web.addresses import address
from aeo.web.formatting import day, instant_words, verdict_word
from aeo.web.languages import tag
from rules import wording
from rules.answers.rules_in_play import deciding
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Question
from rules.engine.matching import plain
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import Verdict
from rules.selectors import evidence
from rules.verdicts import ItineraryAnswer, TripAnswer, leg_question, segment_answer

PUBLIC_NAME = "Trip Battery Pass"

MOST_LINES = 24
LINES_OF_A_FLIGHT = 2
"""How many lines fit on one page with a trip of one flight; each further flight takes some of them."""

MOST_CITATIONS = 4

KINDS_FIRST_TO_LAST = ("regulator", "airline", "manufacturer", "news")
"""The order of the evidence of one rule: the source with the most weight first."""


class Said(msgspec.Struct, frozen=True):
    """The verdict, what decides it and the boundary, in one language. `tag` is its BCP 47 tag."""

    tag: str
    word: str
    summary: str
    boundary: str


class Part(msgspec.Struct, frozen=True):
    """Some lines under a heading."""

    heading: str
    lines: tuple[str, ...]


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a card. `more` and `more_citations` count what does not fit.

    `again` says when to check again, if the answer ends before the flight.
    """

    public_name: str
    url: str
    model: str
    watt_hour: str
    quantity: str
    bag: str
    recall_check: str
    verdict: Verdict
    said: tuple[Said, ...]
    flights: tuple[Flight, ...]
    parts: tuple[Part, ...]
    more: int
    citations: tuple[Citation, ...]
    more_citations: int
    answer: TripAnswer | ItineraryAnswer
    answer_id: str
    again: str
    code: SafeString


def card(answer: TripAnswer, query: str, places: Sequence[Point]) -> Card:
    """Return the card of a trip between some places, in the active language.

    `query` are the parameters of its address.
    """
    outcome, device = answer.outcome, answer.outcome.device
    url = f"{address('/card')}?{query}"
    parts = list(_parts(answer))
    shown = list(fitting(parts, MOST_LINES - LINES_OF_A_FLIGHT * (len(outcome.segments) - 1)))
    cited = list(dict.fromkeys([*_of_airlines(answer), *_deciding(answer)]))[:MOST_CITATIONS]
    checked = answer.question.unit.recall_check
    watt_hour = "" if device.watt_hour is None else plain(device.watt_hour)
    return Card(
        public_name=PUBLIC_NAME,
        url=url,
        model=model_name(device),
        watt_hour=say("card.watt_hour", watt_hour=watt_hour) if watt_hour else say("card.watt_hour.unknown"),
        quantity=say("answer.units", count=answer.question.unit.quantity),
        bag=say(f"answer.bag.{answer.question.compartment_intent}"),
        recall_check="" if checked == "not_checked" else say(f"answer.recall_check.{checked}"),
        verdict=outcome.verdict,
        said=tuple(
            said(
                answer.outcome.verdict,
                answer.question.legs[0].origin,
                partial(wording.trip_summary, answer),
            )
        ),
        flights=flights(answer, places),
        parts=tuple(shown),
        more=lines_of(parts) - lines_of(shown),
        citations=tuple(cited),
        more_citations=len(set(outcome.citations) - set(cited)),
        answer=answer,
        answer_id=answer.trip_verdict_id,
        again=again(answer.question.travel_date, answer.expires_at),
        code=drawn(url),
    )


def said(verdict: Verdict, origin: str, summary: Callable[[str], str]) -> Iterator[Said]:
    """Yield a verdict in the traveler's language and, if it differs, in that of the counter.

    The journey begins in the country `origin`. `summary` words the answer in a language.
    """
    counter = departure_language(origin, dict(settings.LANGUAGES))
    for language in dict.fromkeys((active(), counter)):
        with override(language):
            yield Said(tag(language), verdict_word(verdict), summary(language), say("boundary"))


def again(travel_date: datetime.date, expires_at: datetime.datetime) -> str:
    """Return when to check again, if an answer ends before the flight or on its day."""
    if expires_at.date() < travel_date:
        return say("card.again.before", date=day(travel_date))
    if expires_at.date() == travel_date:
        return say("card.again.day", instant=instant_words(expires_at))
    return ""


def _parts(answer: TripAnswer) -> Iterator[Part]:
    """Yield why it is banned and what to do, or what to settle, and then the conditions, each once.

    The flights that decide come first.
    """
    bans: dict[str, None] = {}
    settle: dict[str, None] = {}
    conditions: dict[str, None] = {}
    for index in strictest_first(answer):
        alone = segment_answer(answer, index)
        if alone is None:
            continue
        question, outcome = alone.question, alone.outcome
        messages = wording.constraint_messages(outcome, active())
        open_points = wording.open_points(alone.release, question, question.leg, outcome, active())
        bans |= dict.fromkeys(wording.ban_reasons(question, outcome, active()))
        settle |= dict.fromkeys(open_points)
        conditions |= dict.fromkeys(messages[outcome.bans :])
    banned = answer.outcome.verdict == "banned"
    lines: dict[str, Iterable[str]] = {
        "answer.bans": bans,
        "answer.now": wording.advice(answer, active()),
        "answer.settle": () if banned else settle,
        "answer.others" if banned else "card.constraints": (
            line for line in conditions if banned or line not in settle
        ),
    }
    for heading, worded in lines.items():
        if shown := tuple(worded):
            yield Part(say(heading), shown)


def lines_of(parts: Iterable[Part]) -> int:
    """Return how many lines some parts have, without their headings."""
    return sum(len(part.lines) for part in parts)


def fitting(parts: Iterable[Part], room: int) -> Iterator[Part]:
    """Yield as much of some parts as fits; each heading takes a line too."""
    for part in parts:
        lines = part.lines[: max(0, room - 1)]
        room -= len(lines) + 1
        if lines:
            yield Part(part.heading, lines)


def _of_airlines(answer: TripAnswer) -> Iterator[Citation]:
    """Yield an own page of each airline, if one was read; that of a rule that decides first."""
    for index in strictest_first(answer):
        segment = answer.outcome.segments[index]
        if segment.answer is None:
            continue
        rules, question = answer.release.shelf.rules, leg_question(answer.question, segment)
        named = [*deciding(answer.release, question, segment.answer), *segment.answer.path]
        own = [rules[step].sources for step in named if step in rules and rules[step].airline is not None]
        cited = [citation for sources in own for citation in evidence.citations(answer.release, sources)]
        yield from [citation for citation in cited if citation.kind == "airline"][:1]


def _deciding(answer: TripAnswer) -> Iterator[Citation]:
    """Yield the evidence of the rules that decide the verdict of the trip, then of other applied rules."""
    for index in strictest_first(answer):
        segment = answer.outcome.segments[index].answer
        if segment is not None and segment.verdict == answer.outcome.verdict:
            question = leg_question(answer.question, answer.outcome.segments[index])
            yield from _evidence(answer.release, question, segment)


def _evidence(release: Published, question: Question, outcome: LegVerdict) -> Iterator[Citation]:
    named = deciding(release, question, outcome)
    if outcome.recalls and outcome.recall_status != "not_affected":
        recalled = [source for finding in outcome.recalls for source in finding.recall.sources]
        yield from evidence.citations(release, recalled)
    applied = [step for step in outcome.path if step in release.shelf.rules]
    for rule in map(release.shelf.rules.__getitem__, named or applied):
        near = {rule.jurisdiction, *_places(release, question)}
        cited = evidence.citations(release, rule.sources)
        yield from sorted(cited, key=partial(_weight, near))


def _places(release: Published, question: Question) -> tuple[str, ...]:
    """Return the jurisdictions of both ends of a flight."""
    leg = question.leg
    return (*release.corpus.places(leg.origin), *release.corpus.places(leg.destination))


def _weight(near: set[str], citation: Citation) -> tuple[bool, int]:
    """Return the sort key of a source of a rule: those of its places first, then by kind of publisher."""
    return citation.jurisdiction not in near, KINDS_FIRST_TO_LAST.index(citation.kind)


def drawn(url: str) -> SafeString:
    """Return an address as a QR code; the style sheet sets its size."""
    drawn = segno.make(url, error="m", micro=False)
    return mark_safe(
        drawn.svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="code", lineclass=None)
    )
