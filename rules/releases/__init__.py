"""Published releases.

The table, the ledger (text, digest, chain), the difference of two releases, and the lists of one. A release
never changes. Called by `rules.corpus`, publishing, policy history and the datasets.
"""
