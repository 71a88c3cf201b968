"""Whether a line is about what is watched. Such a line is never left out as a menu, a banner or noise."""

import re

_LIMIT = re.compile(
    r"\d\s*(?:[mk]?wh|m?ah|watt|g(?:rams?)?\b|瓦|毫安|安培|ワット|와트|밀리암)", re.IGNORECASE
)
_BATTERIES = re.compile(
    r"batter|power\s?bank|lithium|litio|akku|ladeger|chargeu?r|cargador"
    r"|充[电電]|[行移][动動][电電]源|[锂鋰]|[电電]池|リチウム|バッテリー|배터리|리튬|충전",
    re.IGNORECASE,
)


def gives_a_limit(text: str) -> bool:
    """Return whether a line names a figure of energy, charge or lithium."""
    return _LIMIT.search(text) is not None


def speaks_of_batteries(text: str) -> bool:
    """Return whether a line names batteries or devices with batteries, in one of the languages of sources."""
    return _BATTERIES.search(text) is not None
