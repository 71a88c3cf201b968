"""The counter card: what somebody at a check-in counter has to see of a trip, on one page.

Not everything fits on a page, so it shows what decides and says how much more stands at its address.
The rule that decides is said in the language of the traveler and in that of the country of departure.
Called by the view of the card.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import segno
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from aeo.asking import Point
from aeo.factors import model_name
from aeo.http import address
from aeo.languages import tag
from aeo.pages.words import verdict_word
from aeo.texts import active, say
from aeo.trips.departure_languages import departure_language
from aeo.trips.shown import Flight, flights, strictest_first
from rules import wording
from rules.corpus import Published
from rules.deciding import deciding
from rules.engine.corpus import Citation
from rules.engine.evaluate import LegVerdict
from rules.engine.facts import Question
from rules.engine.matching import plain
from rules.engine.vocabulary import Verdict
from rules.selectors import evidence
from rules.verdicts import TripAnswer, leg_question

PUBLIC_NAME = "Trip Battery Pass"

MOST_CONSTRAINTS = 6
MOST_CITATIONS = 4
"""So many fit on one page beside a trip of the most flights."""

KINDS_FIRST_TO_LAST = ("regulator", "airline", "manufacturer", "news")
"""Of the evidence of one rule, who says it with the most weight comes first."""


class Said(msgspec.Struct, frozen=True):
    """The verdict, what decides it and the boundary, in one language. `tag` is that of BCP 47."""

    tag: str
    word: str
    summary: str
    boundary: str


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on a card. The `more` figures count what would not fit."""

    public_name: str
    url: str
    model: str
    watt_hour: str
    quantity: str
    bag: str
    verdict: Verdict
    said: tuple[Said, ...]
    flights: tuple[Flight, ...]
    constraints: tuple[str, ...]
    more_constraints: int
    citations: tuple[Citation, ...]
    more_citations: int
    answer: TripAnswer
    code: SafeString


def card(answer: TripAnswer, query: str, places: Sequence[Point]) -> Card:
    """Return the card of a trip between some places, in the active language.

    `query` are the parameters of its address.
    """
    outcome, device = answer.outcome, answer.outcome.device
    url = f"{address('/card')}?{query}"
    constraints = list(_constraints(answer))
    cited = list(dict.fromkeys(_deciding(answer)))[:MOST_CITATIONS]
    watt_hour = "" if device.watt_hour is None else plain(device.watt_hour)
    return Card(
        public_name=PUBLIC_NAME,
        url=url,
        model=model_name(device),
        watt_hour=say("card.watt_hour", watt_hour=watt_hour) if watt_hour else say("card.watt_hour.unknown"),
        quantity=say("answer.units", count=answer.question.unit.quantity),
        bag=say(f"answer.bag.{answer.question.compartment_intent}"),
        verdict=outcome.verdict,
        said=tuple(_said(answer)),
        flights=flights(answer, places),
        constraints=tuple(constraints[:MOST_CONSTRAINTS]),
        more_constraints=max(0, len(constraints) - MOST_CONSTRAINTS),
        citations=tuple(cited),
        more_citations=len(set(outcome.citations) - set(cited)),
        answer=answer,
        code=_drawn(url),
    )


def _said(answer: TripAnswer) -> Iterator[Said]:
    """Say what decides, in the language of the traveler and, where it is another, in that of the counter."""
    counter = departure_language(answer.question.legs[0].origin, dict(settings.LANGUAGES))
    for language in dict.fromkeys((active(), counter)):
        with override(language):
            yield Said(
                tag(language),
                verdict_word(answer.outcome.verdict),
                wording.trip_summary(answer, language),
                say("boundary"),
            )


def _constraints(answer: TripAnswer) -> Iterator[str]:
    """Say what has to be met on any flight, each once, beginning with the flights that decide."""
    said: dict[str, None] = {}
    for index in strictest_first(answer):
        segment = answer.outcome.segments[index].answer
        if segment is not None:
            said.update(dict.fromkeys(wording.constraint_messages(segment, active())))
    yield from said


def _deciding(answer: TripAnswer) -> Iterator[Citation]:
    """Yield the evidence of the rules that give the trip its verdict, then that of what else was applied."""
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
    """Return the jurisdictions that both ends of a flight lie in."""
    leg = question.leg
    return (*release.corpus.places(leg.origin), *release.corpus.places(leg.destination))


def _weight(near: set[str], citation: Citation) -> tuple[bool, int]:
    """Return how soon a source of a rule is shown: those of its places first, then by who says it."""
    return citation.jurisdiction not in near, KINDS_FIRST_TO_LAST.index(citation.kind)


def _drawn(url: str) -> SafeString:
    """Return an address as a QR code, sized by the style sheet."""
    drawn = segno.make(url, error="m", micro=False)
    return mark_safe(
        drawn.svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="code", lineclass=None)
    )
