"""The Trip Battery Pass for people: an itinerary from an address, its answer, and its card.

Pages store nothing: the address is the itinerary. Every answer comes from `rules.verdicts`. Called by the
views of the trip and the card.
"""
