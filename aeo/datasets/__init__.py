"""Datasets: the contents of the published release, described for programs and stored as files.

`overview` describes them (/aeo-datasets.json). `rows` are their records, `files` makes the bytes of a
release, `actions` stores them, `cache` finds them, and `history` lists what each release changed.

Everything here is public without a key (`docs/integrating.md` defines the limits): for an airline its
preview, for changes of policies their numbers.
"""
