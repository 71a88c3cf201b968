"""The indexed pages: bounded, always the same, and each says something that its neighbors do not."""

import re
from collections import Counter
from collections.abc import Hashable

from aeo.articles.article import Article
from aeo.discovery.curation import curated
from aeo.editions import Edition
from aeo.page_records.models import Curation
from aeo.page_records.register import Combination


def said(article: Article) -> Hashable:
    """What a page says beside names and figures: recalls, and what each flight gets."""
    return (
        tuple(recall.recall_id for recall in article.recalls),
        *(
            (
                flight.kind,
                flight.answer.outcome.verdict,
                frozenset(statement.code for statement in flight.answer.outcome.constraints),
                frozenset(statement.code for statement in flight.answer.outcome.warnings),
                flight.answer.outcome.gaps,
            )
            for flight in article.flights
        ),
    )


def test_no_two_indexed_pages_share_a_body(articles: dict[str, Article]) -> None:
    bodies = Counter(article.body for article in articles.values())
    assert [body for body, count in bodies.items() if count > 1] == []


def test_without_the_names_no_page_says_what_a_neighbor_says(articles: dict[str, Article]) -> None:
    for left_out in ("model", "airline", "country"):
        seen: dict[Hashable, str] = {}
        for path, article in articles.items():
            names = {
                "model": article.device.model_id,
                "airline": article.airline.airline,
                "country": article.country.code,
            }
            del names[left_out]
            key = (*names.items(), said(article))
            assert key not in seen, f"{path} says what {seen[key]} says"
            seen[key] = path


def test_the_same_edition_gives_the_same_pages(edition: Edition, combinations: list[Combination]) -> None:
    few = Curation(most_pages=40)
    assert curated(edition, few) == curated(edition, few)
    assert set(curated(edition, few)) <= set(combinations)


def test_they_are_bounded_in_all_and_for_each_name(combinations: list[Combination]) -> None:
    assert len(set(combinations)) == len(combinations) <= Curation().most_pages
    bounds = (Curation().most_of_model, Curation().most_of_airline, Curation().most_of_country)
    for axis, bound in enumerate(bounds):
        assert max(Counter(page[axis] for page in combinations).values()) <= bound


def test_the_first_hundred_are_about_many_models_airlines_and_countries(
    combinations: list[Combination],
) -> None:
    models, airlines, countries = (set(names) for names in zip(*combinations[:100], strict=True))
    assert min(len(models), len(airlines), len(countries)) >= 20


def test_they_cover_all_verdicts_and_the_recalled_models(articles: dict[str, Article]) -> None:
    assert {article.verdict for article in articles.values()} == {
        "allowed",
        "conditional",
        "insufficient",
        "banned",
    }
    assert sum(bool(article.recalls) for article in articles.values()) > 100
    assert len({article.airline.airline for article in articles.values()}) > 50


def test_addresses_are_lower_case_and_plain(articles: dict[str, Article]) -> None:
    assert all(re.fullmatch(r"/p/[a-z0-9-]+/[a-z0-9]{2}/[a-z]{2}", path) for path in articles)
