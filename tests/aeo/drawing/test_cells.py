"""As many batteries are drawn as there are power banks."""

from hypothesis import given
from hypothesis import strategies as st

from aeo.drawing.cells import cells
from tests.aeo.drawing.test_svg import SVG, read


@given(st.integers(1, 20))
def test_as_many_batteries_are_drawn_as_there_are_power_banks(count: int) -> None:
    drawn = read(cells(count))
    assert drawn.attrib["aria-hidden"] == "true"
    assert drawn[0].tag == f"{SVG}path"
    assert drawn[0].attrib["d"].count("z") == count
