"""Facts of airports: whether a unit that is refused there can be stored, mailed or handed in, and where.

Editors keep them, and changes wait for another person's approval. They are no part of a release, so no
verdict can depend on one (decision 26). `selectors` caches them for the pages and the API.
"""
