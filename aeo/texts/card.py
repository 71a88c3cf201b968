"""The texts of the counter card. Called by `aeo.itineraries.card` and its template."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "card.title": "Card for the counter: %(model)s",
    "card.watt_hour": "%(watt_hour)s Wh",
    "card.watt_hour.unknown": "Watt-hours not known",
    "card.flights": "Flights",
    "card.constraints": "Conditions",
    "card.constraints.more": Plural(
        "For %(count)d more point, scan the code.", "For %(count)d more points, scan the code."
    ),
    "card.sources": "Sources",
    "card.sources.more": Plural(
        "For %(count)d more source, scan the code.", "For %(count)d more sources, scan the code."
    ),
    "card.scan": "Scan for today's answer",
    "card.checked": "Checked %(instant)s. Valid until %(until)s.",
    "card.again.before": (
        "This card says what is known today. Print it again the day before your flight on %(date)s."
    ),
    "card.again.day": "This answer ends on the day of your flight: check the trip again after %(instant)s.",
    "card.ids": "Ruleset %(version)s, trip %(trip_id)s",
    "card.expired": "EXPIRED",
    "card.expired.sentence": "This card is no longer valid. Check the trip again before you fly.",
    "card.saved": "Saved copy, checked at %(instant)s.",
    "card.kept": (
        "This browser saves your last 20 cards, so that they open without a connection. They are saved "
        "nowhere else."
    ),
    "card.forget": "Forget saved cards",
    "card.forgotten": "No cards are saved in this browser any more.",
    "card.back": "Back to the answer",
    "card.offline.title": "You are offline",
    "card.offline.text": (
        "There is no saved copy of this card, because it was not opened in this browser. Do not rely on "
        "an answer that you cannot see."
    ),
}
