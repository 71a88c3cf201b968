"""Connects the rooms when Django starts: Celery, the groups, and the steps after a publication."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate

from compliance.operations import job_counts


class ComplianceConfig(AppConfig):
    """The composition root as a Django app."""

    name = "compliance"
    verbose_name = "Compliance"

    def ready(self) -> None:
        """Create the Celery application in every process that starts Django."""
        import_module("compliance.celery")
        if settings.REDIS_URL:
            job_counts.connect()
        if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
            import_module("compliance.operations.tracing").begin()
        # Models can be imported only when all apps are loaded.
        from catalog.sources.signals import read_again
        from rules.releases.signals import release_published
        from rules.watch.lost_quotes import refuse_one_reader

        release_published.connect(_send_for_pages)
        read_again.connect(refuse_one_reader)
        # This is the last app, so Django has already made the permissions of all apps.
        post_migrate.connect(_set_up_groups, sender=self)


def _send_for_pages(**sent: Any) -> None:
    """Make pages and datasets follow a release that was just published."""
    from aeo.tasks import send_for_pages

    send_for_pages()


def _set_up_groups(*, using: str, **other: Any) -> None:
    # Permissions are made after migrations, so no migration could assign them.
    from compliance.signin.actions import set_up_groups

    set_up_groups(using=using)
