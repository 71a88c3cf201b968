"""Webhooks: a signed request to a partner's address for each change of a watched trip.

A partner manager registers an address and passes on its secret, which is shown once. A partner's key is not
enough for that: some keys are in web pages.

Deliveries are recorded in the transaction that changes a watch, and sent by a job (`delivery`): signed
(`signing`), by the one way out (`catalog.fetching.Sender`), again and again with growing pauses, until the
receiver accepts them or they become dead letters. A delivery may arrive twice, but is never silently dropped:
each has an id by which the receiver recognizes it. Watched trips call `actions.notify_partner`.
"""
