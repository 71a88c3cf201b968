"""What templates of the desk ask about releases."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from rules.publishing.chosen import may_be_chosen
from rules.releases.models import Release

register = template.Library()


@register.simple_tag
def release_exists() -> bool:
    """Return whether there is a release that a change can be compared with."""
    return Release.objects.exists()


@register.simple_tag
def address_to_publish_alone(user: Any, row: Any, newest: Any) -> str:
    """Return where a user publishes a revision as an emergency; "" if that is not offered.

    `newest` is a newer revision of the record, if there is one.
    """
    if not may_be_chosen(row, newest) or not may(user, EditorAction.PUBLISH, Release):
        return ""
    query = urlencode({row._meta.model_name: row.stable_id})
    return f"{reverse('admin:rules_release_alone')}?{query}"
