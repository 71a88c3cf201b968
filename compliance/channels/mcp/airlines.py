"""Airlines in the arguments of tools: people name them, and the API's readers take their IATA codes.

A name that means one airline is replaced by its code before the API's reader sees the argument. All other
texts are a gap: the agent asks the person. A flight number names the seller (`marketing_airline`) and never
the airline that flies.
"""

from typing import Annotated, Any

from msgspec import Meta

from aeo.asking.names.which_airline import meant_airline
from compliance.api.protocol.errors import ApiError
from compliance.api.reads.airline_names import why_unclear
from compliance.channels.mcp.calls import Arguments, Gap, ToolStep, Unanswered
from rules.corpus import Published

AIRLINE_ABOUT = "IATA code, such as `EK`, ICAO code, or name in any of eight languages."

AirlineName = Annotated[str, Meta(min_length=1, max_length=100, description=AIRLINE_ABOUT, examples=["EK"])]

_LISTS = ("legs", "segments")
_FLIES = ("airline", "operating_airline")
_SELLS = "marketing_airline"

_ASK = ToolStep(
    "ask_which_airline", "Ask the person which airline operates the flight.", tool="get_airline_policy"
)
_OPEN = {"several": "SEVERAL_AIRLINES", "flight": "operating_airline_unconfirmed"}
"""What is open, as codes for programs."""


def with_codes(arguments: Arguments, published: Published) -> Arguments:
    """Return the arguments of a tool that judges, with codes in place of names.

    Values that are no text stay: the reader refuses them. Raises `Unanswered` and `ApiError`.
    """
    coded = _coded(arguments, published)
    for name in _LISTS:
        if isinstance(listed := coded.get(name), list):
            coded[name] = [_coded(one, published) if isinstance(one, dict) else one for one in listed]
    return coded


def code_of(text: str, published: Published, *, sells: bool = False) -> str:
    """Return the code of the airline that a text means. Raises `Unanswered` and `ApiError`.

    `sells`: the airline whose number is on the ticket; a flight number is enough.
    """
    meant = meant_airline(published, text)
    if meant.code:
        return meant.code
    if meant.why == "flight" and sells:
        return meant.offered[0].airline
    if meant.why in _OPEN:
        raise Unanswered(Gap(_OPEN[meant.why], why_unclear(meant), _ASK))
    raise ApiError("AIRLINE_NAME_UNKNOWN", why_unclear(meant))


def _coded(fields: dict[str, Any], published: Published) -> dict[str, Any]:
    return {
        name: code_of(value, published, sells=name == _SELLS)
        if name in (*_FLIES, _SELLS) and isinstance(value, str) and value.strip()
        else value
        for name, value in fields.items()
    }
