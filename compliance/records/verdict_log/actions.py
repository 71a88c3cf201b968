"""The actions of the verdict log: record verdicts, and delete them when they are old enough."""

import datetime

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

# An entry that is already stored counts once. Days are counted in one order, so that two processes that count
# the same ones wait for each other in turn.
RECORD = """
WITH recorded AS (INSERT INTO compliance_verdictrecord (
    entry_id, verdict_id, segment_ids, kind, channel, question, serial_given, recall_status, release_sha256,
    ruleset_version, verdict, language, generated, expires, partner, recorded
)
SELECT entry.*, now() FROM jsonb_to_recordset(%s::jsonb) AS entry (
    entry_id uuid, verdict_id text, segment_ids text[], kind text, channel text, question jsonb,
    serial_given text, recall_status text, release_sha256 text, ruleset_version text, verdict text,
    language text, generated timestamptz, expires timestamptz, partner text
)
ON CONFLICT (entry_id) DO NOTHING
RETURNING partner, generated
), used AS (
INSERT INTO compliance_keyusage AS known (key, day, verdicts)
SELECT partner, (generated AT TIME ZONE 'UTC')::date, count(*) FROM recorded
WHERE partner <> '' GROUP BY 1, 2 ORDER BY 1, 2
ON CONFLICT (key, day) DO UPDATE SET verdicts = known.verdicts + excluded.verdicts
)
SELECT count(*) FROM recorded
"""

FORGET_USAGE = "DELETE FROM compliance_keyusage WHERE day < %s"

FORGET = """
DELETE FROM compliance_verdictrecord WHERE entry_id IN (
    SELECT entry_id FROM compliance_verdictrecord WHERE generated < %s ORDER BY generated LIMIT %s
    FOR UPDATE SKIP LOCKED
)
"""

FORGET_AT_ONCE = 5000
"""How many rows one transaction deletes: no other transaction waits long for it."""


def record_verdicts(*, rows: str, database: BaseDatabaseWrapper) -> int:
    """Record verdicts, all or none of them, and return how many were not recorded before.

    `rows` is a JSON list of `compliance.records.verdict_log.entries.Entry`. Raises `django.db.Error`.
    """
    with database.cursor() as cursor:
        cursor.execute(RECORD, [rows])
        (new,) = cursor.fetchone()
    return int(new)


def forget_verdicts(*, before: datetime.datetime) -> int:
    """Delete the records of verdicts that were given before an instant, and return how many.

    The use of keys on earlier days is deleted with them. It uses many small transactions: a kill
    does no harm, and the next run continues.
    """
    total = 0
    with connection.cursor() as cursor:
        cursor.execute(FORGET_USAGE, [before.astimezone(datetime.UTC).date()])
    while True:
        with connection.cursor() as cursor:
            cursor.execute(FORGET, [before, FORGET_AT_ONCE])
            total += cursor.rowcount
            if cursor.rowcount < FORGET_AT_ONCE:
                return total
