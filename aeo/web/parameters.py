"""Which parameters an address takes: declared at its view.

`compliance.middleware.reading` redirects a request with others to the address without them, so a view never
gets a parameter that it does not declare.
"""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def takes(*names: str) -> Callable[[View], View]:
    """Declare the parameters that a view reads. Stands below decorators that wrap the view."""

    def declare(view: View) -> View:
        view.parameters = frozenset(names)  # type: ignore[attr-defined]
        return view

    return declare


def takes_any(view: View) -> View:
    """Declare that a view takes all parameters as they are: no cache keeps its answers, or it is a probe."""
    view.parameters = None  # type: ignore[attr-defined]
    return view


def parameters_of(view: Callable[..., Any]) -> frozenset[str] | None:
    """Return the parameters that a view declares; None if it takes any."""
    declared: frozenset[str] | None = getattr(view, "parameters", frozenset())
    return declared
