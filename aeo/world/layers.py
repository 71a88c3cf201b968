"""What counts on departure from each country, one layer at a time.

A layer gives each country the words of its own rules, or nothing where none is known: never that something is
free. Where the international baseline says more, its words are added; of a country without words, it is all
that counts (`international`). The values are those of the pages of countries
(`aeo.reference.country.departing`).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from aeo.editions import Edition
from aeo.reference import domestic, glance
from aeo.reference.approval import of_place
from aeo.reference.country import departing
from aeo.reference.limits import limits
from aeo.reference.policy import value_words
from aeo.texts import say
from aeo.web.formatting import apart
from rules.engine.facts import Rule
from rules.selectors import readings
from rules.selectors.policy_fields import PolicyFields

UNITS, ENERGY, MARK, USE, EVIDENCE = "units", "energy", "mark", "use", "evidence"

LAYERS = (UNITS, ENERGY, MARK, USE, EVIDENCE)
"""The layers in the order of their links. The first is at the plain address."""

FIELDS: Mapping[str, str] = {
    UNITS: "max_units",
    ENERGY: "carry_on_max_watt_hour_without_approval",
    MARK: "ccc_mark",
    USE: "onboard_use",
}
"""The field of a policy that a layer shows."""

CCC = "ccc_mark_required"


class Known(NamedTuple):
    """What rules for departing flights say, alone and with the baseline, and all rules of the authorities."""

    own: PolicyFields
    together: PolicyFields
    active: tuple[Rule, ...]


def path_of(layer: str) -> str:
    """Return the address of a layer."""
    return "/map" if layer == LAYERS[0] else f"/map/{layer}"


def values(edition: Edition, layer: str) -> dict[str, str]:
    """Return the words of each country that has some in a layer, by its code."""
    said = _WORDS.get(layer) or partial(_of_field, layer)
    found = {code: said(edition, known) for code, known in _known(edition).items()}
    return {code: words for code, words in found.items() if words}


def international(edition: Edition, layer: str) -> str:
    """Return what the baseline says in a layer; empty if it says nothing."""
    return _in_words(layer, limits(edition.release, edition.today).fields)


# One edition is shown at a time. Countries with the same authorities have the same rules.
@lru_cache(maxsize=1)
def _known(edition: Edition) -> Mapping[str, Known]:
    by_places: dict[tuple[str, ...], Known] = {}
    found = {}
    for code in edition.release.corpus.countries:
        places = edition.release.corpus.places(code)
        if places not in by_places:
            active = tuple(rule for place in places for rule in of_place(edition, place))
            by_places[places] = Known(*departing(edition, active), active)
        found[code] = by_places[places]
    return found


def _of_field(layer: str, edition: Edition, known: Known) -> str:
    """Return what the own rules say, and what the baseline adds to them."""
    own, together = _in_words(layer, known.own), _in_words(layer, known.together)
    if own == together or (not own and together == international(edition, layer)):
        return own
    return apart([*([own] if own else []), say("map.with_international", value=together)])


def _in_words(layer: str, fields: PolicyFields) -> str:
    """Return the words of a layer, as among the six facts of a page; empty if there are none."""
    if layer == UNITS:
        return glance.units_words(fields) or ""
    field = getattr(fields, FIELDS[layer]) if layer in FIELDS else None
    return "" if field is None else value_words(FIELDS[layer], field)


def _use(edition: Edition, known: Known) -> str:
    """Return whether devices may be charged on board, also where only some flights have such a rule."""
    said = glance.prohibited_on_some(FIELDS[USE], domestic.of_some_flights(edition, known.active))
    others = _of_field(USE, edition, known)
    if not said:
        return others
    return apart([*said, others or say("map.with_international", value=international(edition, USE))])


def _mark(edition: Edition, known: Known) -> str:
    """Return whether a 3C mark is required, on domestic flights and on others."""
    said = []
    if any(rule.code == CCC for rule in domestic.stricter(edition, known.active)):
        said.append(say("map.mark.domestic"))
    if words := _in_words(MARK, known.own):
        said.append(say("map.mark.departing", value=words))
    return apart(said) if said else ""


def _evidence(edition: Edition, known: Known) -> str:
    """Return how the rules of the country's authorities were read."""
    return say(f"read.{readings.of_authority(edition.release, known.active).how}") if known.active else ""


_WORDS: Mapping[str, Callable[[Edition, Known], str]] = {MARK: _mark, USE: _use, EVIDENCE: _evidence}
