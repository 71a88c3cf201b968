"""An airline by its code or its name, for the address of its policy and for the arguments of agents."""

from collections.abc import Sequence

from aeo.asking.names.which_airline import MeantAirline, meant_airline
from compliance.api.protocol.errors import ApiError
from rules.corpus import Published
from rules.engine.facts import Airline

NAMED_AT_MOST = 5
"""How many airlines a message lists."""

_WHY = {
    "flight": "A flight number does not say which airline operates the flight. It begins with the code of "
    "{airlines}. Send the airline that operates it.",
    "several": "This name may mean {airlines}. Let the traveler choose, and send the code.",
    "near": "No airline here has this name. Similar names: {airlines}. Let the traveler choose, and send the "
    "code.",
    "unknown": "No airline here has this name. Send the code on the ticket, or ask the airline itself.",
}


def code_meant(published: Published, text: str) -> str:
    """Return the IATA code of the airline that a text means; see `aeo.asking.names.which_airline`.

    Raises `ApiError` with the airlines that the text may mean.
    """
    meant = meant_airline(published, text)
    if not meant.code:
        raise ApiError("AIRLINE_NAME_UNKNOWN", why_unclear(meant))
    return meant.code


def why_unclear(meant: MeantAirline) -> str:
    """Return why a text means no airline, and which ones it may mean. The text is not repeated."""
    return _WHY[meant.why or "unknown"].format(airlines=listed(meant.offered))


def listed(airlines: Sequence[Airline]) -> str:
    """Return airlines with their codes, as a message lists them."""
    names = [f"{one.name} (`{one.airline}`)" for one in airlines[:NAMED_AT_MOST]]
    return f"{', '.join(names)}{', …' if len(airlines) > len(names) else ''}"
