"""What lists of the desk show of conversations: how many comments there are, and who is assigned."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.db.models import Count

from compliance.teamwork.conversation.models import Assignment, Comment

register = template.Library()


@register.simple_tag
def conversations(kind: str, listed: Iterable[Any]) -> dict[str, str]:
    """Return in a few words what people said about topics, by key: the `name` of each. Two queries."""
    keys = [one.name for one in listed]
    said = Comment.objects.filter(kind=kind, subject__in=keys, removed_at=None).order_by()
    counts = dict(said.values_list("subject").annotate(Count("pk")))
    assigned = Assignment.objects.filter(kind=kind, subject__in=keys)
    words = {key: f"{count} comment{'' if count == 1 else 's'}" for key, count in counts.items()}
    for key, person in assigned.values_list("subject", "assignee__username"):
        words[key] = ", ".join(filter(None, [words.get(key), f"assigned to {person}"]))
    return words


@register.simple_tag
def said_about(words: Mapping[str, str], key: str) -> str:
    """Return those words about one topic."""
    return words.get(key, "Comment or assign")
