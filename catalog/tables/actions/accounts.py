"""Accounts of programs: every row names its author, also if a command wrote it."""

from django.contrib.auth.models import User
from django.db import transaction


@transaction.atomic
def program_account(name: str) -> User:
    """Return the account of a program, such as the seed. No one can sign in as it."""
    account = User.objects.filter(username=name).first()
    # It has no password and is inactive, so no one can sign in with it.
    return account or User.objects.create_user(name, password=None, is_active=False)
