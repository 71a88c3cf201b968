"""Atom feeds and the calendar of effective dates.

All of it follows from stored releases, so the same release gives the same bytes.
"""
