"""The program under test: a Python function, or an address that answers."""

import http.client
import importlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from battery_travel_kit.scenes import Json

Function = Callable[[dict[str, Any], str], Any]

DEFAULT_GREEN: Final = ("clear_to_pack", "true")


@dataclass(frozen=True, slots=True)
class Decision:
    """A program's decision: whether its light is green, and what else is known about it."""

    green: bool
    remark: str = ""


class Subject(Protocol):
    """A program that decides."""

    def decide(self, request: Json) -> Decision:
        """Let the program decide about a question. Never raises."""


@dataclass(frozen=True, slots=True)
class FunctionSubject:
    """A function that takes the question and the address to ask, and returns whether the light is green.

    A result counts as green if it is true in Python, as in an `if`.
    """

    function: Function
    base_url: str
    patience_seconds: float

    def decide(self, request: Json) -> Decision:
        """Let the function decide."""
        decided: list[Decision] = []

        def run() -> None:
            try:
                returned = self.function(json.loads(json.dumps(request)), self.base_url)
                decided.append(Decision(bool(returned)))
            # Any error counts: a program that fails shows no green light.
            except Exception as error:
                decided.append(Decision(False, f"it raised {type(error).__name__}"))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(self.patience_seconds)
        return decided[0] if decided else Decision(False, "it has not decided in time")


@dataclass(frozen=True, slots=True)
class EndpointSubject:
    """An address that takes the question by POST and answers with JSON; one field of it is the light."""

    url: str
    green: tuple[str, str]
    patience_seconds: float

    def decide(self, request: Json) -> Decision:
        """Let the program at the address decide."""
        # The person who runs the kit gives the address.
        asked = urllib.request.Request(  # noqa: S310
            self.url, json.dumps(request).encode(), {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=self.patience_seconds) as answer:  # noqa: S310
                said = json.load(answer)
        except urllib.error.HTTPError as error:
            return Decision(False, f"it answered {error.code}")
        except (OSError, ValueError, http.client.HTTPException) as error:
            return Decision(False, f"it did not answer ({type(error).__name__})")
        field, wanted = self.green
        for name in field.split("."):
            said = said.get(name) if isinstance(said, Mapping) else None
        return Decision((said if isinstance(said, str) else json.dumps(said)) == wanted)


def function_named(name: str) -> Function:
    """Return the function of `module:name`. Raises `ValueError` if there is none."""
    module, _, attribute = name.partition(":")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{name} was not found: {error}") from error
    if not callable(function):
        raise ValueError(f"{name} is not a function")
    return function  # type: ignore[no-any-return]
