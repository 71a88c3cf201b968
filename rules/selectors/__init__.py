"""What the public lists show: searching and filtering the published release, never the editors' tables.

Each module covers one kind of record, from a `rules.corpus.Published` and in its order. Called by the views
of the API and by the public pages.
"""
