"""Route factors: what each party contributes to a verdict, in sentences.

A factor first names its party (the device, its recalls, the airline, the authorities of a country, the
baseline), then gives what the party's rules say, in the words of `rules.wording`. Only applied rules are
described. Each statement appears once, with the first party that makes it. A limit is left out if a stricter
one is in force. Called by `aeo.articles.article`.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import msgspec

from aeo.articles.flights import Flight
from aeo.texts import airline_name, country_name, in_sentence, model_name, say
from aeo.web.formatting import day, joined, number, up_to
from catalog.energy import bound
from rules import wording
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import INTERNATIONAL, Device, Rule
from rules.engine.matching import CONDUCT, RANK_OF_NATURE, plain
from rules.engine.vocabulary import CODES
from rules.selectors import evidence, recalls

FactorKind = Literal["change", "recalls", "airline", "country", "device", "baseline"]


# The same few rules occur on thousands of pages.
_message = lru_cache(maxsize=4096)(wording.rule_message)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence and how soon it is left out if space is short: the heaviest first, 0 never.

    `rule_id` is the rule behind the sentence; None for a fact of the device, a recall or a warning.
    """

    text: str
    weight: int
    rule_id: str | None = None


class Factor(msgspec.Struct, frozen=True):
    """A party, in a sentence of at least 40 characters, with what its rules say and their evidence."""

    kind: FactorKind
    opening: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]

    @property
    def text(self) -> str:
        """Return the factor as text."""
        return joined([self.opening, *(sentence.text for sentence in self.sentences)])


def factors(release: Published, flights: Sequence[Flight], country: str, language: str) -> tuple[Factor, ...]:
    """Return the factors of some flights that touch a country, the most important first."""
    return tuple(_Description(release, flights, country, language).described())


def span(kinds: Iterable[str], country: str) -> str:
    """Return `from and to Japan`: the flights of an airline that are meant, as part of a sentence."""
    return say("span." + ".".join(kinds), country=country)


