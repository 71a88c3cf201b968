"""Whatever is changed in an answer that is clear: it stays clear only where nothing that counts changed."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.clients.made_up import ALLOWED, FLIGHT, JOURNEY, PASS, read, reply, vector
from tests.clients.playing import Stage

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)

DECIDES = {"verdict", "recall_status", "model_id", "origin", "destination", "airline", "index"}
"""Fields with one value that is clear for a question, wherever they stand."""


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value in a body."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for name, part in inner for found in ((*way, name), *places(part, (*way, name)))]


def replaced(body: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    if isinstance(body, list):
        return [replaced(part, way[1:], value) if at == way[0] else part for at, part in enumerate(body)]
    return {name: replaced(part, way[1:], value) if name == way[0] else part for name, part in body.items()}


def is_clear(body: Any, request: dict[str, Any]) -> bool:
    clear = Stage(vector("changed", "", reply(body), read(None), request=request)).ask().clear_to_pack()
    assert isinstance(clear, bool)
    return clear


@given(st.data())
def test_a_value_that_counts_cannot_become_another(data: st.DataObject) -> None:
    body, request = data.draw(st.sampled_from([(ALLOWED, FLIGHT), (PASS, JOURNEY)]))
    way = data.draw(st.sampled_from(places(body)))
    value = data.draw(JSON)
    clear = is_clear(replaced(body, way, value), request)
    if way[-1] in DECIDES:
        # To Python, true and 1.0 are 1; to whoever reads JSON they are not.
        assert not clear or json.dumps(value) == json.dumps(found(body, way))


def found(body: Any, way: tuple[Any, ...]) -> Any:
    return found(body[way[0]], way[1:]) if way else body


@given(JSON)
def test_no_other_body_is_an_answer(body: Any) -> None:
    assert not is_clear(body, FLIGHT)
    assert not is_clear(body, JOURNEY)


@given(st.text(max_size=30))
def test_no_other_word_is_a_permission(word: str) -> None:
    clear = is_clear({**ALLOWED, "verdict": word}, FLIGHT)
    assert clear == (word == "allowed")
