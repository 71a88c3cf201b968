"""The outlines of countries by their codes: `shapes.json`, which `make shapes` writes.

Outlines are of Natural Earth, places of small countries of the time zone database, both in the public domain.
Measures are half CSS pixels at the width of a phone.
"""

from functools import cache
from pathlib import Path

import msgspec

from aeo.drawing.world_map import Dot

FILE = Path(__file__).with_name("shapes.json")


class World(msgspec.Struct, frozen=True):
    """The whole world: outlines, and places of countries that have none. The outline of "" has no code."""

    height: float
    shapes: dict[str, str]
    dots: dict[str, tuple[float, float]]


class Region(msgspec.Struct, frozen=True):
    """A part of the world, by its number in CLDR; its small countries have dots."""

    region: str
    height: float
    shapes: dict[str, str]
    dots: dict[str, Dot]

    @property
    def codes(self) -> set[str]:
        """Return the codes of its countries."""
        return {*self.shapes, *self.dots}


class Shapes(msgspec.Struct, frozen=True):
    """All outlines, and the width of each picture."""

    origin: str
    width: float
    world: World
    regions: tuple[Region, ...]


@cache
def shapes() -> Shapes:
    """Return the outlines; read at the first call."""
    return msgspec.json.decode(FILE.read_bytes(), type=Shapes)
