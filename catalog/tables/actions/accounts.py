"""Accounts of programs: every row names its author, also if a command wrote it."""

import logging

from django.contrib.auth.models import User
from django.db import transaction

from catalog.tables.programs import PROGRAMS

logger = logging.getLogger(__name__)


@transaction.atomic
def program_account(name: str) -> User:
    """Return the account of a program, such as the seed. No one can sign in as it.

    An account of that name that a person made, or woke up, is closed first. Raises `ValueError` for a name
    that is not in `PROGRAMS`: its account would not be protected.
    """
    if name not in PROGRAMS:
        raise ValueError(f"{name} is not the name of a program")
    account = User.objects.filter(username=name).first()
    if account is None:
        # It has no password and is inactive.
        return User.objects.create_user(name, password=None, is_active=False)
    if account.is_active or account.has_usable_password():
        logger.warning("The account %s of a program could be signed in to; it is closed.", name)
        account.is_active = account.is_staff = account.is_superuser = False
        account.set_unusable_password()
        account.save()
        account.groups.clear()
        account.user_permissions.clear()
    return account
