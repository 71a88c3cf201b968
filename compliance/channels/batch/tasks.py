"""Jobs of bulk verification."""

import datetime

from celery import shared_task
from django.utils import timezone

from catalog.chunks import actions
from compliance.channels.batch.worker import do_one

KEPT_DAYS = 2


@shared_task(name="compliance.batch.tasks.verify_chunk")
def verify_chunk(work_id: int) -> bool:
    """Answer the rows of one chunk. A superfluous job finds nothing to do; a kill does no harm."""
    return do_one(work_id)


@shared_task(name="compliance.batch.tasks.forget_chunks")
def forget_chunks() -> int:
    """Remove chunks that no run collected, and return how many."""
    return actions.forget_before(timezone.now() - datetime.timedelta(days=KEPT_DAYS))
