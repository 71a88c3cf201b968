"""The Django app `aeo`."""

from django.apps import AppConfig


class AeoConfig(AppConfig):
    """Registers the app under its label."""

    name = "aeo"
    verbose_name = "Answers and pages"
