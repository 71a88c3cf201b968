"""How well a release answers: the shipped cases and the promises of the engine, asked and counted.

Called by the job in `aeo` that stores the public figures.
"""
