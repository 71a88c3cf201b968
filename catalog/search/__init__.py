"""Finding catalog models by what people type: in memory, tolerant of slips, in many scripts."""

from catalog.search.index import DeviceIndex

__all__ = ["DeviceIndex"]
