"""The Django app `rules`."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """Registers the app under its label."""

    name = "rules"
    verbose_name = "Rules"
