"""Knows the right answer of each request: verdicts from the door itself, everything else from a calm round.

This process computes a verdict again, from the release that the answer names, for the second that it names;
both must be the same to the byte. Pages, lists and files are compared with the answers from a time without
faults, from a release with the same content.
"""

import base64
import datetime
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import psycopg
from django.conf import settings
from django.utils.dateparse import parse_datetime

from aeo.web.documents import hash_of
from checks.chaos.load import Heard
from compliance.api.protocol.bodies import json_response
from compliance.api.verdicts import questions, trips, verify
from rules import verdicts
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import decode

SWAP_SECONDS = 30
"""How long after a publishing the previous release may still answer, on a machine with this load."""

CLOCK_SECONDS = 1.5
"""The allowed difference between the clocks of clients and servers. Answers name whole seconds."""

CURSOR = re.compile(rb'(?<="next_cursor":")[A-Za-z0-9_-]+(?=")')
CONTENT_HASH = re.compile(rb'(?<="content_hash":")[0-9a-f]{64}(?=")')
INSTANT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)|\d{4}-\d\d-\d\d \d\d:\d\d")


Calm = dict[tuple[str, str], bytes]
"""Bodies of answers by path and by the content of the release that they are made from."""


@dataclass
class Release:
    """A release, and since when it is current, in seconds since the epoch."""

    published: Published
    content: str
    since: float


@dataclass
class Oracle:
    """Judges answers of a service that has the same keys as this process."""

    database_url: str
    calm: Calm
    """The answers of a calm round."""

    releases: dict[str, Release] = field(default_factory=dict)
    """By version."""

    shift: tuple[float, float] = (0, 0)
    """By how many seconds the clock of the service may be wrong, at least and at most."""

    def read_releases(self) -> str:
        """Read the list of releases, and return the version of the current one."""
        known = tuple(self.releases) or ("",)
        with psycopg.connect(self.database_url) as connection:
            rows = connection.execute(
                "select ruleset_version, sha256, content_sha256, published_at, document from rules_release "
                "where not ruleset_version = any(%s) order by sequence",
                [list(known)],
            ).fetchall()
        for version, sha256, content, at, document in rows:
            corpus = Corpus(decode(document.encode()).content)
            published = Published(version, sha256, at, corpus)
            self.releases[version] = Release(published, content, at.timestamp())
        return list(self.releases)[-1]

    def other(self) -> str | None:
        """Return the version of a release with other content than the current one, if there is any."""
        *earlier, current = self.releases.values()
        versions = [one.published.ruleset_version for one in earlier if one.content != current.content]
        return versions[-1] if versions else None

    def learn(self, heard: Iterable[Heard]) -> list[str]:
        """Record answers of a calm round as right, and return what is nevertheless wrong with them."""
        current = list(self.releases.values())[-1]
        complaints = []
        for one in heard:
            if one.status != 200:
                complaints.append(f"{one.ask.path} is answered with {one.status} {one.broken}")
            else:
                self.calm[one.ask.path, current.content] = self._plain(one.body)
        return complaints

    def complaint(self, heard: Heard) -> str:
        """Return what is wrong with an answer of status 200 or 304; empty if nothing is."""
        if heard.ask.kind == "get":
            return self._page(heard)
        return self._verdict(heard)

    def _page(self, heard: Heard) -> str:
        plain = self._plain(heard.body)
        known = {content for path, content in self.calm if path == heard.ask.path}
        right = [content for content in known if self.calm[heard.ask.path, content] == plain]
        if not right:
            return f"{heard.ask.path} differs from all answers of a calm service"
        if not any(release.content in right for release in self._current_then(heard)):
            return f"{heard.ask.path} is answered from a release that is not current"
        return ""

    def _verdict(self, heard: Heard) -> str:
        try:
            body = json.loads(heard.body)
            release = self.releases[body["ruleset_version"]]
            now = parse_datetime(body["generated_at"])
            expires = parse_datetime(body["expires_at"])
        except (ValueError, KeyError, TypeError) as error:
            return f"not a verdict of a known release: {error!r}"
        if now is None or expires is None:
            return "no instants"
        if release not in self._current_then(heard):
            return f"release {body['ruleset_version']} is not current"
        earliest, latest = self.shift
        if (
            not heard.began + earliest - CLOCK_SECONDS
            <= now.timestamp()
            <= heard.ended + latest + CLOCK_SECONDS
        ):
            return f"given at {body['generated_at']}, which is not the time of the request"
        longest = datetime.timedelta(hours=settings.VERDICT_VALIDITY_HOURS)
        if not datetime.timedelta(0) < expires - now <= longest:
            return f"holds from {now} to {expires}, which is longer than documented, or not valid at all"
        if self._answer(heard, release.published, now) != heard.body:
            return f"is not what release {body['ruleset_version']} says about {heard.ask.body}"
        return ""

    def _answer(self, heard: Heard, release: Published, now: datetime.datetime) -> bytes:
        """Compute an answer as the views do."""
        asked: Any
        body: msgspec.Struct
        sent, countries = json.loads(heard.ask.body or ""), release.corpus.countries
        if heard.ask.kind == "verify":
            asked = questions.verify_request(sent, today=now.date(), countries=countries)
            answer = verdicts.answer_from(release, asked.question, now=now)
            body = verify.verify_body(answer, asked.language)
        else:
            asked = questions.trip_request(sent, today=now.date(), countries=countries)
            trip = verdicts.trip_answer_from(release, asked.question, now=now)
            body = trips.trip_body(trip, asked.language)
        return bytes(json_response(body).content)

    def _current_then(self, heard: Heard) -> list[Release]:
        """Return the releases that may answer: those that were current at some time until the answer."""
        releases = list(self.releases.values())
        ends = [*(release.since for release in releases[1:]), float("inf")]
        return [
            release
            for release, end in zip(releases, ends, strict=True)
            if release.since <= heard.ended + CLOCK_SECONDS and end + SWAP_SECONDS >= heard.began
        ]

    def _plain(self, body: bytes) -> bytes:
        """Remove what differs between two releases with the same content: version, digest, times.

        A cursor and the hash of a manifest depend on these; their meaning is checked instead.
        """
        body = CURSOR.sub(_position, body)
        if CONTENT_HASH.search(body) and (said := json.loads(body))["content_hash"] == hash_of(said):
            body = CONTENT_HASH.sub(b"<its hash>", body)
        for version, release in sorted(self.releases.items(), key=lambda pair: -len(pair[0])):
            mark = f"<release {release.content[:12]}>".encode()
            for name in (release.published.sha256, version):
                # Versions begin with a day, which also occurs alone, as the day of something else.
                body = re.sub(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-]|\.\d)", mark, body)
        return INSTANT.sub(b"<instant>", body)


def _position(cursor: re.Match[bytes]) -> bytes:
    """Return the row at which a cursor continues, which is written before its seal."""
    padded = cursor[0] + b"=" * (-len(cursor[0]) % 4)
    return b"<cursor at " + base64.urlsafe_b64decode(padded).partition(b".")[0] + b">"
