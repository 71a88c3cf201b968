"""How a process talks to the database.

Whether it answers (`availability`), a separate connection for a thread that lives as long as the process, and
values that are read once and cached for all threads. Called by `rules.corpus`, `compliance` and `aeo`.
`availability` imports no Django: the database engine loads it first.
"""
