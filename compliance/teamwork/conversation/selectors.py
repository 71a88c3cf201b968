"""Reads what is assigned to a person."""

import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import F
from django.urls import reverse

from compliance.teamwork import topics
from compliance.teamwork.conversation.models import Assignment

MOST = 500
"""How many assignments of a person are read."""


class Assigned(NamedTuple):
    """Something that is assigned: its name, who assigned it, the day, and the address that leads there."""

    pk: int
    name: str
    by: str
    due: datetime.date | None
    link: str


def assigned_to(user: User) -> list[Assigned]:
    """Return what is assigned to a person and they may see, what is due first. One query."""
    found = Assignment.objects.filter(assignee=user).select_related("created_by")
    return [
        Assigned(
            pk=one.pk,
            name=one.name,
            by=one.created_by.get_username(),
            due=one.due,
            link=reverse("teamwork:go", args=[one.kind, one.subject]),
        )
        for one in found.order_by(F("due").asc(nulls_last=True), "pk")[:MOST]
        if topics.sees(user, one.kind)
    ]
