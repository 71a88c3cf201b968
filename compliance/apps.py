"""Loads the Celery application with Django, so that every `@shared_task` belongs to it."""

from importlib import import_module

from django.apps import AppConfig


class ComplianceConfig(AppConfig):
    """The composition root as a Django app."""

    name = "compliance"
    verbose_name = "Compliance"

    def ready(self) -> None:
        """Create the Celery application in every process that starts Django."""
        import_module("compliance.celery")
