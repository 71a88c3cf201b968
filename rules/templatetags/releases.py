"""What templates of the desk ask about releases."""

from django import template

from rules.releases.models import Release

register = template.Library()


@register.simple_tag
def release_exists() -> bool:
    """Return whether there is a release that a change can be compared with."""
    return Release.objects.exists()
