"""The article of /p/<model>/<airline>/<country>: one record that all renderings show.

The page, its structured data, its JSON and its manifest entry are all made from one `Article`, so they cannot
say different things. An article consists of answers from `rules.verdicts`. Its verdict is the strictest of
them. `body` is the summary, the route factors and the leading sources, in whole sentences. If that is too
long, the factors lose their least important sentences, in every rendering.

Called by the views, by the manifest and by the action that keeps page records.
"""

import datetime
import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import msgspec
import rfc8785

from aeo.articles.factors import Factor, Sentence, factors, span
from aeo.articles.flights import Flight, flights
from aeo.editions import Edition
from aeo.texts import active, airline_name, in_sentence, model_name, say
from aeo.web.formatting import joined
from rules import wording
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Airline, Country, Device, Recall
from rules.engine.vocabulary import STRICTNESS, Verdict, strictest
from rules.selectors import recalls
from rules.selectors.disagreements import Disputed, on_rule

MIN_BODY_CHARACTERS, MAX_BODY_CHARACTERS = 160, 1600
LEADING_SOURCES = 6
"""How many sources a body and its manifest entry list."""

FEWEST_SOURCES = 2
"""How many of them stay if space is short."""

FEWEST_FACTORS = 4


class Article(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What is known about one model on one airline's flights that touch one country, in one language."""

    language: str
    release: Published
    device: Device
    airline: Airline
    country: Country
    flights: tuple[Flight, ...]
    question: str
    lead: str
    """The verdict in a sentence, for readers of question and verdict, with what no condition says."""
    summary: str
    factors: tuple[Factor, ...]
    leading_sources: tuple[Citation, ...]

    @property
    def path(self) -> str:
        """Return the address below the site's base."""
        return path(self.device.model_id, self.airline.airline, self.country.code)

    @property
    def model(self) -> str:
        """Return brand and model."""
        return model_name(self.device)

    @property
    def verdict(self) -> Verdict:
        """Return the strictest verdict of the flights."""
        return strictest(flight.answer.outcome.verdict for flight in self.flights)

    @property
    def expires_at(self) -> datetime.datetime:
        """Return the time at which the first of the answers expires."""
        return min(flight.answer.expires_at for flight in self.flights)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Return the evidence of all answers, each source once, in the order of their paths."""
        cited = chain.from_iterable(flight.answer.outcome.citations for flight in self.flights)
        return tuple(dict.fromkeys(cited))

    @cached_property
    def recalls(self) -> list[Recall]:
        """Return the recalls of exactly this model, newest first."""
        return recalls.newest_first(self.release.shelf.recalls_of(self.device.model_id))

    @cached_property
    def disagreements(self) -> tuple[Disputed, ...]:
        """Return where sources disagree about the rules that apply to the flights, each disagreement once."""
        steps = dict.fromkeys(step for flight in self.flights for step in flight.answer.outcome.path)
        return tuple(chain.from_iterable(on_rule(self.release, step) for step in steps))

    @cached_property
    def route_factors(self) -> tuple[str, ...]:
        """Return the factors as text."""
        return tuple(factor.text for factor in self.factors)

    @cached_property
    def body(self) -> str:
        """Return the whole article as one text."""
        return joined([self.summary, *self.route_factors, *map(source_sentence, self.leading_sources)])

    @property
    def fits(self) -> bool:
        """Tell whether the body is within the manifest's bounds. Only very long names can break them."""
        return MIN_BODY_CHARACTERS <= len(self.body) <= MAX_BODY_CHARACTERS

    @cached_property
    def content_hash(self) -> str:
        """Return the SHA-256, in hex, of the canonical JSON without times.

        The release's version and the days of reading are not part of it. Reading a page again without finding
        a change changes no answer.
        """
        return hashlib.sha256(rfc8785.dumps(_content(self))).hexdigest()


def path(model_id: str, airline: str, country: str) -> str:
    """Return the address of an article."""
    return f"/p/{model_id}/{airline.lower()}/{country.lower()}"


def article(edition: Edition, model_id: str, airline: str, country: str) -> Article:
    """Return the article of a combination in the active language.

    Raises `ModelNotFound`, `AirlineNotCovered` or `UnknownCountry`.
    """
    release = edition.release
    shown = flights(edition, model_id, airline, country)
    record, place = release.corpus.airlines[airline], release.corpus.countries[country]
    device = shown[0].answer.outcome.device
    name = in_sentence(place.code, place.name)
    said = {"model": model_name(device), "airline": airline_name(record)}
    opening, lead, reasons, milder = _summary(shown, said, name)
    chosen = factors(release, shown, country, active())
    cited = chain.from_iterable(flight.answer.outcome.citations for flight in shown)
    sources = _leading(chosen, tuple(dict.fromkeys(cited)))
    summary, chosen, sources = _fitted(opening, [*reasons, *milder], chosen, sources)
    return Article(
        language=active(),
        release=release,
        device=device,
        airline=record,
        country=place,
        flights=shown,
        question=say("question", **said, span=span([flight.kind for flight in shown], name)),
        lead=joined([lead, *(reasons if _refuses(shown) else []), *milder]),
        summary=summary,
        factors=chosen,
        leading_sources=sources,
    )


def source_sentence(citation: Citation) -> str:
    """Return who published a source, where it applies and when it was read."""
    return _source_sentence(citation, active())


# Thousands of pages name the same few hundred sources, and fitting a page counts them again and again.
@lru_cache(maxsize=8192)
def _source_sentence(citation: Citation, language: str) -> str:
    """Return the same in a given language, which is the active one."""
    return say(
        "source",
        authority=citation.authority,
        kind=say(f"source.kind.{citation.kind}"),
        jurisdiction=citation.jurisdiction,
        date=citation.pulled_at.isoformat(),
    )


class _Summary(NamedTuple):
    """The verdict in a sentence, alone and below its question; why or how; the verdicts of milder flights."""

    opening: str
    lead: str
    reasons: list[str]
    milder: list[str]


def _summary(shown: Sequence[Flight], said: dict[str, str], name: str) -> _Summary:
    """Return the summary of some flights. `said` names model and airline, `name` the country."""
    by_verdict: dict[Verdict, list[Flight]] = {}
    for flight in shown:
        by_verdict.setdefault(flight.answer.outcome.verdict, []).append(flight)
    verdicts = sorted(by_verdict, key=lambda verdict: -STRICTNESS[verdict])
    spans = {verdict: span([flight.kind for flight in those], name) for verdict, those in by_verdict.items()}
    decides, *others = verdicts
    opening = say(f"opening.{decides}", **said, span=spans[decides])
    lead = say(f"lead.{decides}.some", span=spans[decides]) if others else say(f"lead.{decides}")
    reasons = dict.fromkeys(
        text for flight in by_verdict[decides] for text in wording.essentials(flight.answer, active())
    )
    milder = [say(f"milder.{verdict}", span=spans[verdict]) for verdict in others]
    return _Summary(opening, lead, [*reasons], milder)


def _refuses(shown: Sequence[Flight]) -> bool:
    """Tell whether the strictest verdict says why not. Otherwise it says how, as the conditions do."""
    return any(STRICTNESS[flight.answer.outcome.verdict] >= STRICTNESS["insufficient"] for flight in shown)


def _leading(chosen: Sequence[Factor], citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Return the sources to show first: the first of each factor, then the second of each, and so on."""
    rounds, cited = zip_longest(*(factor.citations for factor in chosen)), set(citations)
    ranked: dict[Citation, None] = {}
    for citation in chain.from_iterable(rounds):
        if citation in cited:
            ranked[citation] = None
            if len(ranked) == LEADING_SOURCES:
                break
    return tuple(ranked)


def _fitted(
    opening: str, essentials: list[str], chosen: tuple[Factor, ...], sources: tuple[Citation, ...]
) -> tuple[str, tuple[Factor, ...], tuple[Citation, ...]]:
    """Leave out whole sentences, the least important first, until the body is within its bound."""

    def excess() -> int:
        texts = [opening, *essentials, *(factor.text for factor in chosen), *map(source_sentence, sources)]
        return len(joined(texts)) - MAX_BODY_CHARACTERS

    while excess() > 0:
        if len(sources) > LEADING_SOURCES // 2:
            sources = sources[:-1]
        elif (lighter := _without_heaviest(chosen)) is not None:
            chosen = lighter
        elif len(sources) > FEWEST_SOURCES:
            sources = sources[:-1]
        elif len(chosen) > FEWEST_FACTORS:
            chosen = chosen[:-1]
        elif essentials:
            essentials = essentials[:-1]
        else:
            break
    return joined([opening, *essentials]), chosen, sources


def _without_heaviest(chosen: Sequence[Factor]) -> tuple[Factor, ...] | None:
    """Leave out the last of the heaviest sentences. Return None if every sentence must stay."""
    places = [
        (sentence.weight, number, place)
        for number, factor in enumerate(chosen)
        for place, sentence in enumerate(factor.sentences)
        if sentence.weight > 0
    ]
    if not places:
        return None
    _, number, place = max(places)
    kept: tuple[Sentence, ...] = chosen[number].sentences[:place] + chosen[number].sentences[place + 1 :]
    lighter = msgspec.structs.replace(chosen[number], sentences=kept)
    return (*chosen[:number], lighter, *chosen[number + 1 :])


def _content(article: Article) -> dict[str, Any]:
    # Most articles have no disagreements. Their hash is the same as before disagreements existed.
    disputed = [[one.disagreement_id, one.question, one.because] for one in article.disagreements]
    return ({"disagreements": disputed} if disputed else {}) | {
        "path": article.path,
        "question": article.question,
        "verdict": article.verdict,
        "summary": article.summary,
        "factors": list(article.route_factors),
        "flights": [_flight_content(flight, article.language) for flight in article.flights],
        "device": [article.model, *map(str, (article.device.watt_hour, article.device.capacity_mah))],
        "recalls": [[recall.recall_id, recall.title, recall.remedy] for recall in article.recalls],
        "citations": [
            [cited.kind, cited.authority, cited.jurisdiction, cited.url] for cited in article.citations
        ],
    }


def _flight_content(flight: Flight, language: str) -> dict[str, Any]:
    answer = flight.answer
    return {
        "kind": flight.kind,
        "route": [flight.leg.origin, flight.leg.destination],
        "verdict": answer.outcome.verdict,
        "constraints": wording.constraint_messages(answer.outcome, language),
        "warnings": wording.warning_messages(answer.outcome, language),
    }
