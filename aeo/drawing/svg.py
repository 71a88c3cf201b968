"""The markup of a picture: elements, texts and coordinates. Everything that is typed is escaped."""

from html import escape

Value = str | float


def element(name: str, *children: str, **attributes: Value | None) -> str:
    """Return an element around markup.

    Attributes are in order. A final underscore of their names is dropped, others become hyphens (`class_`,
    `text_anchor`); `None` leaves an attribute out; numbers are coordinates.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def words(said: str, x: float, y: float, **attributes: Value | None) -> str:
    """Return a line of text. `x` is where `text_anchor` says (its start if not given), `y` its base line."""
    return element("text", escape(said), x=x, y=y, **attributes)


def link(url: str, *children: str, label: str) -> str:
    """Return markup as a link. `label` is what screen readers say of it."""
    return element("a", *children, href=url, aria_label=label)


def picture(width: float, height: float, *children: str, label: str, kind: str) -> str:
    """Return a whole picture, as wide as its place allows.

    `label` says what it shows. `kind` is its class. With links in it, it is a group of links, else one image.
    """
    inside = "".join(children)
    return element(
        "svg",
        inside,
        class_=f"picture {kind}",
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        role="group" if "<a " in inside else "img",
        aria_label=label,
    )


def coordinate(value: float) -> str:
    """Return a length or a place with at most two decimals."""
    # Adding zero makes minus zero plus zero.
    return f"{round(value, 2) + 0:g}"


def _value(value: Value) -> str:
    return escape(value) if isinstance(value, str) else coordinate(value)
