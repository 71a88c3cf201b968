"""Partners: their agreements, their keys, and the register that recognizes a key in memory.

Called for every request that has a key.
"""
