"""The parts of `make scale`: what each counts, and the three sizes at which it is measured."""

from typing import NamedTuple


class Part(NamedTuple):
    """One part. Its module `bench.scale.NAME` has `measure(size, folder)`, which returns its figures.

    `folder` belongs to the part and stays between its sizes. `full` are the sizes of the document, `small`
    those for trying.
    """

    name: str
    counted: str
    full: tuple[int, ...]
    small: tuple[int, ...]


PARTS = (
    Part("catalog", "models", (6_250, 25_000, 100_000), (600, 1_200, 2_400)),
    Part("followers", "full followers", (1, 5, 20), (1, 2)),
    Part("watchers", "followers that watch", (25, 50, 100), (5, 10)),
    Part("edge", "reads of a million pages", (12_500, 50_000, 200_000), (500, 1_000)),
    Part("log", "rows", (1_000_000, 3_000_000, 10_000_000), (2_000, 6_000)),
    Part("log_by_day", "rows", (1_000_000, 3_000_000, 10_000_000), (2_000, 6_000)),
    Part("bulk", "verdicts", (62_500, 250_000, 1_000_000), (2_000, 4_000)),
)
