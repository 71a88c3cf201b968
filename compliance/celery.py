"""The Celery application: `celery -A compliance worker`, `celery -A compliance beat`.

`compliance.apps` imports it with Django, so web processes and commands also send their tasks through it. Its
processes log as all others do. Lines about a job name it and the request that sent it.
"""

import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)
from django.conf import settings

from compliance.operations.logs import JOB, REQUEST_ID
from compliance.services import parent_death

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")

app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(
    [
        "compliance.channels.batch",
        "compliance.notices",
        "compliance.partners.webhooks",
        "compliance.records.idempotency",
        "compliance.records.use",
        "compliance.records.verdict_log",
        "compliance.signin",
        "compliance.teamwork.news",
        "compliance.teamwork.webhooks",
        "compliance.trip_watch",
    ]
)

# A new application is current only in the thread that made it. Without this line the threads of the web
# server would send their tasks to a default application, and so to a broker that does not exist.
app.set_default()


def _schedule(*, has_queue: bool, watches: bool) -> dict[str, dict[str, Any]]:
    """Return when each periodic job is due.

    Without a queue one process runs all of them, those of mails and webhooks beside the others.
    """
    schedule: dict[str, dict[str, Any]] = {
        "verify the ledger every night": {
            "task": "rules.tasks.verify_ledger",
            "schedule": crontab(hour=3, minute=0),
        },
        # If a worker dies, its job is lost with it.
        "continue interrupted measurements": {
            "task": "rules.tasks.take_up_measurements",
            "schedule": crontab(),
        },
        "note which second approvals are owed": {
            "task": "rules.tasks.note_owed_approvals",
            "schedule": 60.0 if has_queue else 15.0,
            "options": {"expires": 60},
        },
        "prove releases": {
            "task": "rules.tasks.take_up_proofs",
            "schedule": 60.0 if has_queue else 15.0,
            "options": {"expires": 60},
        },
        # Without a queue, it only stores the verdicts that killed processes left. If no worker takes the job
        # in time, the next job does the work.
        "write verdicts to the log": {
            "task": "compliance.tasks.drain_verdicts",
            "schedule": 2.0 if has_queue else 10.0,
            "options": {"expires": 10},
        },
        "delete old verdicts every night": {
            "task": "compliance.tasks.forget_verdicts_of_old",
            "schedule": crontab(hour=4, minute=30),
        },
        # Once a day, soon after it begins. It reads the records of a month.
        "count the flights that were asked about": {
            "task": "compliance.tasks.count_asked_flights",
            "schedule": crontab(minute=10),
        },
        "count what the service is used for": {
            "task": "compliance.records.use.tasks.count_use",
            "schedule": crontab(minute=15),
        },
        "delete old measurements every night": {
            "task": "rules.tasks.forget_measurements",
            "schedule": crontab(hour=3, minute=30),
        },
        "delete uncollected chunks every night": {
            "task": "compliance.batch.tasks.forget_chunks",
            "schedule": crontab(hour=3, minute=45),
        },
        "delete old visits every night": {
            "task": "rules.tasks.forget_visits",
            "schedule": crontab(hour=4, minute=0),
        },
        # After a release and when a day begins.
        "judge watched trips again": {
            "task": "compliance.trip_watch.tasks.catch_up",
            "schedule": 10.0,
            "options": {"expires": 10},
        },
        "delete watches that are over": {
            "task": "compliance.trip_watch.tasks.forget_watches",
            "schedule": crontab(minute=20),
        },
        "delete kept answers of yesterday": {
            "task": "compliance.records.idempotency.tasks.forget_kept_answers",
            "schedule": crontab(minute=25),
        },
        "mail links to the owners of locked names": {
            "task": "compliance.signin.tasks.mail_the_locked",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        "send mails": {
            "task": "compliance.notices.tasks.send",
            "schedule": 10.0,
            "options": {"expires": 10},
        },
        "tell people what waits for them": {
            "task": "compliance.teamwork.news.tasks.tell_people",
            "schedule": 30.0,
            "options": {"expires": 30},
        },
        "tell webhooks of the desk": {
            "task": "compliance.teamwork.webhooks.tasks.tell_webhooks",
            "schedule": 30.0,
            "options": {"expires": 30},
        },
        "delete old news every night": {
            "task": "compliance.teamwork.news.tasks.forget_news",
            "schedule": crontab(hour=4, minute=50),
        },
        "tell webhooks of releases": {
            "task": "compliance.webhooks.tasks.announce",
            "schedule": 10.0,
            "options": {"expires": 10},
        },
        "deliver webhooks": {
            "task": "compliance.webhooks.tasks.deliver",
            "schedule": 5.0,
            "options": {"expires": 5},
        },
        "delete old deliveries every night": {
            "task": "compliance.webhooks.tasks.forget_deliveries",
            "schedule": crontab(hour=4, minute=45),
        },
        # After a release, after a selection of pages, and when a day begins: rules start and end with days.
        "update pages and datasets": {"task": "aeo.tasks.catch_up", "schedule": 10.0},
    }
    if has_queue and watches:
        # Without a queue these would delay all other jobs for minutes: run `manage.py watch run` and
        # `manage.py feeds sync` separately.
        schedule |= {
            "visit the pages that are due": {
                "task": "rules.tasks.watch_sources",
                "schedule": crontab(minute="*/5"),
            },
            **{
                f"read the recalls of {feed} every night": {
                    "task": "recalls.tasks.sync_feed",
                    "args": [feed],
                    "schedule": crontab(hour=hour, minute=minute),
                }
                # At different times, and not on the full hour, when many others ask.
                for feed, hour, minute in (
                    ("cpsc", 4, 12),
                    ("health_canada", 4, 37),
                    ("safety_gate", 5, 8),
                    ("accc", 5, 43),
                )
            },
        }
    return schedule


app.conf.beat_schedule = _schedule(has_queue=bool(settings.REDIS_URL), watches=settings.WATCH_SOURCES)


@worker_process_init.connect
def _die_with_the_worker(**sent: object) -> None:
    """End a process with its worker: another worker gets its job, which must not be done twice."""
    parent_death.tie()


@setup_logging.connect
def _log_as_django_does(**sent: Any) -> None:
    """Keep the logging of the settings. Without a receiver Celery would set up its own."""


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
