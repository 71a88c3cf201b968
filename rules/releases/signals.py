"""Signals for the packages that use `rules`: `rules` imports none of them."""

from django.dispatch import Signal

release_published = Signal()
"""A release is permanently in the ledger: sent by its publisher, after the commit, with `release`."""
