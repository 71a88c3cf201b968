"""What is kept of an answer: the verdict log, signed receipts, and audit exports.

An answer is recorded before it is sent. Called by the API, pages and agents.
"""
