"""The stored records of answers: the verdict log, signed receipts, and audit exports.

An answer is recorded before it is sent. Called by the API, pages and agents.
"""
