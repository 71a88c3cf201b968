"""How well the current release answers.

A job counts cases, promises and typed sentences and stores the figures. The page shows them, and how fresh
the evidence is. No request counts anything.
"""
