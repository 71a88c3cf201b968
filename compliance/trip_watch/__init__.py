"""Watching a trip without an account: a secret address that tells when the verdict changes.

Whoever checks a trip may have an address made that nobody can guess. It is read as a page, a feed (Atom), a
calendar (iCalendar) and data (JSON), and what it says changes only when the verdict of the trip does: the
verdicts of the flights and their constraints (`evaluation`). After each release, and each day, workers
judge all watches again (`compliance.trip_watch.actions`). A day after the travel date a watch is over and
goes away.

A watch clears nothing. It tells that something changed, and leads to the page that answers.

The folder has the models, actions and jobs of watched trips. The page and POST /api/watches call them.

Kept are the trip, the language and the SHA-256 of the secret (`secret`); no serial, nothing of who watches.
"""
