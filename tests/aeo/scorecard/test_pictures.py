"""The pictures of /scorecard and /coverage: every number drawn is a stored or published figure."""

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from aeo import coverage, editions
from aeo.editions import Edition
from aeo.scorecard import freshness
from aeo.scorecard.actions import keep_scorecard
from aeo.scorecard.models import ScorecardRecord
from rules import corpus
from rules.corpus import Published
from rules.models import Release, ReleaseProof
from rules.proof.models import ProofState
from tests.support import starter, world
from tests.support.ledger import DAY, FIRST, publish, world_content

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("now")]

PICTURE = re.compile(r'<figure class="drawing">\s*(<svg class="picture (\w+)".*?</svg>)', re.DOTALL)


def pictures(path: str) -> dict[str, str]:
    """The pictures of a page by what they show."""
    page = Client(headers={"accept": "text/html"}).get(path)
    assert page.status_code == 200
    drawn = [one for one, _ in PICTURE.findall(page.content.decode())]
    return {unescape(re.search(r'aria-label="([^"]*)"', one)[1]): one for one in drawn}  # type: ignore[index]


def titles(drawn: str) -> list[str]:
    return [unescape(one) for one in re.findall(r"<title>([^<]*)</title>", drawn)]


def figures(drawn: str) -> list[int]:
    """What the parts of a picture say, in their order, without the parts that are zero."""
    return [int(one.rpartition(": ")[2].replace(",", "")) for one in titles(drawn)]


def test_cases_and_sentences_are_drawn_as_they_were_counted(
    edition: Edition, starter_release: Published
) -> None:
    kept = keep_scorecard(edition=edition, now=starter.NOW).figures
    drawn = pictures("/scorecard")
    agreeing, differing = kept["agreeing"], kept["cases"] - kept["agreeing"]
    assert figures(drawn["Verdict cases"]) == [one for one in (agreeing, differing) if one]
    plain, answered = kept["spoken"]["plain"], kept["spoken"]["plain_answered"]
    typed = drawn["Sentences as travelers type them"]
    assert figures(typed) == [one for one in (answered, plain - answered) if one]


@pytest.mark.parametrize("path", ["/scorecard", "/coverage"])
def test_airlines_are_drawn_by_reading_as_the_api_counts_them(path: str, starter_release: Published) -> None:
    published = Client().get("/api/coverage").json()["airlines"]
    drawn = pictures(path)["How the rules were read"]
    found = Counter[str]()
    for one in titles(drawn):
        part, _, count = one.rpartition(": ")
        found[part] += int(count)
    assert found["With rules in force"] == published["covered"]
    assert found.total() == published["total"]
    totals = [int(one) for one in re.findall(r'text-anchor="end">(\d+)<', drawn)]
    assert totals == [*published["by_policy_read"].values()]


def test_evidence_is_drawn_by_its_age(edition: Edition, starter_release: Published) -> None:
    drawn = pictures("/scorecard")
    sources = edition.release.shelf.sources.values()
    of_sources = freshness.of_sources(sources, edition.today)
    assert sum(figures(drawn["How fresh the evidence is"])) == of_sources.total() - of_sources["unread"]
    of_airlines = Counter(freshness.of_airlines(edition.release, edition.today).values())
    found = Counter[str]()
    for one in titles(drawn["How fresh the policies of airlines are"]):
        part, _, count = one.rpartition(": ")
        found[part] += int(count)
    words = {"fresh": "Fresh", "stale": "Due", "very_stale": "Overdue", "unread": "Not read"}
    assert found == Counter({words[state]: count for state, count in of_airlines.items()})


def test_topics_are_drawn_for_the_airlines_that_can_be_decided(
    edition: Edition, starter_release: Published
) -> None:
    decided = [one for one in coverage.airlines(edition) if one.rules]
    drawn = figures(pictures("/coverage")["What airlines' rules decide"])
    covering = [sum(topic in one.topics for one in decided) for topic in coverage.TOPICS]
    expected = [(count, len(decided) - count) for count in covering]
    assert drawn == [value for pair in expected for value in pair if value]


# --- The last releases --------------------------------------------------------------------------------------


def count() -> ScorecardRecord:
    corpus.refresh()
    return keep_scorecard(edition=editions.current(timezone.now()), now=timezone.now())


def proved(release: Release, *, differing: int) -> None:
    ReleaseProof.objects.create(
        release=release,
        program_sha256="0" * 64,
        state=ProofState.DONE,
        differing=differing,
        statement="{}",
        asked=timezone.now(),
        started=timezone.now(),
        finished=timezone.now(),
    )


@pytest.mark.usefixtures("fresh_process")
def test_without_a_count_there_is_no_plot_and_one_release_is_one_column() -> None:
    publish(world_content())
    assert "The last rulesets" not in pictures("/scorecard")
    kept = count().figures
    [title] = titles(pictures("/scorecard")["The last rulesets"])
    assert title.startswith(f"2026-11-20, Answered as expected: {kept['agreeing']:,}, ")


@pytest.mark.usefixtures("fresh_process")
def test_each_counted_release_is_a_column_with_its_proof_and_a_row_of_the_table() -> None:
    first = publish(world_content())
    counted = [count()]
    second = publish(world_content(rules=world.RULES[1:]), now=FIRST + DAY / 4)
    counted.append(count())
    publish(world_content(rules=world.RULES[2:]), now=FIRST + DAY / 3)
    counted.append(count())
    proved(first, differing=0)
    proved(second, differing=2)
    drawn = pictures("/scorecard")["The last rulesets"]
    assert titles(drawn) == [
        f"{version}, Answered as expected: {one.figures['agreeing']:,}, "
        f"Answered differently: {one.figures['cases'] - one.figures['agreeing']:,}"
        for version, one in zip(("2026-11-20", "2026-11-20.2", "2026-11-20.3"), counted, strict=True)
    ]
    # The marks of the columns come in their order, before those of the key.
    assert re.findall(r'class="mark (\w+)"', drawn)[:3] == ["yes", "no", "unknown"]
    said = Client(headers={"accept": "text/markdown"}).get("/scorecard").content.decode()
    rows = [line for line in said.splitlines() if "/rulesets/2026-11-20" in line and line.startswith("|")]
    assert ["nothing found" in row for row in rows] == [False, False, True]
    assert "something found" in rows[1]
    assert "No finished proof" in rows[0]
