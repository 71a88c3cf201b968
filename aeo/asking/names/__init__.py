"""Airlines, places and suggestions by name, in eight languages.

A misspelled name is offered and never chosen. Pure: everything depends on the given release.
"""
