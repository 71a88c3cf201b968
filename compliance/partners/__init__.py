"""Partners: what was agreed with them, their keys, and the register that recognizes a key in memory.

Called for every request that carries a key.
"""
