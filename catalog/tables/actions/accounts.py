"""Accounts of programs: rows say who wrote them, also where that was a command."""

from django.contrib.auth.models import User
from django.db import transaction


@transaction.atomic
def program_account(name: str) -> User:
    """Return the account of a program, such as the seed. Nobody can sign in as it."""
    account = User.objects.filter(username=name).first()
    # Without a password, and inactive, it opens no door.
    return account or User.objects.create_user(name, password=None, is_active=False)
