"""The texts of the map of countries."""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "map.title": "Map of countries",
    "map.lead": (
        "For %(known)s of %(countries)s countries, the authorities' rules on file for departing flights say "
        "something about this. Airlines may be stricter. The map decides nothing: the check does."
    ),
    "map.lead.international": (
        "Where no own rule of a country is on file about this, the international rules count on "
        "international flights: %(value)s."
    ),
    "map.world": "The world",
    "map.units": "Units",
    "map.energy": "Energy",
    "map.mark": "3C mark",
    "map.use": "Use on board",
    "map.evidence": "Evidence",
    "map.units.title": "How many power banks one person may carry, by country of departure",
    "map.energy.title": "How much energy needs no approval, by country of departure",
    "map.mark.title": "Where a 3C mark counts, by country of departure",
    "map.use.title": "Charging devices from a power bank on board, by country of departure",
    "map.evidence.title": "How the authorities' rules were read, by country",
    "map.mark.domestic": "domestic: required",
    "map.mark.departing": "international: %(value)s",
    "map.none": "No rule known here",
    "map.none.what": (
        "An empty country has no known rule about this. That never means that it is free: the check then "
        "says what is missing."
    ),
    "map.with_international": "international rules: %(value)s",
    "map.international": "International rules only: %(value)s",
    "map.international.what": (
        "An empty country has no known rule of its own about this. That never means that it is free: the "
        "international rules count on its international flights. They do not cover flights within it."
    ),
    "map.legend": "What the marks mean",
    "menu./map": "Map of countries",
    "methodology.link.map": "Countries on a map",
}
