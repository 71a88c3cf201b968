"""A form whose sender is signed out: its fields come back on the page that says so, and nowhere else."""

import pytest

from tests.support.desk.visiting import Visitor, member

RULES = "/admin/rules/rule/"
HERE = {"origin": "http://testserver"}
WRITTEN = {"summary": "What took an hour.", "try-serial": "SN123456", "password": "secret-word"}


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def test_a_form_of_a_session_that_ended_is_kept_on_the_page_that_says_so(editor: Visitor) -> None:
    token = editor.token()
    editor.client.cookies.pop("sessionid")
    response = editor.client.post(f"{RULES}add/", WRITTEN | {"csrfmiddlewaretoken": token}, headers=HERE)

    page = response.content.decode()
    assert response.status_code == 403
    assert "You are signed out" in page
    assert '<input type="hidden" name="summary" value="What took an hour.">' in page
    assert f'action="{RULES}add/"' in page
    assert response.headers["Cache-Control"] == "private, no-store"


def test_a_form_with_an_old_token_is_kept(editor: Visitor) -> None:
    response = editor.client.post(f"{RULES}add/", WRITTEN | {"csrfmiddlewaretoken": "x" * 64}, headers=HERE)

    page = response.content.decode()
    assert response.status_code == 403
    assert "You signed in again after you opened that page." in page
    assert "What took an hour." in page


def test_passwords_and_serials_are_not_kept(editor: Visitor) -> None:
    page = editor.client.post(f"{RULES}add/", WRITTEN, headers=HERE).content.decode()

    assert "What took an hour." in page
    assert "SN123456" not in page
    assert "secret-word" not in page


@pytest.mark.parametrize("headers", [{}, {"origin": "https://evil.example"}, {"origin": "null"}])
def test_fields_of_another_site_are_never_offered(editor: Visitor, headers: dict[str, str]) -> None:
    page = editor.client.post(f"{RULES}add/", WRITTEN, headers=headers).content.decode()

    assert "What took an hour." not in page
    assert "csrfmiddlewaretoken" not in page


@pytest.mark.parametrize(
    "path", ["/admin/login/", "/admin/second-factor/code/", "/admin/password_change/", "/admin/logout/"]
)
def test_forms_of_signing_in_are_never_kept(editor: Visitor, path: str) -> None:
    page = editor.client.post(path, WRITTEN, headers=HERE).content.decode()

    assert "What took an hour." not in page


def test_the_session_says_how_long_it_lasts_and_which_token_its_forms_need(editor: Visitor) -> None:
    answer = editor.client.get("/admin/sessions/stay/").json()

    assert 0 < answer["seconds"] <= 3600 * 12
    sent = {"csrfmiddlewaretoken": answer["token"]}
    assert editor.client.post(f"{RULES}add/", sent).status_code == 200
