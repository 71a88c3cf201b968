"""The actions of the verdict log: record verdicts, and delete them when they are old enough."""

import datetime

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

# An entry that is already stored counts once.
RECORD = """
INSERT INTO compliance_verdictrecord (
    entry_id, verdict_id, segment_ids, kind, channel, question, serial_given, recall_status, release_sha256,
    ruleset_version, verdict, language, generated, expires, partner, recorded
)
SELECT entry.*, now() FROM jsonb_to_recordset(%s::jsonb) AS entry (
    entry_id uuid, verdict_id text, segment_ids text[], kind text, channel text, question jsonb,
    serial_given text, recall_status text, release_sha256 text, ruleset_version text, verdict text,
    language text, generated timestamptz, expires timestamptz, partner text
)
ON CONFLICT (entry_id) DO NOTHING
"""

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
        return cursor.rowcount


def forget_verdicts(*, before: datetime.datetime) -> int:
    """Delete the records of verdicts that were given before an instant, and return how many.

    It uses many small transactions: a kill does no harm, and the next run continues.
    """
    total = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(FORGET, [before, FORGET_AT_ONCE])
            total += cursor.rowcount
            if cursor.rowcount < FORGET_AT_ONCE:
                return total
