"""Signed receipts: a client who keeps an answer with its receipt can prove to anyone that it was ours.

`canonical` makes the bytes of an answer, `jws` signs them, `keys` has the keys, and `check` says whether a
stored answer is still valid. `docs/receipts.md` describes the same for clients.
"""
