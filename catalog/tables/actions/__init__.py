"""How actions write.

Insert, update and delete rows in a few statements, and refuse by name the row that does not fit. Only actions
of slices call these, inside their transaction.
"""
