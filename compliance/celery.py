"""The Celery application: `celery -A compliance worker`, `celery -A compliance beat`.

`compliance.apps` imports it with Django, so web processes and commands send their tasks through it as well.
"""

import os

from celery import Celery
from celery.signals import worker_process_init

from compliance.services import tied

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")

app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A new application is current only in the thread that made it. Without this line the threads of the web
# server would send their tasks to a default application, and so to a broker that nobody runs.
app.set_default()


@worker_process_init.connect
def _die_with_the_worker(**sent: object) -> None:
    """End with the worker that a process belongs to: its job is given to another one, and not done twice."""
    tied.tie()
