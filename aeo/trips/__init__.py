"""The Trip Battery Pass for people: a trip of one power bank on connected flights, its answer, and its card.

A trip is an itinerary of one item: its flights, its evidence and its card are those of `aeo.itineraries`.
What only a trip has is here: its address, its form, and what would help. Pages store nothing: the address is
the trip. Every answer comes from `rules.verdicts`.
"""
