"""Which model, airline, country and recall pages are for search engines.

All of them can be read. Only those with something that their neighbors do not say are for the index. These
are the rules, for editors to see and change:

1. **Model.** A source of its facts was read, or it is under recall. And no earlier model of its brand has the
   same figures, marks, certificates, year of release and recalls (colors of one product).
2. **Airline.** A page about its policy was read, its own or another, and at least one rule of its own is in
   force. Otherwise its page says the same as every such page.
3. **Country.** Its own authority has a rule in force, or an airline with a page in the index is based there.
4. **Recall.** Every one: only its page says that exactly this model is recalled.

Called by the action that keeps page records and by the views.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache

from aeo.editions import Edition
from aeo.page_records.register import Indexed
from aeo.pages.paths import airline_path, country_path, model_path, recall_path
from aeo.pages.record import Page
from aeo.reference.airline import airline_page
from aeo.reference.country import country_page
from aeo.reference.model import model_page
from aeo.reference.policy_news import MOST_OF_AIRLINE
from aeo.reference.recall import recall_page
from rules.engine.facts import Airline, Device
from rules.policy_history import selectors
from rules.selectors import rules


# One edition is shown at a time, and the next one is prepared.
@lru_cache(maxsize=2)
def indexed_paths(edition: Edition) -> frozenset[str]:
    """Return the addresses of the pages for the index."""
    return frozenset(
        [
            *map(model_path, _models(edition)),
            *map(airline_path, _airlines(edition)),
            *map(country_path, _countries(edition)),
            *map(recall_path, edition.release.shelf.recalls),
        ]
    )


def reference_subjects(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the subjects of the pages for the index: a kind, and an id or code."""
    for kind, names in (
        ("model", _models(edition)),
        ("airline", _airlines(edition)),
        ("country", _countries(edition)),
        ("recall", edition.release.shelf.recalls),
    ):
        for name in names:
            yield kind, name


def reference_pages(
    edition: Edition, indexed: Indexed, subjects: Iterable[tuple[str, str]] | None = None
) -> Iterator[Page]:
    """Build the pages for the index, or those of some subjects."""
    of_airlines = lru_cache(selectors.newest_of_airlines)
    for kind, name in reference_subjects(edition) if subjects is None else subjects:
        match kind:
            case "model":
                yield model_page(edition, name, indexed)
            case "airline":
                news = of_airlines(edition.release, MOST_OF_AIRLINE)
                yield airline_page(edition, name, indexed, news.get(name, ()))
            case "country":
                yield country_page(edition, name, indexed)
            case "recall":
                yield recall_page(edition, name, indexed)
            case _:
                raise ValueError(f"there are no pages of kind {kind}")


def _models(edition: Edition) -> Iterator[str]:
    seen: set[Hashable] = set()
    for device in edition.release.shelf.all_devices:
        known = _known(edition, device)
        evident = edition.release.corpus.device(device.model_id).confirmed or known[-1]
        if evident and known not in seen:
            seen.add(known)
            yield device.model_id


def _known(edition: Edition, device: Device) -> tuple[object, ...]:
    return (
        device.brand,
        device.watt_hour,
        device.watt_hour_basis,
        device.capacity_mah,
        device.certifications,
        device.certificates,
        device.release_year,
        tuple(recall.recall_id for recall in edition.release.shelf.recalls_of(device.model_id)),
    )


def _airlines(edition: Edition) -> Iterator[str]:
    for airline in edition.release.shelf.airlines.values():
        if _has_policy(edition, airline):
            yield airline.airline


def _has_policy(edition: Edition, airline: Airline) -> bool:
    active = rules.active(edition.release, airline.airline, edition.today)
    return airline.confidence != "unverified" and bool(active)


def _countries(edition: Edition) -> Iterator[str]:
    release = edition.release
    home = {release.shelf.airlines[code].country for code in _airlines(edition)}
    in_force = rules.find(release, in_force_on=edition.today)
    with_rules = {rule.jurisdiction for rule in in_force if rule.airline is None}
    for code in release.corpus.countries:
        if code in home or code in with_rules:
            yield code
