"""The counter card: what staff at a check-in counter must see about a trip or an itinerary, on one page.

It shows what decides and all conditions that fit, and says how many more there are at its address. The rule
that decides is in the language of the traveler and in that of the country of departure. Called by the
views of the cards.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec
import segno
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from aeo.itineraries.departure_languages import departure_language
from aeo.itineraries.flights import FlightShown, deciding_rules, energy_at_a_glance, judged
from aeo.itineraries.shown import Named, Packing
from aeo.itineraries.stated import cautions, stated
from aeo.pages.record import Drawing
from aeo.texts import active, say, speaking
from aeo.web.formatting import day, instant_words, verdict_word
from aeo.web.languages import tag
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.outcomes import FlightVerdict
from rules.engine.vocabulary import Verdict
from rules.selectors import evidence
from rules.selectors.evidence import Cited
from rules.verdicts import ItineraryAnswer, TripAnswer

PUBLIC_NAME = "Trip Battery Pass"

MOST_LINES = 24
LINES_OF_A_FLIGHT = 2
"""How many lines fit on one page with a trip of one flight; each further flight takes some of them."""

MOST_CITATIONS = 4

KINDS_FIRST_TO_LAST = ("regulator", "airline", "manufacturer", "news")
"""The order of the evidence of one rule: the source with the most weight first."""


class Said(msgspec.Struct, frozen=True):
    """The verdict, what decides it, what was stated and the boundary, in one language.

    `tag` is its BCP 47 tag.
    """

    tag: str
    word: str
    summary: str
    cautions: tuple[str, ...]
    stated: tuple[str, ...]
    boundary: str


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a card is about: a trip of one model, or an itinerary.

    `url` is the address of the card, `title` and `heading` name what travels, and `facts` say how much of it.
    `summary` words the answer in a language, `now` says what to do about a ban.
    """

    url: str
    title: str
    heading: str
    facts: tuple[str, ...]
    answer: TripAnswer | ItineraryAnswer
    answer_id: str
    summary: Callable[[str], str]
    now: tuple[str, ...] = ()
    packing: Packing | None = None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a card. `more` and `more_citations` count what does not fit.

    `again` says when to check again, if the answer ends before the flight. `energy` is the power bank against
    its limits, if there is only one.
    """

    about: About
    public_name: str
    verdict: Verdict
    said: tuple[Said, ...]
    energy: Drawing | None
    flights: tuple[FlightShown, ...]
    parts: tuple[Named, ...]
    more: int
    citations: tuple[Cited, ...]
    more_citations: int
    again: str
    code: SafeString


def card(about: About, answer: ItineraryAnswer, flights: tuple[FlightShown, ...]) -> Card:
    """Return the card of an answer, in the active language. A trip is answered as an itinerary too."""
    outcome, question = answer.outcome, answer.question
    parts = list(_parts(flights, outcome.verdict, about.now))
    said = tuple(_said(answer, about.summary))
    taken = LINES_OF_A_FLIGHT * (len(flights) - 1) + _lines_of_packing(about.packing)
    room = MOST_LINES - taken - len(said[0].cautions) - len(said[0].stated)
    shown = list(_fitting(parts, max(0, room)))
    cited = list(dict.fromkeys([*_of_airlines(answer), *_deciding(answer)]))[:MOST_CITATIONS]
    return Card(
        about=about,
        public_name=PUBLIC_NAME,
        verdict=outcome.verdict,
        said=said,
        energy=energy_at_a_glance(answer),
        flights=flights,
        parts=tuple(shown),
        more=_lines_of(parts) - _lines_of(shown),
        citations=evidence.with_basis(answer.release, cited),
        more_citations=len(set(outcome.citations) - set(cited)),
        again=_again(question.flights[-1].date, answer.expires_at),
        code=_drawn(about.url),
    )


def _said(answer: ItineraryAnswer, summary: Callable[[str], str]) -> Iterator[Said]:
    """Yield a verdict in the traveler's language and, if it differs, in that of the counter."""
    counter = departure_language(answer.question.flights[0].origin, dict(settings.LANGUAGES))
    for language in dict.fromkeys((active(), counter)):
        with speaking(language):
            yield Said(
                tag=tag(language),
                word=verdict_word(answer.outcome.verdict),
                summary=summary(language),
                cautions=cautions(answer),
                stated=stated(answer),
                boundary=say("boundary"),
            )


def _again(travel_date: datetime.date, expires_at: datetime.datetime) -> str:
    """Return when to check again, if an answer ends before the flight or on its day."""
    if expires_at.date() < travel_date:
        return say("card.again.before", date=day(travel_date))
    if expires_at.date() == travel_date:
        return say("card.again.day", instant=instant_words(expires_at))
    return ""


