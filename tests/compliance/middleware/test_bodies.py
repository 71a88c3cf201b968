"""How much a request to the admin may carry, refused before any of it is read."""

import io
from typing import Any

import pytest
from django.test import Client

from compliance.middleware.admin import MOST_BYTES_OF_OTHERS, MOST_BYTES_OF_STAFF
from tests.support.desk.visiting import Visitor

LOGIN, IMPORT = "/admin/login/", "/admin/catalog/device/import/"


class Untouched(io.RawIOBase):
    """A body that nobody may read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("the body was read")


def send(client: Client, path: str, length: int) -> int:
    """Announce a form of that many bytes; return the status of the answer."""
    # Whoever has no cookie is refused unread; anybody can make one up.
    client.cookies["csrftoken"] = "a" * 32
    announced: dict[str, Any] = {"wsgi.input": Untouched(), "CONTENT_LENGTH": str(length)}
    return client.post(path, **announced).status_code


@pytest.mark.parametrize("path", [LOGIN, IMPORT, "/admin/nothing/"])
def test_before_a_person_has_signed_in_little_is_taken(db: None, path: str) -> None:
    client = Client(enforce_csrf_checks=True, headers={"accept": "text/html"})
    assert send(client, path, MOST_BYTES_OF_OTHERS + 1) == 413
    # One byte less, and somebody looks into it.
    with pytest.raises(AssertionError, match="was read"):
        send(client, path, MOST_BYTES_OF_OTHERS)


def test_staff_may_send_a_file_and_no_more(db: None) -> None:
    client = Visitor(superuser=True).client
    assert send(client, IMPORT, MOST_BYTES_OF_STAFF + 1) == 413
    with pytest.raises(AssertionError, match="was read"):
        send(client, IMPORT, MOST_BYTES_OF_STAFF)


def test_a_form_with_thousands_of_fields_or_several_files_is_refused(db: None) -> None:
    visitor = Visitor(superuser=True)
    token = visitor.token()
    crowd = visitor.client.post(
        "/admin/password_change/", {"csrfmiddlewaretoken": token} | {f"f{at}": "1" for at in range(20_001)}
    )
    assert crowd.status_code == 400
    files = {name: io.BytesIO(b"x") for name in ("file", "other", "third")}
    assert visitor.client.post(IMPORT, {"csrfmiddlewaretoken": token} | files).status_code == 400
