"""The corrected request for a caller whose codes are written in lower case.

Such a code is refused, because a safety service guesses nothing. But the error has the request as it must be
sent, so the caller need not write it (decision 29).
"""

import copy
import functools
import re
from collections.abc import Callable, Iterable
from typing import Any, Concatenate, ParamSpec, TypeVar

from compliance.api.protocol.errors import ApiError, FieldError

Body = dict[str, Any]
How = ParamSpec("How")
Read = TypeVar("Read")

_STEPS = re.compile(r"\[(\d+)]|([^.\[\]]+)")


def offers_correction(
    read: Callable[Concatenate[Body, How], Read],
) -> Callable[Concatenate[Body, How], Read]:
    """Let the `ApiError` of a reader of bodies have the corrected body, if the reader then accepts it."""

    @functools.wraps(read)
    def reading(body: Body, *args: How.args, **how: How.kwargs) -> Read:
        try:
            return read(body, *args, **how)
        except ApiError as error:
            corrected = corrected_request(body, error.errors)
            # A correction can bring another error to light, such as legs that do not chain.
            accepted = corrected is not None and _is_accepted(read, corrected, *args, **how)
            error.corrected = corrected if accepted else None
            raise

    return reading


def corrected_request(body: Body, errors: Iterable[FieldError]) -> Body | None:
    """Return a request with all errors corrected; none if one of them has no correction."""
    found = [*errors]
    if not found or any(error.correction is None for error in found):
        return None
    corrected = copy.deepcopy(body)
    for error in found:
        *way, last = _way(error.field)
        place: Any = corrected
        for step in way:
            place = place[step]
        place[last] = error.correction
    return corrected


def _is_accepted(
    read: Callable[Concatenate[Body, How], object], body: Body, *args: How.args, **how: How.kwargs
) -> bool:
    try:
        read(body, *args, **how)
    except ApiError:
        return False
    return True


def _way(field: str) -> list[int | str]:
    """Return the steps to a field: `trip`, `legs`, 1, `origin` for `trip.legs[1].origin`."""
    return [int(place) if place else name for place, name in _STEPS.findall(field)]
