"""Searches that people save: the filters of a list under a name, as links above that list.

`screens.SavesSearches` is the base of lists that offer them; pages without a table call its functions.
"""
