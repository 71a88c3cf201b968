"""The texts of the checker: its fields, its hints, and the service around it."""

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
    "checker.confirming": "Is this your whole question?",
    "checker.unused": "We did not use these words",
    "checker.confirm.fields": "Check the fields. The answer depends only on them.",
    "checker.confirm": "These are all the facts",
    "progress.understood": "This was understood",
    "progress.left": "Left to fill in: %(fields)s. Then press “%(button)s”.",
    "progress.ready": "Nothing is left to fill in. If this is right, press “%(button)s”.",
    "unused.word": "“%(word)s”",
    "unused.rest": "Only the first 300 characters were read.",
    "unused.model": (
        "%(words)s: ask about one model at a time. For the number, count all power banks "
        "that one person carries."
    ),
    "unused.corrected": "%(words)s: this was read with another spelling. Check the fields.",
    "unused.airline": "%(words)s: ask about one flight at a time, with the airline that operates it.",
    "unused.airline_word": "%(words)s: this was read as an airline. Check the fields.",
    "unused.operator": (
        "%(words)s: the rules of the airline that operates the flight decide. Choose that airline."
    ),
    "unused.flight_number": (
        "%(words)s: another airline may operate the flight with this number. Choose the airline that "
        "operates it."
    ),
    "unused.place": "%(words)s: it is not clear whether the flight starts, stops or ends there.",
    "unused.return": "%(words)s: ask about the return flight separately. Its rules may be different.",
    "unused.people": "%(words)s: limits apply to each person. Ask about one person at a time.",
    "unused.number": "%(words)s: enter how many power banks one person carries.",
    "unused.when": "%(words)s: enter the day of the flight.",
    "unused.recalled": "%(words)s: check your unit against the maker's recall list first.",
    "unused.unit": (
        "%(words)s: look at your power bank. One that was opened, changed, copied, repaired or wet is not "
        "intact."
    ),
    "unused.purpose": "%(words)s: this check is for a power bank that you carry for your own use.",
    "unused.use": (
        "%(words)s: how you use and keep it on board does not decide whether it may travel. Each answer says "
        "what is not allowed on board."
    ),
    "unused.device": "%(words)s: this check is only for power banks. Ask the airline about other devices.",
    "unused.field": "%(words)s: a field below says something else. Check the fields.",
    "unused.figure": "%(words)s: this does not agree with what is on file for the model.",
    # What is not a power bank
    "other_device.title": "This is not a power bank",
    "other_device.lead": (
        "This service covers only power banks. It gives no answer for %(words)s. Do not count it as allowed."
    ),
    "other_device.ask": "Who to ask",
    "other_device.airline": "Ask the airline that operates your flight before you pack.",
    "other_device.authority": "The rules of the authority:",
    "other_device.bank": "Is it a power bank? Fill in the fields.",
    "checker.general": "Read what applies in general",
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
    "field.count.needed": "How many power banks does one person carry in total?",
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
    "field.label.unknown": "Not stated",
    "field.condition": "Is it intact?",
    "field.condition.needed": "Is it intact: not swollen, dented, leaking, hot, wet, opened or repaired?",
    "field.condition.intact": "Yes",
    "field.condition.damaged": "No, it is damaged",
    "field.condition.unknown": "Not stated",
    "field.recall": "What does the maker's recall list say about yours?",
    "field.recall.not_affected": "Not affected",
    "field.recall.affected": "Affected",
    "field.recall.not_checked": "I have not checked",
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
