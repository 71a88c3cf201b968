"""Connects the rooms when Django starts: Celery, the groups, and the steps after a publication."""

import gc
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.models.signals import post_migrate

from compliance.operations import job_counts


class ComplianceConfig(AppConfig):
    """The composition root as a Django app."""

    name = "compliance"
    verbose_name = "Compliance"

    def __init__(self, app_name: str, app_module: ModuleType | None) -> None:
        super().__init__(app_name, app_module)
        # All that is loaded from here to `ready` stays. Looking for garbage in it took a sixth of the time.
        gc.disable()

    def ready(self) -> None:
        """Create the Celery application in every process that starts Django."""
        import_module("compliance.celery")
        if settings.REDIS_URL:
            job_counts.connect()
        if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
            import_module("compliance.operations.tracing").begin()
        # Models can be imported only when all apps are loaded.
        from catalog.editorial import effects as catalog_effects
        from catalog.sources.signals import read_again
        from rules.analysis.tasks import note_soon
        from rules.impact import effects
        from rules.releases.signals import release_published
        from rules.watch.lost_quotes import refuse_one_reader

        release_published.connect(_send_for_pages)
        read_again.connect(refuse_one_reader)
        catalog_effects.effects_wanted.connect(effects.effects_wanted)
        catalog_effects.measuring_wanted.connect(effects.measuring_wanted)
        catalog_effects.approved.connect(note_soon)
        # This is the last app, so Django has already made the permissions of all apps.
        post_migrate.connect(_set_up_groups, sender=self)
        post_migrate.connect(_make_accounts, sender=self)
        post_migrate.connect(_give_rights, sender=self)
        checks.register(_roles_are_separate, checks.Tags.database)
        gc.freeze()
        gc.enable()


def _send_for_pages(**sent: Any) -> None:
    """Make pages and datasets follow a release that was just published."""
    from aeo.tasks import send_for_pages

    send_for_pages()


def _set_up_groups(*, using: str, **other: Any) -> None:
    # Permissions are made after migrations, so no migration could assign them.
    from compliance.signin.actions import set_up_groups

    set_up_groups(using=using)


def _make_accounts(**other: Any) -> None:
    """Make the accounts of programs as the owner: workers and the publisher may not add users."""
    from catalog.tables.actions.accounts import program_account
    from catalog.tables.programs import PROGRAMS

    for name in sorted(PROGRAMS):
        program_account(name)


def _give_rights(*, using: str, **other: Any) -> None:
    # Nobody has rights in a new table yet. Emptying a test database sends this signal too, without a plan.
    if "plan" in other:
        from compliance.database import grants

        grants.apply(connections[using])


def _roles_are_separate(*, databases: Sequence[str] | None = None, **other: Any) -> list[checks.CheckMessage]:
    """Warn of a public service whose processes are all the owner of the tables."""
    from compliance.database import grants

    absent = sorted(
        {role for using in databases or () for role in grants.missing(connections[using])}
        if settings.IS_PUBLIC
        else ()
    )
    return [
        checks.Warning(
            f"The database has no role for {', '.join(absent)}: these processes are the owner of all tables.",
            hint="docs/deployment/README.md, Roles of the database",
            id="compliance.W001",
        )
        for _ in absent[:1]
    ]
