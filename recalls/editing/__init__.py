"""A recall as editors write it: table, actions, form with the test of its pattern.

Only `actions` writes. A recall reaches verdicts with the next release.
"""
