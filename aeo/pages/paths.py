"""The addresses of pages below the site's base. Ids and codes in them are lower case."""

from django.utils.text import slugify


def model_path(model_id: str) -> str:
    """Return the address of a model's page."""
    return f"/models/{model_id}"


def airline_path(code: str) -> str:
    """Return the address of an airline's page."""
    return f"/airlines/{code.lower()}"


def country_path(code: str) -> str:
    """Return the address of a country's page."""
    return f"/countries/{code.lower()}"


def recall_path(recall_id: str) -> str:
    """Return the address of a recall's page."""
    return f"/recalls/{recall_id}"


def brand_path(name: str) -> str:
    """Return the address of a brand's hub below the site's base."""
    return f"/brands/{slugify(name)}"
