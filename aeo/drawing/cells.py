"""A number of power banks as so many small batteries. The words beside it say which."""

from aeo.drawing import svg

WIDTH, HEIGHT, GAP = 10, 16, 4


def cells(count: int) -> str:
    """Return some batteries in a row, as a part of a line. Screen readers skip it."""
    drawn = "".join(
        f"M{1 + at * (WIDTH + GAP)} 4h8v11h-8zM{4 + at * (WIDTH + GAP)} 1.5h2" for at in range(count)
    )
    width = count * (WIDTH + GAP)
    return svg.element(
        "svg",
        svg.element("path", d=drawn),
        class_="cells",
        viewBox=f"0 0 {width} {HEIGHT}",
        width=width,
        height=HEIGHT,
        aria_hidden="true",
    )
