"""The Trip Battery Pass for people: an itinerary from an address, its answer, and the card of it.

Pages remember nothing: the address is the itinerary. Every answer comes through the door (`rules.verdicts`).
Called by the views of the trip and the card.
"""
