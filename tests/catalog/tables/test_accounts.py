"""Rows that a program wrote say so, and the program's account opens no door."""

import pytest
from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import User

from catalog.tables.actions.accounts import program_account
from catalog.tables.programs import PROGRAMS


@pytest.mark.django_db
def test_no_one_can_sign_in_as_a_program() -> None:
    account = program_account("command-line")

    assert not account.is_active
    assert not is_password_usable(account.password)
    assert program_account("command-line") == account


@pytest.mark.django_db
def test_all_programs_have_accounts_from_the_beginning() -> None:
    # Workers and the publisher have no right to add users.
    assert {*User.objects.filter(username__in=PROGRAMS).values_list("username", flat=True)} == PROGRAMS
