"""Finds catalog models by typed text: in memory, with typing errors, in many scripts."""

from catalog.search.index import DeviceIndex

__all__ = ["DeviceIndex"]
