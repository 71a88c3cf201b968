"""Rows that a program wrote say so, and the program's account opens no door."""

import pytest
from django.contrib.auth.hashers import is_password_usable

from catalog.tables.actions.accounts import program_account


@pytest.mark.django_db
def test_no_one_can_sign_in_as_a_program() -> None:
    account = program_account("command-line")

    assert not account.is_active
    assert not is_password_usable(account.password)
    assert program_account("command-line") == account
