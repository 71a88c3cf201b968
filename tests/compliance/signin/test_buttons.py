"""Nothing in the admin changes by following a link: every button is a POST with a token."""

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, reset_queries
from django.test.utils import CaptureQueriesContext

from checks.hostile.addresses import admin_addresses, admin_patterns
from compliance.models import Partner
from compliance.partners.actions.keys import issue_key
from tests.support.desk.crawling import crawl, writes
from tests.support.desk.signing_in import with_app
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.partners import NOON
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.fixture
def boss(acme: Partner) -> Visitor:
    """A superuser in front of an admin that has rows of every kind."""
    build_world(by=a_user("editor"))
    issue_key(by=a_user("manager"), now=NOON, partner="acme")
    Group.objects.create(name="Readers")
    with_app(a_user("colleague"))
    User.objects.filter(username="colleague").update(is_staff=True)
    return Visitor(superuser=True)


def test_every_button_of_the_admin_is_a_post_with_a_token(boss: Visitor) -> None:
    pages = crawl(boss)
    found = [page.elements for page in pages]
    paths = {page.path for page in pages}
    colleague = User.objects.get(username="colleague").pk
    for path in ("partner/acme/rotate/", "partner/acme/close/"):
        assert f"/admin/compliance/{path}" in paths
    assert any(path.endswith("/revoke/") for path in paths)
    assert f"/admin/auth/user/{colleague}/reset-second-factor/" in paths

    # Following links and searching writes nothing.
    assert [(page.path, page.written) for page in pages if page.written] == []
    forms = [form for page in found for form in page.forms]
    assert {form.method for form in forms} == {"get", "post"}
    posting = [form for form in forms if form.method == "post"]
    assert [form for form in posting if not form.has_token] == []
    assert "/admin/logout/" in {form.target for form in posting}
    assert "/admin/logout/" not in {link for page in found for link in page.links}

    # Without the token each of them, and every other address, refuses.
    fields = {"action": "delete_selected", "_selected_action": "1", "post": "yes", "days": "1"}
    for path in sorted({*(form.target for form in posting), *admin_addresses()}):
        reset_queries()
        with CaptureQueriesContext(connection) as queries:
            refusal = boss.client.post(path, fields)
        assert refusal.status_code == 403, path
        assert "Please send it again" in refusal.content.decode(), path
        assert writes(queries) == [], path

    # And none of the pages needs what the policy of the admin refuses.
    assert [inline for page in found for inline in page.inline] == []
    loaded = {address for page in found for address in page.loaded}
    assert "/static/unfold/js/app.js" in loaded
    assert [address for address in loaded if not address.startswith(("/static/", "/admin/jsi18n/"))] == []


def test_no_address_of_the_admin_is_exempt_from_tokens() -> None:
    assert [path for path, found in admin_patterns() if getattr(found.callback, "csrf_exempt", False)] == []
