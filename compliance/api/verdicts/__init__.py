"""The operations that judge (verify, trips, batch, watches, receipts).

From a request body to a question, and from an answer to a body. Also used by agents, the sandbox and bulk
verification.
"""
