"""The header of every page of the desk."""

import pytest
from django.utils import timezone

from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")


def test_the_header_names_this_copy_and_the_current_release(db: None) -> None:
    boss = Visitor(superuser=True)
    assert "this machine · nothing published" in boss.page("/admin/catalog/device/")
    assert "Nothing is published yet" in boss.page("/admin/")

    build_world(by=a_user("author"))
    release = publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])

    assert f"this machine · release {release}" in boss.page("/admin/catalog/device/")
    assert "Editor desk" in boss.page("/admin/")
