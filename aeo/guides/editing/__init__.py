"""Guides as editors keep them: the table, the workflow, the translations, and the screens.

A guide comes with the program as a file. Once an editor changes it, its revisions count instead of the file:
the one that another person approved is shown at once, without a release, and the engine goes on checking it.
What a guide is and how it is checked is in `aeo.guides`.
"""
