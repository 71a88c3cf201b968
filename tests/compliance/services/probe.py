"""Jobs for the worker under test."""

from celery import shared_task
from django.core.cache import cache
from django.db import connection


@shared_task
def leave_a_note(name: str) -> None:
    """Write to the shared cache which database the worker talks to, and whether it pools."""
    with connection.cursor() as cursor:
        cursor.execute("select current_database()")
        (database,) = cursor.fetchone()
    cache.set(name, [database, "pool" in connection.settings_dict.get("OPTIONS", {})])


@shared_task
def line_up(name: str) -> None:
    """Add a name to the line of those that were called. One worker calls them."""
    cache.set("line", [*cache.get("line", []), name])
