"""The Django app `recalls`."""

from django.apps import AppConfig


class RecallsConfig(AppConfig):
    """Registers the app under its label."""

    name = "recalls"
    verbose_name = "Recalls"
