"""How well a release answers: figures from the shipped cases and the promises of the engine.

Called by the job in `aeo` that stores the public figures.
"""
