"""Signals for the packages that use change sets: this one imports none of them."""

from django.dispatch import Signal

approving = Signal()
"""A change set is about to be written, with the consent of another person.

A receiver returns a function. It is called after the writing, in the same transaction, and refuses it by
raising `catalog.errors.Refused`.
"""
