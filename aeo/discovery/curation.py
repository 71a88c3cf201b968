"""Which verdict pages search engines get: those with something that their neighbors do not say.

Pure except for `rules.verdicts`. The same edition and the same choice (`aeo.page_records.models.Curation`,
which editors change) give the same pages in the same order, the most important first.

1. **Importance.** Models, airlines and countries are each ranked by points (`_model_points` and its
   siblings). Those that the choice leaves out are not ranked. For an airline, its own country comes first.
   The lower the product of its three ranks, the more important a page is. So the first model is combined with
   all airlines at home, and a rare model only with the first airlines.
2. **Classes.** Models that no rule and no recall distinguishes get the same answers everywhere. The first of
   them represents the others. In the same way, the first country represents those whose authorities have the
   same rules.
3. **A fact of its own.** Two pages are neighbors if they differ only in the model, only in the airline or
   only in the country. A page enters if no earlier neighbor says the same: the same verdicts, constraints,
   warnings and recalls for each kind of flight.
4. **Bounds.** At most `most_pages` enter, and for one model, airline or country no more than its bound.
5. **Turns.** Each page that entered lowers the priority of the next one with its model, its airline or its
   country. So the first hundred, for which the manifest has room, cover many of each.

Called by the action that keeps page records, and by the screen on which editors try another choice.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator

from aeo.articles.flights import Flight, flights
from aeo.brands.near_limits import is_near_limit
from aeo.editions import Edition
from aeo.page_records.models import Curation
from aeo.page_records.register import Combination
from rules.corpus import Published
from rules.engine.errors import Unanswerable
from rules.engine.facts import Airline, Device
from rules.selectors.devices import is_recent


def curated(edition: Edition, choice: Curation) -> list[Combination]:
    """Return the pages that are indexed, the most important first."""
    bounds = choice.most_of_model, choice.most_of_airline, choice.most_of_country
    entered: list[tuple[int, Combination]] = []
    said: dict[tuple[str, str, str], set[Hashable]] = defaultdict(set)
    count: Counter[tuple[str, str]] = Counter()
    for product, page in _by_importance(edition, choice):
        if len(entered) == choice.most_pages:
            break
        if any(count[name] >= bound for name, bound in zip(_names(page), bounds, strict=True)):
            continue
        try:
            facts = _facts(edition, flights(edition, *page))
        except Unanswerable:
            continue
        neighborhoods = list(_sides(page))
        if any(facts in said[place] for place in neighborhoods):
            continue
        entered.append((product, page))
        count.update(_names(page))
        for place in neighborhoods:
            said[place].add(facts)
    return _in_turns(entered)


def _in_turns(entered: list[tuple[int, Combination]]) -> list[Combination]:
    """Order pages by their products, each multiplied by how often its three names have occurred."""
    shown: Counter[tuple[str, str]] = Counter()

    def weight(product: int, page: Combination) -> int:
        return product * math.prod(1 + shown[name] for name in _names(page))

    waiting = [(product, product, page) for product, page in entered]
    heapq.heapify(waiting)
    ordered = []
    while waiting:
        then, product, page = heapq.heappop(waiting)
        now = weight(product, page)
        if now > then:
            # Other pages with its names came up since its weight was computed.
            heapq.heappush(waiting, (now, product, page))
            continue
        ordered.append(page)
        shown.update(_names(page))
    return ordered


def _names(page: Combination) -> tuple[tuple[str, str], ...]:
    """Return the three names of a page, marked so that a model never counts as an airline."""
    return tuple(zip(page._fields, page, strict=True))


def _sides(page: Combination) -> Iterator[tuple[str, str, str]]:
    """Return, for each side, its name and what the neighbors that differ only in it share."""
    yield "model", page.airline, page.country
    yield "airline", page.model_id, page.country
    yield "country", page.model_id, page.airline


def _facts(edition: Edition, shown: tuple[Flight, ...]) -> Hashable:
    outcomes = [(flight.kind, flight.answer.outcome) for flight in shown]
    recalls = edition.release.shelf.recalls_of(outcomes[0][1].device.model_id)
    return (
        tuple(recall.recall_id for recall in recalls),
        tuple(
            (
                kind,
                outcome.verdict,
                outcome.gaps,
                frozenset(statement.code for statement in outcome.constraints),
                frozenset(statement.code for statement in outcome.warnings),
            )
            for kind, outcome in outcomes
        ),
    )


def _by_importance(edition: Edition, choice: Curation) -> Iterator[tuple[int, Combination]]:
    """Return all combinations by the products of their ranks, with the products, then by name."""
    models, airlines = _models(edition, choice), _airlines(edition.release, choice)
    countries = _countries(edition.release, choice)
    # In layers, because far more combinations exist than enter.
    low, high = 0, 64
    while low < len(models) * len(airlines) * (len(countries) + 1):
        layer = []
        for airline_rank, airline in enumerate(airlines[:high], start=1):
            home = () if airline.country in choice.without_countries else (airline.country,)
            places = [*home, *(code for code in countries if code != airline.country)]
            for country_rank, country in enumerate(places[: high // airline_rank], start=1):
                ranks = airline_rank * country_rank
                for model_rank in range(low // ranks + 1, min(high // ranks, len(models)) + 1):
                    page = Combination(models[model_rank - 1].model_id, airline.airline, country)
                    layer.append((ranks * model_rank, page))
        yield from sorted(layer)
        low, high = high, high * 2


def _models(edition: Edition, choice: Curation) -> list[Device]:
    """Return the models that represent their classes, by their points."""
    devices = [
        device for device in edition.release.shelf.all_devices if device.model_id not in choice.without_models
    ]
    of_brand = Counter(device.brand for device in devices)
    classes: dict[Hashable, list[tuple[int, Device]]] = defaultdict(list)
    for device in devices:
        points = _model_points(device, edition, choice)
        points += min(of_brand[device.brand], choice.most_brand_points)
        classes[_class(edition.release, device)].append((points, device))
    first = []
    for members in classes.values():
        points, device = min(members, key=lambda member: (-member[0], member[1].model_id))
        first.append((-points - min(len(members), choice.most_class_points), device.model_id, device))
    return [device for _, _, device in sorted(first)]


def _class(release: Published, device: Device) -> Hashable:
    """Return what rules and recalls can distinguish about a model."""
    entry = release.corpus.device(device.model_id)
    recalls = tuple(recall.recall_id for recall in entry.recalls)
    return recalls, entry.band, entry.band_beyond, entry.named, entry.confirmed, device.watt_hour is None


def _model_points(device: Device, edition: Edition, choice: Curation) -> int:
    watt_hour = device.watt_hour
    conditions = [
        (choice.model_recalled, bool(edition.release.shelf.recalls_of(device.model_id))),
        (choice.model_near_limit, watt_hour is not None and is_near_limit(watt_hour)),
        (choice.model_over_100_wh, watt_hour is not None and watt_hour > 100),
        (choice.model_recent, is_recent(device, edition.today)),
        (choice.model_figures, watt_hour is not None and device.capacity_mah is not None),
    ]
    return sum(points for points, applies in conditions if applies)


def _airlines(release: Published, choice: Curation) -> list[Airline]:
    of_confidence = {"confirmed": choice.airline_confirmed, "reported": choice.airline_reported}

    def points(airline: Airline) -> int:
        return (
            of_confidence.get(airline.confidence, 0)
            + choice.airline_change * len(airline.changes)
            + choice.airline_source * len(airline.sources)
        )

    airlines = [
        airline
        for airline in release.shelf.airlines.values()
        if airline.airline not in choice.without_airlines
    ]
    return sorted(airlines, key=lambda airline: (-points(airline), airline.airline))


def _countries(release: Published, choice: Curation) -> list[str]:
    """Return one country of each class whose authorities have rules, those with the most rules first."""
    own: dict[str, int] = defaultdict(int)
    based: dict[str, int] = defaultdict(int)
    for rule in release.shelf.rules.values():
        own[rule.jurisdiction] += rule.airline is None
    for airline in release.shelf.airlines.values():
        based[airline.country] += 1

    def points(country: str) -> int:
        return based[country] + sum(own[place] for place in release.corpus.places(country))

    offered = set(release.corpus.countries) - set(choice.without_countries)
    countries = sorted(offered, key=lambda code: (-points(code), code))
    classes: dict[tuple[str, ...], str] = {}
    for country in countries:
        if places := release.corpus.places(country):
            classes.setdefault(places, country)
    return list(classes.values())
