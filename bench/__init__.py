"""Measurements: what a verdict costs, and compared with what. `make bench` runs all of them.

Nothing here is part of the service, and nothing passes or fails: the figures are for people to read. What is
compared is measured in one run, in turns, so that a busy machine slows down both sides.
`docs/performance.md` says how.
"""
