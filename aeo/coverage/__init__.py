"""What can be decided, how that was read, and where an editor's hour helps most.

`deciding` says which airlines and countries can be decided, `queue` puts airlines and authorities in the
order in which reading them helps, and `asked` holds how often flights were asked about, which a job of the
verdict log counts once a day. `page` and `sections` show it to readers; `admin` is the editors' list "Read
next". Called by pages, the API, datasets and the desk.
"""

from aeo.coverage.deciding import TOPICS, Covered, Reach, airlines, countries

__all__ = ["TOPICS", "Covered", "Reach", "airlines", "countries"]
