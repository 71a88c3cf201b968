"""The page on which reviewers accept findings keeps what they typed."""

import pytest
from django.utils import timezone

from rules.analysis.report import refresh
from rules.models import AcceptedFinding
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

ACCEPT = "/admin/findings/accept/"


@pytest.fixture
def reviewer(db: None) -> Visitor:
    publish_release(by=a_user("publisher"), note="The first.", now=timezone.now(), cases=())
    refresh(timezone.now())
    return member("Reviewer")


def two_findings(reviewer: Visitor) -> list[str]:
    parts = reviewer.page("/admin/findings/").split('name="finding" value="')[1:]
    first, second, *_ = [part.partition('"')[0] for part in parts]
    return [first, second]


def test_a_reason_stays_if_one_of_the_findings_was_accepted_meanwhile(reviewer: Visitor) -> None:
    first, second = two_findings(reviewer)
    assert reviewer.post(f"{ACCEPT}?finding={first}", reason="So it is.").status_code == 302
    refused = reviewer.post(f"{ACCEPT}?finding={first}&finding={second}", reason="My own words.")
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Only those below would be accepted." in page
    assert "My own words.</textarea>" in " ".join(page.split())
    assert AcceptedFinding.objects.count() == 1


def test_a_reason_is_shown_if_none_of_the_findings_is_open_any_more(reviewer: Visitor) -> None:
    first, _ = two_findings(reviewer)
    assert reviewer.post(f"{ACCEPT}?finding={first}", reason="So it is.").status_code == 302
    answer = reviewer.post(f"{ACCEPT}?finding={first}", reason="My own words.")
    assert "Your reason was: My own words." in reviewer.page(answer["Location"])