class _Description:
    """The facts about some flights, and which of them are already in a sentence."""

    def __init__(self, release: Published, flights: Sequence[Flight], country: str, language: str) -> None:
        self.release = release
        self.flights = flights
        self.country = country
        self.language = language
        self.outcomes = [flight.answer.outcome for flight in flights]
        # As in the answers: of two limits, only the stricter one.
        self.listed = {
            text
            for outcome in self.outcomes
            for text in (
                *wording.constraint_messages(outcome, language),
                *wording.warning_messages(outcome, language),
            )
        }
        self.said: set[str] = set()

    @property
    def device(self) -> Device:
        return self.outcomes[0].device

    def described(self) -> Iterator[Factor]:
        recalled = bool(self.release.shelf.recalls_of(self.device.model_id))
        yield from self._changes()
        if recalled:
            yield self._recalls()
        yield self._airline()
        yield from self._authorities()
        yield self._device()
        if not recalled:
            yield self._recalls()
        yield from self._baseline()

    def _changes(self) -> Iterator[Factor]:
        for notice in self._notices("rule_change_upcoming"):
            yield Factor("change", notice.text, (), ())

    def _recalls(self) -> Factor:
        found = recalls.newest_first(self.release.shelf.recalls_of(self.device.model_id))
        if not found:
            return Factor("recalls", say("recalls.none"), (), ())
        newest = found[0]
        opening = say(
            "recalls.some",
            count=len(found),
            authority=newest.authority,
            date=day(newest.announced_on),
        )
        notices = self._notices("recall_external_list", "recall_serial_unknown")
        sources = [name for recall in found for name in recall.sources]
        return Factor("recalls", opening, tuple(notices), evidence.citations(self.release, sources))

    def _airline(self) -> Factor:
        airline = self.release.shelf.airlines[self.flights[0].leg.airline]
        rules = [rule for rule in self._applied() if rule.airline is not None]
        permits = any(rule.effect == "permit" for rule in rules)
        return Factor(
            "airline",
            say("airline.permits" if permits else "airline.silent", airline=airline_name(airline)),
            (*self._notices("airline_policy_unconfirmed"), *self._sentences(rules)),
            self._evidence(rules) or evidence.citations(self.release, airline.sources),
        )

    def _authorities(self) -> Iterator[Factor]:
        """Yield the authorities at both ends, those of the page's own country first."""
        own = self.release.corpus.places(self.country)
        in_play = [
            rule for rule in self._applied() if rule.airline is None and rule.jurisdiction != INTERNATIONAL
        ]
        places = dict.fromkeys(rule.jurisdiction for rule in in_play)
        if not any(place in own for place in places):
            airline = self.release.shelf.airlines[self.flights[0].leg.airline]
            text = say("authority.none", country=self._name(self.country), airline=airline_name(airline))
            yield Factor("country", text, (), ())
        for place in sorted(places, key=lambda place: place not in own):
            rules = [rule for rule in in_play if rule.jurisdiction == place]
            kinds = [
                flight.kind
                for flight in self.flights
                if any(rule.rule_id in flight.answer.outcome.path for rule in rules)
            ]
            opening = say(
                "authority",
                authority=self._authority(place, rules),
                place=self._place(place),
                span=span(kinds, self._name(self.country)),
            )
            yield Factor("country", opening, tuple(self._sentences(rules)), self._evidence(rules))

    def _device(self) -> Factor:
        device = self.device
        return Factor(
            "device",
            self._figure(device),
            (*self._margin(device), *self._notices("ccc_certificate_suspended")),
            evidence.citations(self.release, [*device.sources, *self._doubted()]),
        )

    def _doubted(self) -> dict[str, None]:
        """Return the sources about certificates in doubt, if an answer depends on them."""
        return dict.fromkeys(one.source for outcome in self.outcomes for one in outcome.doubts)

    def _figure(self, device: Device) -> str:
        model = model_name(device)
        if device.watt_hour is None:
            return say("device.unknown", model=model)
        if device.watt_hour_basis == "rated":
            whose, authority = evidence.rated_by(self.release, device)
            values = {"model": model, "watt_hour": plain(device.watt_hour), "authority": authority}
            return say(f"device.rated.{whose}", **values)
        return say(
            "device.computed",
            model=model,
            watt_hour=plain(device.watt_hour),
            capacity_mah=number(device.capacity_mah or 0),
            nominal_voltage=plain(device.nominal_voltage or Decimal(0)),
        )

    def _margin(self, device: Device) -> Iterator[Sentence]:
        """Yield how far it is from the lowest limit that permits it. Nothing permits what is banned."""
        if any(outcome.verdict == "banned" for outcome in self.outcomes):
            return
        limits = [
            rule.when.watt_hour_up_to
            for rule in self._applied()
            if rule.effect == "permit" and rule.when.watt_hour_up_to is not None
        ]
        if device.watt_hour is None or not limits:
            return
        limit = bound(min(limits))
        margin = limit.watt_hour - device.watt_hour
        key = "device.margin" if margin else "device.edge"
        yield Sentence(say(key, limit=up_to(limit), margin=plain(margin)), 1)
        yield from self._notices("confirm_rated_watt_hour")

    def _baseline(self) -> Iterator[Factor]:
        rules = [rule for rule in self._applied() if rule.jurisdiction == INTERNATIONAL]
        if rules:
            yield Factor("baseline", say("baseline"), tuple(self._sentences(rules)), self._evidence(rules))

    def _applied(self) -> list[Rule]:
        """Return the rules that apply to any of the flights, in path order."""
        shelf = self.release.shelf
        steps = dict.fromkeys(step for outcome in self.outcomes for step in outcome.path)
        return [shelf.rules[step] for step in steps if step in shelf.rules]

    def _sentences(self, rules: Iterable[Rule]) -> list[Sentence]:
        """Return sentences for rules that are listed and not yet described, the lightest first."""
        found = []
        for rule in rules:
            text = _message(rule, self.language)
            if text is not None and text in self.listed and text not in self.said:
                self.said.add(text)
                found.append(Sentence(text, _weight(rule), rule.rule_id))
        return sorted(found, key=lambda sentence: sentence.weight)

    def _notices(self, *names: str) -> Iterator[Sentence]:
        """Yield the engine's own notices with certain names, each once."""
        for outcome in self.outcomes:
            statements = (*outcome.constraints, *outcome.warnings)
            texts = (
                *wording.constraint_messages(outcome, self.language),
                *wording.warning_messages(outcome, self.language),
            )
            for statement, text in zip(statements, texts, strict=True):
                if statement.name in names and text not in self.said:
                    self.said.add(text)
                    yield Sentence(text, 0)

    def _evidence(self, rules: Iterable[Rule]) -> tuple[Citation, ...]:
        return evidence.citations(self.release, (name for rule in rules for name in rule.sources))

    def _name(self, code: str) -> str:
        return in_sentence(code, self.release.corpus.countries[code].name)

    def _place(self, code: str) -> str:
        record = self.release.shelf.jurisdictions.get(code)
        return code if record is None else country_name(code, record.name)

    def _authority(self, place: str, rules: Sequence[Rule]) -> str:
        record = self.release.shelf.jurisdictions.get(place)
        return rules[0].authority if record is None else record.regulator


def _weight(rule: Rule) -> int:
    """Return how soon a rule's sentence is left out: never if the rule bans, first if it is about conduct."""
    nature = CODES[rule.code].nature if rule.code else None
    return RANK_OF_NATURE.get(nature, CONDUCT) if nature else CONDUCT