def _parts(flights: Iterable[FlightShown], verdict: Verdict, now: tuple[str, ...]) -> Iterator[Named]:
    """Yield why it is banned and what to do, or what to settle; then conditions and warnings, each once.

    The flights that decide come first.
    """
    strictest_first = sorted(flights, key=lambda flight: flight.verdict != verdict)
    settle = dict.fromkeys(line for flight in strictest_first for line in flight.settle)
    steps = [flight.step.message for flight in strictest_first if flight.step]
    conditions = dict.fromkeys(line for flight in strictest_first for line in flight.conditions)
    is_banned = verdict == "banned"
    lines: dict[str, Iterable[str]] = {
        "answer.bans": (ban.line for flight in strictest_first for ban in flight.bans),
        "answer.now": now,
        "answer.settle": () if is_banned else (*settle, *steps),
        "answer.others" if is_banned else "card.constraints": (
            line for line in conditions if is_banned or line not in settle
        ),
        "answer.warnings": (line for flight in strictest_first for line in flight.warnings),
    }
    for heading, worded in lines.items():
        if each := tuple(dict.fromkeys(worded)):
            yield Named(say(heading), each)


def _lines_of_packing(packing: Packing | None) -> int:
    return len(packing.packs) + len(packing.stays) if packing else 0


def _lines_of(parts: Iterable[Named]) -> int:
    """Return how many lines some parts have, without their headings."""
    return sum(len(part.lines) for part in parts)


def _fitting(parts: Iterable[Named], room: int) -> Iterator[Named]:
    """Yield as much of some parts as fits; each heading takes a line too."""
    for part in parts:
        lines = part.lines[: max(0, room - 1)]
        room -= len(lines) + 1
        if lines:
            yield Named(part.name, lines)


def _strictest_first(answer: ItineraryAnswer) -> Sequence[FlightVerdict]:
    """Return the flights, those that decide the verdict first."""
    verdict = answer.outcome.verdict
    return sorted(answer.outcome.flights, key=lambda flight: flight.verdict != verdict)


def _applied(answer: ItineraryAnswer, flight: FlightVerdict) -> list[str]:
    """Return all rules that apply to a flight."""
    rules = answer.release.shelf.rules
    return [step for _, outcome in judged(answer, flight) for step in outcome.path if step in rules]


def _of_airlines(answer: ItineraryAnswer) -> Iterator[Citation]:
    """Yield an own page of each airline, if one was read; that of a rule that decides first."""
    rules = answer.release.shelf.rules
    for flight in _strictest_first(answer):
        named = [rules[rule_id] for rule_id in (*deciding_rules(answer, flight), *_applied(answer, flight))]
        own = [rule.sources for rule in named if rule.airline is not None]
        cited = [citation for sources in own for citation in evidence.citations(answer.release, sources)]
        yield from [citation for citation in cited if citation.kind == "airline"][:1]


def _deciding(answer: ItineraryAnswer) -> Iterator[Citation]:
    """Yield the evidence of the rules that decide the verdict, or else of those that apply."""
    for flight in _strictest_first(answer):
        if flight.verdict == answer.outcome.verdict:
            yield from _of_recalls(answer, flight)
            yield from _evidence(
                answer.release, flight, deciding_rules(answer, flight) or _applied(answer, flight)
            )


def _of_recalls(answer: ItineraryAnswer, flight: FlightVerdict) -> Iterator[Citation]:
    for _, outcome in judged(answer, flight):
        if outcome.recalls and outcome.recall_status != "not_affected":
            recalled = [source for finding in outcome.recalls for source in finding.recall.sources]
            yield from evidence.citations(answer.release, recalled)


def _evidence(release: Published, flight: FlightVerdict, named: Iterable[str]) -> Iterator[Citation]:
    places = release.corpus.places(flight.flight.origin), release.corpus.places(flight.flight.destination)
    for rule in map(release.shelf.rules.__getitem__, named):
        near = {rule.jurisdiction, *places[0], *places[1]}
        cited = evidence.citations(release, rule.sources)
        yield from sorted(cited, key=partial(_weight, near))


def _weight(near: set[str], citation: Citation) -> tuple[bool, int]:
    """Return the sort key of a source of a rule: those of its places first, then by kind of publisher."""
    return citation.jurisdiction not in near, KINDS_FIRST_TO_LAST.index(citation.kind)


def _drawn(url: str) -> SafeString:
    """Return an address as a QR code; the style sheet sets its size."""
    drawn = segno.make(url, error="m", micro=False)
    return mark_safe(
        drawn.svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="code", lineclass=None)
    )
