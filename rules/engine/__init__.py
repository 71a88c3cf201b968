"""Decides a verdict: `evaluate` for a flight, `trip` for a trip, `itinerary` for several units and people.

Pure: no Django, no clock, no database. The same question and release always give the same verdict. Called by
`rules.verdicts`, by the cases and by the survey that measures what a change flips.
"""
