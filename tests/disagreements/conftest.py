"""The test world with one disagreement, written by one user and approved by another; nothing is published."""

import pytest
from django.contrib.auth.models import User

from rules.disagreements.actions import (
    approve_disagreements,
    draft_disagreement,
    submit_disagreements,
)
from tests.factories import a_disagreement, a_user
from tests.world import APPROVER, build_world

NAME = a_disagreement().id


@pytest.fixture
def editor(db: None) -> User:
    """Who wrote the test world."""
    editor = a_user()
    build_world(by=editor)
    return editor


@pytest.fixture
def reviewer(editor: User) -> User:
    """Who approved it."""
    return a_user(APPROVER)


@pytest.fixture
def approved(editor: User, reviewer: User) -> str:
    """A disagreement that the next release takes in."""
    draft_disagreement(by=editor, disagreement=a_disagreement())
    submit_disagreements(by=editor, disagreement_ids=[NAME])
    approve_disagreements(by=reviewer, disagreement_ids=[NAME])
    return NAME
