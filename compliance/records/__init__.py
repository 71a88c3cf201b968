"""The stored records of answers: the verdict log, signed receipts, audit exports, answers given once.

An answer is recorded before it is sent. Called by the API, pages and agents.
"""
