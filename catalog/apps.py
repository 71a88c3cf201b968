"""The Django app `catalog`."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    """Registers the app under its label."""

    name = "catalog"
    verbose_name = "Catalog"
