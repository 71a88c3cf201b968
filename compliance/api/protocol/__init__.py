"""What all operations of the API share: views, callers, limits, bodies, errors, paging, caching.

Knows no operation.
"""
