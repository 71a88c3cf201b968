"""The texts of a trip's page that the checker does not have. Called by `aeo.trips` and its template."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "trip.title": "Trip Battery Pass",
    "trip.description": (
        "May your power bank travel on your whole trip? Each flight is checked against the rules of its "
        "countries and its airline, and the strictest answer decides."
    ),
    "trip.lead": (
        "Enter your power bank and your flights. Each flight is checked, and the strictest answer "
        "decides for the whole trip."
    ),
    # The answer
    "trip.answer": "%(model)s on your trip",
    "trip.flights": Plural("Your flight", "Your %(count)d flights"),
    "trip.flight": "%(index)d. %(origin)s to %(destination)s",
    "trip.flight.uncovered": (
        "There is no answer for this flight, so neither the flight nor the trip is cleared. Ask the airline."
    ),
    "strip.title": Plural("Your flight at a glance", "Your %(count)d flights at a glance"),
    "strip.decides": "This flight decides the answer",
    "strip.decides.by": "This flight decides the answer: %(who)s",
    "trip.helps.link": "Check the trip this way",
    "trip.card": "Show the card for the counter",
    "trip.card.hint": "One page to show or to print, with sources and a QR code. It also opens offline.",
    "trip.citations": "Sources of all flights",
    # The form
    "trip.form": "Your trip",
    "trip.change": "Change the trip",
    "trip.field.stop": "Stop %(number)d (leave it empty if there is none)",
    "trip.field.airline": "Airline of the first flight",
    "trip.field.onward": "Airline from stop %(number)d",
    "trip.field.onward.hint": "Leave it empty if the airline stays the same.",
    "trip.more": "Add a stop",
    "trip.check": "Check the trip",
    "trip.leg.wrong": (
        "The flights in this address cannot be read. Each starts in the country where the one before ended, "
        "and there are at most %(most)d."
    ),
    "trip.leg.twice": "This address names its flights twice. Enter them again.",
}
