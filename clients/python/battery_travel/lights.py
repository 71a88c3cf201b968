"""The one green light: a question that is asked again each time it matters."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NoReturn

from battery_travel.reasons import WhyNot


class Light(ABC):
    """Something that may be clear to pack. `clear_to_pack()` is the only green light.

    It has no truth value, so that `if answer:` cannot be mistaken for the light. It belongs to this process
    and cannot be pickled.
    """

    @abstractmethod
    def why_not(self) -> WhyNot | None:
        """Return the reason not to pack it at this moment; None exactly if it is clear to pack."""

    @property
    def clear_to_pack(self) -> Callable[[], bool]:
        """Say whether it may be packed for this journey at this moment. Call it, with parentheses.

        True only for the verdict `allowed`, before `expires_at`, with clocks that agree. Ask every time it
        matters: an answer from an hour ago may have expired. The traveler still has to meet `constraints`.
        """
        return _GreenLight(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("An answer is neither true nor false. Call clear_to_pack().")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("An answer is valid only in this process. Store answer.stored(), and ask again.")


class _GreenLight:
    """The question whether something is clear, to be called. Without the parentheses it is an error."""

    __slots__ = ("_light",)

    def __init__(self, light: Light) -> None:
        self._light = light

    def __call__(self) -> bool:
        return self._light.why_not() is None

    def __bool__(self) -> NoReturn:
        raise TypeError("The parentheses are missing: clear_to_pack().")
