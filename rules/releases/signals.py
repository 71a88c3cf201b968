"""What the rooms above may want to know of: `rules` imports none of them."""

from django.dispatch import Signal

release_published = Signal()
"""A release is in the ledger for good: sent by its publisher, after the commit, with `release`."""
