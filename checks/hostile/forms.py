"""Reads the form of a page of the desk as a browser does."""

from html.parser import HTMLParser


class Form(HTMLParser):
    """The fields of the page's own form, in their order, as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self._inside = False
        self._templates = 0
        self._select = ""
        self._textarea: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field, or begin one."""
        attributes = {name: value or "" for name, value in attrs}
        name = attributes.get("name", "")
        if tag == "template":
            self._templates += 1
        elif tag == "form":
            self._inside = attributes.get("id", "").endswith("_form") or attributes.get("method") == "post"
        elif not self._inside or self._templates:
            return
        elif tag == "input" and name and attributes.get("type") not in {"submit", "file"}:
            # An unchecked box is not sent.
            if attributes.get("type") != "checkbox" or "checked" in attributes:
                box = attributes.get("type") == "checkbox"
                self._add(name, attributes.get("value", "on" if box else ""))
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in attributes:
            self._add(self._select, attributes.get("value", ""))
        elif tag == "textarea":
            self._textarea = name
            self._add(name, "")

    def handle_endtag(self, tag: str) -> None:
        """End what has begun."""
        if tag == "template":
            self._templates -= 1
        elif tag == "textarea":
            self._textarea = None
        elif tag == "form":
            self._inside = False

    def handle_data(self, data: str) -> None:
        """Take the text of a field."""
        if self._textarea and not self._templates:
            self.fields[self._textarea][-1] += data.removeprefix("\n") if not self._last else data

    @property
    def _last(self) -> str:
        return self.fields[self._textarea or ""][-1]

    def _add(self, name: str, value: str) -> None:
        self.fields.setdefault(name, []).append(value)
