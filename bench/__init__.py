"""Measurements: what a verdict costs, compared with other systems. `make bench` runs all of them.

Nothing here is part of the service, and nothing passes or fails: the figures are for people to read. Both
sides of a comparison are measured in one run, in turns, so a busy machine slows down both. The method is in
`docs/performance.md`.
"""
