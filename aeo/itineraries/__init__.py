"""The question about several power banks, people and flights: its address, its answer, and its growing form.

Pages store nothing: the address is the question. Every answer comes from `rules.verdicts`, by the question
that `POST /api/itineraries/verify` builds. Called by the view of `/itinerary`.
"""
