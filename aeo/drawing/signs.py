"""The signs of six facts: a small picture of what a fact is about, and whether it is refused or not known.

What is refused is crossed out, and what is not known is dashed, so the signs differ in any color. The words
beside a sign say the same, so screen readers skip it.
"""

from typing import Literal, get_args

from aeo.drawing.svg import element

Topic = Literal["units", "energy", "checked", "use", "recharge", "bin"]
Tone = Literal["no", "limit", "unknown"]
"""Refused; stated, with or without a limit; not known."""

TOPICS: tuple[Topic, ...] = get_args(Topic)
"""In the order in which pages show them."""

_OUTLINES: dict[Topic, str] = {
    "units": "M4 8h6v12H4zM6 8V5.5h2V8M14 8h6v12h-6zM16 8V5.5h2V8",
    "energy": "M13 2.5L5 13.5h6l-1 8 8-11h-6z",
    "checked": "M4 8h16v12H4zM9 8V4.5h6V8M8 8v12M16 8v12",
    "use": "M8 2.5h8v13H8zM11 12.5h2M12 15.5v6",
    "recharge": "M9 2.5V8M15 2.5V8M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4.5",
    "bin": "M2.5 4.5h19v8h-19zM8 8.5h8M7 20.5v-4h10v4z",
}
_CROSS = "M3.5 3.5l17 17"


def sign(topic: Topic, tone: Tone) -> str:
    """Return the sign of a fact."""
    drawn = [element("path", d=_OUTLINES[topic])]
    if tone == "no":
        drawn.append(element("path", d=_CROSS, class_="cross"))
    return element("svg", *drawn, viewBox="0 0 24 24", aria_hidden="true")
