"""Markup of pictures: nothing typed becomes markup, and coordinates are short."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from aeo.drawing import svg

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]))
SVG = "{http://www.w3.org/2000/svg}"


def read(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))


@given(said=TEXTS, label=TEXTS, url=TEXTS)
def test_nothing_that_is_said_becomes_markup(said: str, label: str, url: str) -> None:
    link = svg.link(url, svg.words(said, 1, 2, class_=label), label=label)
    whole = read(svg.picture(10, 5, link, label=label, kind="bar"))
    assert [one.tag for one in whole.iter()] == [f"{SVG}svg", f"{SVG}a", f"{SVG}text"]
    assert whole.attrib["aria-label"] == label
    assert whole[0].attrib == {"href": url, "aria-label": label}
    assert (whole[0][0].text or "") == said


@given(st.floats(-5000, 5000))
def test_a_coordinate_is_short_and_near(value: float) -> None:
    written = svg.coordinate(value)
    assert abs(float(written) - value) <= max(0.005, abs(value) * 1e-5) + 1e-9
    assert written != "-0"
    assert len(written) <= 8


def test_a_picture_with_links_is_a_group_and_without_an_image() -> None:
    assert read(svg.picture(1, 1, label="a", kind="bar")).attrib["role"] == "img"
    linked = svg.picture(1, 1, svg.link("/map", label="b"), label="a", kind="map")
    assert read(linked).attrib["role"] == "group"


def test_attributes_that_are_none_are_left_out() -> None:
    assert svg.element("path", d="M0 0", class_=None, stroke_width=2.0) == '<path d="M0 0" stroke-width="2"/>'
