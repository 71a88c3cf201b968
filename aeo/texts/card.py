"""What the counter card says. Called by `aeo.trips.card` and its template."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "card.title": "Card for the counter: %(model)s",
    "card.watt_hour": "%(watt_hour)s Wh",
    "card.watt_hour.unknown": "Watt-hours not known",
    "card.flights": "Flights",
    "card.constraints": "Conditions",
    "card.constraints.more": Plural(
        "%(count)d more condition stands with the answer.", "%(count)d more conditions stand with the answer."
    ),
    "card.sources": "Sources that decide",
    "card.sources.more": Plural(
        "%(count)d more source stands with the answer.", "%(count)d more sources stand with the answer."
    ),
    "card.source": "%(authority)s, read %(date)s",
    "card.scan": "Scan for the answer of today",
    "card.checked": "Checked %(instant)s. Counts until %(until)s.",
    "card.ids": "Ruleset %(version)s, trip %(trip_id)s",
    "card.expired": "EXPIRED",
    "card.expired.sentence": "This card no longer counts. Check the trip again before you fly.",
    "card.saved": "Saved copy, checked at %(instant)s.",
    "card.kept": (
        "This browser keeps your last 20 cards, so that they open without a connection. They are kept "
        "nowhere else."
    ),
    "card.forget": "Forget saved cards",
    "card.forgotten": "This browser keeps no card any more.",
    "card.back": "Back to the trip",
    "card.offline.title": "You are offline",
    "card.offline.text": (
        "There is no saved copy of this card, because it was not opened in this browser. Do not count on an "
        "answer that you do not see."
    ),
}
