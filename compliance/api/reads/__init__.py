"""The GET operations: one module for each resource, over the selectors of `rules`.

Agents read through the same views.
"""
