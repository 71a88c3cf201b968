"""Stores lines in the table. Called by `shipping`, which has files, and `draining`, which has batches."""

import logging

from django.db import DataError, IntegrityError
from django.db.backends.base.base import BaseDatabaseWrapper

from compliance.operations import metrics
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.actions import record_verdicts
from compliance.records.verdict_log.entries import Entry

logger = logging.getLogger(__name__)


def store(data: bytes, database: BaseDatabaseWrapper) -> int:
    """Record the entries of some lines, and return how many verdicts are new. Raises `django.db.Error`.

    An incomplete line is counted and left out: its answer never left, or was counted as not recorded.
    """
    found, unreadable = entries.read(data)
    if unreadable:
        metrics.VERDICT_LINES_UNREADABLE.inc(unreadable)
        logger.warning("%d incomplete lines of the verdict log are left out.", unreadable)
    if not found:
        return 0
    try:
        return record_verdicts(rows=entries.rows(found), database=database)
    except (DataError, IntegrityError):
        # One row that the table refuses does not block the others.
        return sum(_store_one(entry, database) for entry in found)


def _store_one(entry: Entry, database: BaseDatabaseWrapper) -> int:
    try:
        return record_verdicts(rows=entries.rows([entry]), database=database)
    except (DataError, IntegrityError) as error:
        metrics.VERDICT_LINES_UNREADABLE.inc()
        logger.critical("The table refuses the record of %s (%s).", entry.verdict_id, type(error).__name__)
        return 0
