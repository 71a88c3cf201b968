"""Two who publish at once, on connections of their own."""

import threading

import pytest
from django.http import HttpResponse

from rules.cases import Case
from rules.models import Release
from tests.rules.publishing.test_screens import PUBLISH, Browser, cases, form_on
from tests.support.desk.publishing import answered
from tests.support.desk.visiting import TOKEN
from tests.support.factories import a_user
from tests.support.releasing import elsewhere
from tests.support.world import build_world

__all__ = ["cases"]

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.fixture
def committed(committing_db: None, cases: list[Case]) -> None:
    """The test world where other connections see it."""
    build_world(by=a_user())


def test_of_two_publishers_at_once_one_wins_and_the_other_is_told(committed: None) -> None:
    browsers = [Browser("Publisher", name) for name in ("ann", "bob")]
    pages = [browser.page(PUBLISH) for browser in browsers]
    start = threading.Barrier(2)

    def publish(browser: Browser, page: str) -> HttpResponse:
        fields = form_on(page) | {"note": f"By {browser.user}."}
        token = TOKEN.search(page)
        assert token is not None
        start.wait(20)
        return answered(
            browser.client, browser.client.post(PUBLISH, {**fields, "csrfmiddlewaretoken": token[1]})
        )

    both = [
        elsewhere(lambda browser=browser, page=page: publish(browser, page))  # type: ignore[misc]
        for browser, page in zip(browsers, pages, strict=True)
    ]
    answers = [one.result(60) for one in both]

    release = Release.objects.get()
    winner = [answer.status_code for answer in answers].index(302)
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    assert release.published_by == browsers[winner].user
    assert f"{release.published_by} published release {release}" in answers[1 - winner].content.decode()
