"""Rate limits: rates, the address of a request, and the cache that counts with or without Redis.

Called by the API, signing in, watched trips and pages.
"""
