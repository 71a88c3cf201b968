"""Webhooks: partners are told, by a signed request to an address of theirs, when a watched trip changes.

Who manages partners registers an address and hands over its secret, which is shown once. A partner's key is
not enough for that: some stand in web pages.

Deliveries are written down in the transaction that changes a watch, and sent by a job (`delivery`): signed
(`signing`), by the one way out (`catalog.fetching.Sender`), again and again with growing pauses, until
somebody takes them or they become dead letters. Twice is possible, never is not: each carries an id by which
the receiver can tell. Watched trips call `actions.tell_partner`.
"""
