"""Answers that are given once: a repeated POST with the same `Idempotency-Key` gets the same answer.

As in the draft of the IETF (draft-ietf-httpapi-idempotency-key-header). An answer is kept for 24 hours, for
its caller alone. No table has a key in it: rows are found by a keyed digest, and the answer is encrypted with
the key that the caller sent, so it can be read only when that caller sends it again. Called by operations of
the API that create something.
"""
