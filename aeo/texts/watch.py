"""The texts about a watched trip: on its page, in its feed and in its calendar.

Called by `compliance.trip_watch`, and by the pages of trips and itineraries.
"""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    # On the page of a trip or an itinerary
    "watch.make": "Watch this trip",
    "watch.make.lead": (
        "Get a secret address that shows you when the verdict changes. It needs no account and works until "
        "the day after your trip."
    ),
    "watch.make.kept": (
        "Kept until then: your flights, your power bank and this language. Not kept: a serial number, a name "
        "or an e-mail address."
    ),
    "watch.make.kept.itinerary": (
        "Kept until then: your flights, your power banks, the number of passengers and this language. Not "
        "kept: a serial number, a name or an e-mail address."
    ),
    "watch.make.button": "Make a secret address",
    # The page of a watch
    "watch.title": "Watched trip",
    "watch.of": "%(model)s on %(day)s",
    "watch.secret": (
        "Anyone who has this address can read this watch. Save it now and keep it secret. It cannot be "
        "given to you again."
    ),
    "watch.here": "The address of this page",
    "watch.subscribe": "Subscribe",
    "watch.subscribe.lead": "Each of these changes only when the verdict changes.",
    "watch.atom": "Feed (Atom)",
    "watch.calendar": "Calendar (iCalendar)",
    "watch.json": "Data (JSON)",
    "watch.since": "The verdict since %(instant)s, by ruleset %(version)s.",
    "watch.behind": "The rules may have changed, and this trip has not been checked again yet.",
    "watch.notice": "A watch does not clear anything. Check the trip again before you travel.",
    "watch.check": "Check the trip now",
    "watch.before": "Earlier verdicts",
    "watch.was": "%(verdict)s since %(instant)s, by ruleset %(version)s",
    "watch.until": "This watch ends on %(day)s and is then deleted.",
    "watch.end": "End this watch",
    "watch.end.lead": "You can delete this watch at any time. Its addresses then no longer work.",
    "watch.ended": "The watch has ended",
    "watch.ended.lead": "It is deleted, and its addresses no longer work.",
    "watch.again": "Check another trip",
    # In feeds and calendars
    "watch.flight": "%(route)s, %(airline)s",
    "watch.told": "%(what)s: %(verdict)s",
    "watch.told.since": "%(what)s: %(verdict)s since %(day)s",
    "watch.failed": "We cannot answer for this trip at the moment. Ask the airline.",
    "watch.gap": (
        "The current rules do not cover this model or one of these countries, so there is no answer. "
        "Ask the airline."
    ),
}
