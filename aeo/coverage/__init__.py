"""What can be decided, how the sources were read, and where an editor's hour helps most.

`deciding` says which airlines and countries can be decided. `queue` sorts airlines and authorities by how
much reading them helps. `asked` knows how often verdicts on flights were requested; a job of the verdict log
counts this once a day. `page` and `sections` show all of it to readers; `admin` is the editors' list "Read
next". Called by pages, the API, datasets and the desk.
"""

from aeo.coverage.deciding import TOPICS, Covered, Reach, airlines, countries

__all__ = ["TOPICS", "Covered", "Reach", "airlines", "countries"]
