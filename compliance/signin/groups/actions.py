"""Bringing the groups of the table into the database."""

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat

from compliance.signin.groups.table import GROUPS


@transaction.atomic
def set_up_groups(*, using: str = "default") -> None:
    """Make the groups what the table says. Who belongs to them is not touched.

    `using` names the database; every migration calls this for its own.
    """
    named = Concat("content_type__app_label", Value("."), "codename")
    permissions = dict(Permission.objects.using(using).annotate(name_of=named).values_list("name_of", "pk"))
    for name, wanted in GROUPS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.set([permissions[one] for one in sorted(wanted & permissions.keys())])
