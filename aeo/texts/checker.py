"""What the checker says: its fields, its hints, and what it says of the service around it."""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "checker.title": "May this power bank travel on this flight?",
    "checker.lead": (
        "A cited answer for an exact model, airline, route and date. What is not known is never counted as "
        "allowed."
    ),
    "checker.description": (
        "Check whether a power bank may travel on a flight: exact model, airline, route and date, with "
        "sources and the day each was read."
    ),
    "checker.words.label": "Ask in your own words",
    "checker.words.example": "For example: two Anker 737 on Emirates from Dubai to London",
    "checker.words.button": "Ask",
    "checker.words.read": "This was understood. Please add what is missing.",
    "checker.form": "Or fill in the fields",
    "checker.again": "Change the question",
    "checker.incomplete": "Something is still missing",
    "checker.incomplete.lead": (
        "Nothing has been answered yet. Until there is an answer, do not count the power bank as allowed."
    ),
    "checker.unread": "These words were not understood: %(words)s",
    "checker.choose": "Which one do you mean?",
    "checker.button": "Check",
    # Fields
    "field.model": "Your power bank",
    "field.model.hint": "Brand and model, or the model number on the unit.",
    "field.rating": "Not in the list? Type what the label says",
    "field.rating.hint": (
        "Enter the watt-hours (Wh). If the label shows none, enter mAh and volts. The answer is then "
        "general guidance."
    ),
    "field.wh": "Watt-hours (Wh)",
    "field.mah": "Capacity (mAh)",
    "field.v": "Voltage of the cells (V)",
    "field.v.none": "My label shows no voltage",
    "field.airline": "Airline",
    "field.airline.hint": "The airline that operates the flight.",
    "field.from": "From",
    "field.to": "To",
    "field.place.hint": "A country, city or airport.",
    "field.stops": "Stops on the way",
    "field.via": "Stop %(number)d",
    "field.date": "Day of the flight",
    "field.count": "How many",
    "field.bag": "Where do you carry it?",
    "field.bag.carry_on": "Cabin bag",
    "field.bag.on_person": "On my person",
    "field.bag.checked": "Checked bag",
    "field.more": "More about the unit (optional)",
    "field.mark": "Does it have a CCC (3C) mark?",
    "field.mark.present": "Yes",
    "field.mark.absent": "No",
    "field.mark.unknown": "I do not know",
    "field.label": "Can its rating be read on the unit?",
    "field.label.legible": "Yes",
    "field.label.missing": "No",
    "field.label.unknown": "I do not know",
    "field.condition": "Is it intact?",
    "field.condition.intact": "Yes",
    "field.condition.damaged": "No, it is damaged",
    "field.condition.unknown": "I do not know",
    "field.options": "Suggestions",
    "field.found": "Suggestions are listed. Use the arrow keys to choose.",
    "field.found.none": "Nothing was found.",
    # Below the checker
    "home.guides": "Guides answer what people ask most.",
    "home.recalls": "Recalls show whether your exact model is affected.",
    "home.about": "Every answer names its sources and the day they were read.",
    "home.guides.link": "Read the guides",
    "home.recalls.link": "See the recalls",
    "home.about.link": "How an answer is made",
}
