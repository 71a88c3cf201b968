"""What counts on departure from each country, one layer at a time.

A layer gives each country words, or nothing where no rule is known: never that something is free. The values
are those of the pages of countries (`aeo.reference.country.departing`).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from aeo.editions import Edition
from aeo.reference import domestic
from aeo.reference.approval import of_place
from aeo.reference.country import departing
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

Known = Mapping[str, tuple[PolicyFields, tuple[Rule, ...]]]
"""By country, what its rules for departing flights say, and all rules of its authorities in force."""


def path_of(layer: str) -> str:
    """Return the address of a layer."""
    return "/map" if layer == LAYERS[0] else f"/map/{layer}"


def values(edition: Edition, layer: str) -> dict[str, str]:
    """Return the words of each country that has some in a layer, by its code."""
    said = _WORDS.get(layer, _of_field(layer))
    found = {code: said(edition, *known) for code, known in _known(edition).items()}
    return {code: words for code, words in found.items() if words}


# One edition is shown at a time. Countries with the same authorities have the same rules.
@lru_cache(maxsize=1)
def _known(edition: Edition) -> Known:
    by_places: dict[tuple[str, ...], tuple[PolicyFields, tuple[Rule, ...]]] = {}
    found = {}
    for code in edition.release.corpus.countries:
        places = edition.release.corpus.places(code)
        if places not in by_places:
            active = tuple(rule for place in places for rule in of_place(edition, place))
            by_places[places] = departing(edition, active), active
        found[code] = by_places[places]
    return found


_Words = Callable[[Edition, PolicyFields, tuple[Rule, ...]], str]


def _of_field(layer: str) -> _Words:
    def words(edition: Edition, fields: PolicyFields, active: tuple[Rule, ...]) -> str:
        field = getattr(fields, name)
        return "" if field is None else value_words(name, field)

    name = FIELDS.get(layer, "")
    return words


def _mark(edition: Edition, fields: PolicyFields, active: tuple[Rule, ...]) -> str:
    """Return whether a 3C mark is required, on domestic flights and on others."""
    said = []
    if any(rule.code == CCC for rule in domestic.stricter(edition, active)):
        said.append(say("map.mark.domestic"))
    if fields.ccc_mark is not None:
        said.append(say("map.mark.departing", value=value_words(FIELDS[MARK], fields.ccc_mark)))
    return apart(said) if said else ""


def _evidence(edition: Edition, fields: PolicyFields, active: tuple[Rule, ...]) -> str:
    """Return how the rules of the country's authorities were read."""
    return say(f"read.{readings.of_authority(edition.release, active).how}") if active else ""


_WORDS: Mapping[str, _Words] = {MARK: _mark, EVIDENCE: _evidence}
