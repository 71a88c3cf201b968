"""How often flights were asked about, counted from the table. Reads the rows of some days once.

Called by the job that keeps the count; never by a request, for it takes seconds where there are millions of
rows.
"""

import datetime

from django.db import connection

from aeo.coverage.asked import Asked

# A trip counts each of its flights.
COUNT = """
SELECT leg->>'airline', leg->>'origin', leg->>'destination', count(*)
FROM compliance_verdictrecord
CROSS JOIN LATERAL jsonb_array_elements(
    COALESCE(question->'legs', jsonb_build_array(question->'leg'))
) AS leg
WHERE generated >= %s AND generated < %s
GROUP BY 1, 2, 3
"""


def asked_flights(*, since: datetime.datetime, before: datetime.datetime) -> list[Asked]:
    """Return how many flights of each airline between each two countries were asked about in a span."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [since, before])
        return [Asked(*row) for row in cursor.fetchall()]
