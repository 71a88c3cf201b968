"""Decides a verdict: `evaluate` for one flight, `trip` for all flights of a trip.

Pure: no Django, no clock, no database. The same question and release always give the same verdict. Called by
`rules.verdicts`, by the cases and by the survey that measures what a change flips.
"""
