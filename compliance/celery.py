"""The Celery application: `celery -A compliance worker`, `celery -A compliance beat`.

`compliance.apps` imports it with Django, so web processes and commands send their tasks through it as well.
Its processes log as all others do, and lines about a job name it and the request that sent for it.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)

from compliance.operations.logs import JOB, REQUEST_ID
from compliance.services import parent_death

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")

app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(
    [
        "compliance.channels.batch",
        "compliance.partners.webhooks",
        "compliance.records.verdict_log",
        "compliance.trip_watch",
    ]
)

# A new application is current only in the thread that made it. Without this line the threads of the web
# server would send their tasks to a default application, and so to a broker that nobody runs.
app.set_default()


@worker_process_init.connect
def _die_with_the_worker(**sent: object) -> None:
    """End with the worker that a process belongs to: its job is given to another one, and not done twice."""
    parent_death.tie()


@setup_logging.connect
def _log_as_django_does(**sent: Any) -> None:
    """Keep the logging of the settings. Without a receiver Celery would set up one of its own."""


@before_task_publish.connect
def _send_request_id(headers: dict[str, Any] | None = None, **sent: Any) -> None:
    if headers is not None and (request_id := REQUEST_ID.get()):
        headers["request_id"] = request_id


@task_prerun.connect
def _name_job(task: Any = None, **sent: Any) -> None:
    request_id = getattr(task.request, "request_id", None) or REQUEST_ID.get()
    task.request.compliance_named = JOB.set(task.name), REQUEST_ID.set(request_id)


@task_postrun.connect
def _name_no_job(task: Any = None, **sent: Any) -> None:
    job, request_id = task.request.compliance_named
    JOB.reset(job)
    REQUEST_ID.reset(request_id)
