"""The test world with one disagreement, written by one user and approved by another; nothing is published."""

import pytest
from django.contrib.auth.models import User

from rules.disagreements.actions import (
    approve_disagreements,
    draft_disagreement,
    submit_disagreements,
)
from tests.support.factories import a_disagreement

NAME = a_disagreement().id


@pytest.fixture
def approved(editor: User, reviewer: User) -> str:
    """A disagreement that the next release takes in."""
    draft_disagreement(by=editor, disagreement=a_disagreement())
    submit_disagreements(by=editor, disagreement_ids=[NAME])
    approve_disagreements(by=reviewer, disagreement_ids=[NAME])
    return NAME
