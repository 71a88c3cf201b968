"""How actions write.

Insert, update and delete rows in a few statements, and name the row that is refused. Only actions of slices
call these, inside their transaction.
"""
