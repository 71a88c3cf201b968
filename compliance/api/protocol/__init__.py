"""The shared parts of all API operations: views, callers, limits, bodies, errors, paging, caching.

It knows no single operation.
"""
