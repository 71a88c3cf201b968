"""The parts of a number: each has its own filling, so that no color has to be told from another one."""

from collections.abc import Iterable

from aeo.drawing.svg import coordinate, element, words

FILLINGS = ("solid", "striped", "sparse", "empty")
"""The fillings of the first part, the second and so on: there are at most four."""

LINE = 20
"""How high a line of the key is."""

LEAST = 3
"""The least size of a part that is not zero, so that a single one can be seen. The largest part gives it, if
it has so much."""


def sizes(values: Iterable[int], whole: int, size: float) -> list[float]:
    """Return how large the parts of a number are if `whole` is as large as `size`; 0 of nothing."""
    exact = [value * size / whole if whole else 0.0 for value in values]
    found = [max(one, LEAST) if one else 0.0 for one in exact]
    largest = found.index(max(found))
    found[largest] -= sum(found) - sum(exact)
    return found if found[largest] >= LEAST else exact


def filled(x: float, y: float, width: float, height: float, part: int) -> str:
    """Return a part, by its place: its outline, and what fills it."""
    filling = FILLINGS[part]
    around = element("rect", x=x, y=y, width=width, height=height, class_=filling)
    if filling in ("solid", "empty"):
        return around
    stripes = f"M{coordinate(x)} {coordinate(y + height / 2)}h{coordinate(width)}"
    return around + element("path", d=stripes, class_=filling, stroke_width=height)


def key(parts: Iterable[str], x: float, y: float) -> str:
    """Return what each filling means, a line for each part."""
    return "".join(
        filled(x + 0.75, y + place * LINE + 2, 20, 12, place) + words(said, x + 28, y + place * LINE + 13)
        for place, said in enumerate(parts)
    )
