"""Atom feeds: rulesets, the public part of an airline's policy, recalls of exact models.

Everything is computed from the changes of stored releases. So `updated` is the time of the release that
brought the change, and the same release gives the same feed. Ids are tag: URIs (RFC 4151) and never change.

Dated changes of airlines' policies are for partners. The feed of an airline shows changes in its public
preview and in its public rules. The feed of a brand contains recalls of exact models, each with its model,
and none of the brand.

Called by the views.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from aeo.datasets import cache
from aeo.datasets.cache import Changed
from aeo.datasets.models import DatasetRelease
from aeo.pages.paths import airline_path, model_path, recall_path
from aeo.web.addresses import address
from aeo.web.jsonld import PUBLISHER
from catalog.free_text import writable

SINCE = 2026
"""The year of the tags: the first year in which this service issued them."""

NEVER_INFERRED = "It applies to exactly this model and to no other model of the brand."


class Feed(Atom1Feed):
    """An Atom feed as old as its newest entry, or as `began_at` if it has none, and never now.

    Characters that XML cannot hold are left out, so that no text of a release breaks it.
    """

    def __init__(self, began_at: datetime.datetime, *, language: str = "en", **said: Any) -> None:
        super().__init__(description=None, language=language, author_name=PUBLISHER, **_writable(said))
        self.began_at = began_at

    def add_item(self, *_: Any, **said: Any) -> None:
        """Add an entry; all that it says is named."""
        super().add_item(**_writable(said))

    def latest_post_date(self) -> datetime.datetime:
        """Return the time of the newest entry."""
        return max((item["updateddate"] for item in self.items), default=self.began_at)


def _writable(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: writable(value) if isinstance(value, str) else value for name, value in said.items()}


def tag(path: str) -> str:
    """Return the id of something on this site. It never changes."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},{SINCE}:{path}"


def rulesets() -> str:
    """Return the feed of releases."""
    releases = cache.latest()
    feed = _feed("/feeds/rulesets.atom", "Rulesets of battery travel compliance", "/datasets")
    for release in releases:
        feed.add_item(
            title=f"Ruleset {release.pk}",
            link=address(f"/datasets#release-{release.pk}"),
            description=escape(release.note),
            pubdate=release.published,
            updateddate=release.published,
            unique_id=tag(f"rulesets/{release.pk}"),
        )
    return _written(feed)


def airline(code: str, name: str) -> str:
    """Return the feed of an airline: one entry for each release that changed what is known about it."""
    found: dict[DatasetRelease, list[Changed]] = defaultdict(list)
    for change in cache.news(airline=code):
        found[change.release].append(change)
    feed = _feed(
        f"/feeds/airlines/{code.lower()}.atom",
        f"{name}: power bank policy and rules",
        airline_path(code),
    )
    for release, changes in found.items():
        feed.add_item(
            title=f"{name} in ruleset {release.pk}: {_counted(changes)}",
            link=address(airline_path(code)),
            description="".join(f"<p>{escape(_described(change))}</p>" for change in changes),
            pubdate=release.published,
            updateddate=release.published,
            unique_id=tag(f"airlines/{code.lower()}/{release.pk}"),
        )
    return _written(feed)


def recalls_of_brand(brand_id: str, name: str) -> str:
    """Return the feed of the recalls of a brand's exact models."""
    feed = _feed(
        f"/feeds/recalls/brands/{brand_id}.atom", f"Recalls of exact {name} models", f"/brands/{brand_id}"
    )
    return _recalls(feed, cache.news(name="recalls", brand_id=brand_id))


def recalls_of_model(model_id: str, name: str) -> str:
    """Return the feed of the recalls of exactly one model."""
    feed = _feed(
        f"/feeds/recalls/models/{model_id}.atom",
        f"Recalls of the {name}",
        model_path(model_id),
    )
    return _recalls(feed, cache.news(name="recalls", model_id=model_id))


def _recalls(feed: Feed, changes: Iterable[Changed]) -> str:
    """Add an entry for each recall, including withdrawn ones, and return the feed."""
    history: dict[str, list[Changed]] = defaultdict(list)
    for change in changes:
        history[change.record_id].append(change)
    for recall_id, (newest, *older) in history.items():
        first = [newest, *older][-1]
        withdrawn = newest.change == "withdrawn"
        feed.add_item(
            title=f"{'No longer on file: ' if withdrawn else ''}{newest.record['title']}",
            # The page of a withdrawn recall disappears; its notice stays.
            link=newest.record["notice_url"] if withdrawn else address(recall_path(recall_id)),
            description=_recall(newest),
            pubdate=first.release.published,
            updateddate=newest.release.published,
            unique_id=tag(f"recalls/{recall_id}"),
            categories=[newest.model_id],
        )
    return _written(feed)


def _recall(change: Changed) -> str:
    record = change.record
    said = [
        f"{record['authority']}, announced {record['announced_on']}. Model {record['model_id']}.",
        f"Hazard: {record['hazard']}",
        f"Remedy: {record['remedy']}",
        NEVER_INFERRED,
    ]
    if change.change == "withdrawn":
        said.insert(0, f"Ruleset {change.release_id} no longer contains this recall.")
    return "".join(f"<p>{escape(text)}</p>" for text in said)


def _counted(changes: Iterable[Changed]) -> str:
    """Return how many records were added, changed and withdrawn."""
    counts: dict[str, int] = defaultdict(int)
    for change in changes:
        counts[change.change] += 1
    return ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))


def _described(change: Changed) -> str:
    """Return the kind of change and the record of an airline, in a line."""
    what = {
        "airline-policies": "Policy summary",
        "rules": f"Rule {change.record_id}",
        "disagreements": f"Disagreement {change.record_id}",
    }[change.name]
    said = change.record["question" if change.name == "disagreements" else "summary"]
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    return f"{what} {change.change}{fields}: {said}"


def _feed(path: str, title: str, link: str) -> Feed:
    began = cache.first()
    return Feed(
        began_at=datetime.datetime.min.replace(tzinfo=datetime.UTC) if began is None else began.published,
        title=title,
        link=address(link),
        feed_url=address(path),
        feed_guid=tag(path.removeprefix("/")),
    )


def _written(feed: Feed) -> str:
    return str(feed.writeString("utf-8"))
