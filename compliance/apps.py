"""Ties the rooms together when Django starts: the Celery application, and what follows a publishing."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig


class ComplianceConfig(AppConfig):
    """The composition root as a Django app."""

    name = "compliance"
    verbose_name = "Compliance"

    def ready(self) -> None:
        """Create the Celery application in every process that starts Django."""
        import_module("compliance.celery")
        from rules.signals import release_published

        release_published.connect(_recompute_pages)


def _recompute_pages(**sent: Any) -> None:
    """Bring the records of the indexed pages in line with a release that was just published."""
    # Models can be imported only once all apps are there.
    from aeo.tasks import recompute_pages

    recompute_pages.delay()
