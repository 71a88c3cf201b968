"""The texts of an itinerary's page and of its form. Called by `aeo.itineraries` and its templates."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "itinerary.title": "Your power banks on your flights",
    "itinerary.people": Plural("%(count)d passenger", "%(count)d passengers"),
    # Who packs what
    "itinerary.passenger": "Passenger %(number)d",
    "itinerary.packs": "Who packs what",
    "itinerary.packs.may": "This may travel together",
    "itinerary.packs.none": "None of them may travel as asked.",
    "itinerary.stays": "Leave at home",
    "itinerary.stays.alone": "By itself it may travel. Together they are too many.",
    "itinerary.to_cabin": "Not in checked baggage. Move it to the cabin, and check again:",
    "itinerary.undecided": "Not decided. Do not count it as allowed",
    # The flights and the power banks
    "itinerary.operator_unknown": "The airline that operates the flight is not known",
    "itinerary.sold": "Sold by %(airline)s",
    "itinerary.date_assumed": "%(date)s (no date given)",
    "itinerary.flight.conditions": "What to do on this flight",
    "itinerary.flight.sources": "Sources of this flight",
    "itinerary.flight.id": "Verdict ID, %(name)s: %(id)s",
    "itinerary.undated": (
        "No date was given for the flight from %(origin)s to %(destination)s. It is judged on %(date)s, the "
        "day of the flight before. Rules can change until it departs: enter its date."
    ),
    "itinerary.date.needed": (
        "Enter the day of this flight. A rule changes on %(date)s, and the answer may depend on it."
    ),
    "itinerary.changes": "What changes between your flights",
    "itinerary.changes.from": "From %(date)s. %(what)s",
    "itinerary.changes.until": "Until %(date)s. %(what)s",
    "itinerary.items": "Your power banks",
    "itinerary.candidates": "Is it one of these? Recalls and marks depend on the model.",
    # The form
    "itinerary.form.title": "Ask about several power banks, people or flights",
    "itinerary.item": "Power bank %(number)d",
    "itinerary.flight": "Flight %(number)d",
    "itinerary.remove": "Remove this",
    "itinerary.add.unit": "Add another power bank",
    "itinerary.add.person": "Add a person",
    "itinerary.add.flight": "Add a flight",
    "itinerary.add.return": "Add the return trip",
    "itinerary.more": "More than one model, person or flight",
    "itinerary.field.people": "Passengers with a seat",
    "itinerary.count.missing": "Enter how many power banks of this model all passengers carry together.",
    "itinerary.field.by": "Who carries it?",
    "itinerary.field.by.any": "Anyone: find the best way",
    "itinerary.field.sold": "Airline or flight number on the ticket",
    "itinerary.field.sold.hint": (
        "Only if another airline sold the flight, or if you do not know who operates it. Then leave the "
        "airline empty."
    ),
    "itinerary.field.date.hint": "Leave it empty for the day of the flight before.",
    # What is wrong
    "itinerary.people.wrong": "Enter how many people travel: a number from 1 to %(most)d.",
    "itinerary.by.wrong": "Choose one of the passengers, or nobody in particular.",
    "itinerary.date.before": "This flight is before the one above. Enter %(date)s or a later day.",
    "itinerary.unread": "A part of this address is not understood: %(names)s. Fill in the fields.",
    "itinerary.full.person": "Nothing was added: one answer is about at most %(most)d passengers.",
    "itinerary.full.unit": "Nothing was added: one answer is about at most %(most)d kinds of power banks.",
    "itinerary.full.flight": "Nothing was added: one answer is about at most %(most)d flights.",
    "itinerary.too_large": (
        "This question is too large for one answer. Ask about at most %(items)d kinds of power banks and "
        "%(flights)d flights, and about at most %(most)d power banks times flights."
    ),
}
