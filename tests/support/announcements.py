"""Announcements of rules that are there, as if they had come from one notice."""

import uuid
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils import timezone

from rules.models import AnnouncedRule, Announcement, Rule


def an_announcement(*, by: User, rules: Iterable[Rule]) -> Announcement:
    """Make revisions belong to the announcement of these tests."""
    made, _ = Announcement.objects.get_or_create(
        title="Northwing: Power banks",
        defaults={"key": uuid.uuid4(), "created_at": timezone.now(), "created_by": by},
    )
    AnnouncedRule.objects.bulk_create(AnnouncedRule(announcement=made, rule=rule) for rule in rules)
    return made
