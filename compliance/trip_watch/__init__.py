"""Watching a trip without an account: a secret address that shows when the verdict changes.

A person who checks a trip may ask for an address that no one can guess. It is read as a page, a feed (Atom),
a calendar (iCalendar) and data (JSON). Its content changes only when the verdict of the trip changes: the
verdicts of the flights and their constraints (`evaluation`). After each release, and each day, workers judge
all watches again (`compliance.trip_watch.actions`). A watch ends one day after the travel date and is
deleted.

A watch never allows a device. It says that something changed, and links to the page that answers.

The folder has the models, actions and jobs of watched trips. The page and POST /api/watches call them.

Stored are the trip, the language and the SHA-256 of the secret (`secret`); no serial, and nothing about the
person who watches.
"""
