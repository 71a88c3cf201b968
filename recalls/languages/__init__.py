"""The patterns of recalls as languages: does a change make the outcome of any serial milder?

`syntax` reads a pattern, `automata` finds the shortest identifiers in languages, `comparison` compares the
recalls of a model before and after a change. Pure: no Django, no clock, no I/O.
"""
