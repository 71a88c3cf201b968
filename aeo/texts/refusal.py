"""The texts about a unit that is refused at an airport. Called by `aeo.pages.refusal` and its template."""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "refusal.title": "If it is refused at the airport",
    "refusal.lead": "Staff decide. Nothing here is a promise that it is taken, stored or sent.",
    # A sound unit that is one too many
    "refusal.companion": (
        "Ask whether a companion on the same booking may carry it, within that person's own limit."
    ),
    # Any sound unit
    "refusal.desk": "Ask at the airline's desk what you can do before you give it up.",
    "refusal.left_luggage": "Ask a left-luggage office whether it takes batteries. Many do not.",
    "refusal.home": "Let a person who does not fly take it home. Send it by road only where that is legal.",
    # A damaged or recalled unit
    "refusal.staff": (
        "Tell staff at once. Hand it over to staff alone, or to a collection point for hazardous waste."
    ),
    "refusal.never": "Never put it in a bin, in storage or in the post. Do not charge or use it.",
    # Any unit
    "refusal.note": (
        "Note down who refused it and why, the place, the date and the time. If it is kept, ask for a "
        "receipt."
    ),
    # Facts of airports
    "refusal.airport": "What is known of the airport: %(airport)s",
    "refusal.airports": "Refused power banks at airports",
    "refusal.airports.lead": (
        "What airports and reports say, as it was read. It may have changed: ask at the airport."
    ),
    "refusal.kind.storage": "Storage",
    "refusal.kind.counter": "Where",
    "refusal.kind.mailing": "Mailing",
    "refusal.kind.disposal": "Units that are given up",
    "refusal.kind.refusal_reported": "Reported refusals",
    "refusal.since": "of %(date)s",
    "refusal.country": "What is known of airports: %(country)s",
}
