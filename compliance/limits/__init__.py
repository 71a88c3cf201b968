"""Rate limits: what a rate is, where a request comes from, and the cache that counts with or without Redis.

Called by the API, signing in, watched trips and pages.
"""
