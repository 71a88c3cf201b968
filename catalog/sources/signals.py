"""Signals for the packages that use `catalog.sources`: it imports none of them."""

from django.dispatch import Signal

read_again = Signal()
"""A person says what a page says today: sent before it is written, with `addresses`, by source.

These are the addresses where the last reading was, or that of a new one. A receiver refuses it by raising
`catalog.errors.Refused`.
"""
