"""How the cases in force are answered by what would be published now, as the analysis last saw it.

Asking every case takes a second with a thousand rules and minutes with tens of thousands, so no list does it:
the analysis of the rows keeps its result here.
"""

import datetime
import logging

import msgspec
from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

KEY = "rules:case-results"


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The cases that failed at an instant, by their names, each with what came instead.

    `accepted` are those of them that two reviewers accepted as they fail.
    """

    as_of: datetime.datetime
    failing: dict[str, str]
    accepted: frozenset[str]


def keep(results: Results) -> None:
    """Keep the results for the list of cases."""
    cache.set(KEY, msgspec.json.encode(results), timeout=None)


def kept() -> Results | None:
    """Return the last results; None if there are none, or they cannot be read."""
    try:
        found = cache.get(KEY)
        return None if found is None else msgspec.json.decode(found, type=Results)
    except RedisError as error:
        logger.warning("The last results of the verdict cases cannot be read: %s", error)
    except msgspec.DecodeError:
        logger.info("The last results of the verdict cases are from another version of this program.")
    return None
