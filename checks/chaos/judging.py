"""Sorts the answers that clients got: right, wrong, the documented 503, cut off, or undocumented."""

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus

from checks.chaos.load import Heard
from checks.chaos.oracle import Oracle

IN_SECONDS = re.compile(r"max-age=(-?\d+)")
LONGEST_WAIT_SECONDS = 3600


@dataclass
class Judgment:
    """How many answers were of each sort, and the complaints about them."""

    requests: int = 0
    right: int = 0
    wrong: int = 0
    undocumented: int = 0
    refused: int = 0
    cut_off: int = 0
    complaints: Counter[str] = field(default_factory=Counter)
    recorded: list[str] = field(default_factory=list)
    """The ids of all verdicts that the API gave."""


def judge(heard: Iterable[Heard], oracle: Oracle, *, kills: bool, limited: bool) -> Judgment:
    """Judge all answers of a trial.

    If the trial `kills` processes, the connections of these processes may be cut off. If it is `limited`,
    some clients may be asked to wait.
    """
    found = Judgment()
    for one in heard:
        found.requests += 1
        if one.broken:
            if kills and one.broken.startswith("cut off"):
                found.cut_off += 1
            else:
                found.undocumented += 1
                found.complaints[f"{one.ask.path}: {one.broken}"] += 1
        elif complaint := _of_headers(one):
            found.undocumented += 1
            found.complaints[f"{one.ask.path}: {complaint}"] += 1
        elif one.status in (200, 304):
            if complaint := oracle.complaint(one):
                found.wrong += 1
                found.complaints[complaint] += 1
            else:
                found.right += 1
            found.recorded += given_verdicts([one])
        elif is_documented(one) or (limited and one.status == 429):
            found.refused += 1
        else:
            found.undocumented += 1
            found.complaints[f"{one.ask.path}: {one.status} {one.body[:200]!r}"] += 1
    return found


def given_verdicts(heard: Iterable[Heard]) -> list[str]:
    """Return the ids of all verdicts that the API gave."""
    ids = []
    for one in heard:
        if one.ask.kind != "get" and one.status == HTTPStatus.OK:
            # A body that is not a verdict is wrong, and is judged as such.
            with contextlib.suppress(ValueError):
                body = json.loads(one.body)
                ids.append(str(body.get("verdict_id") or body.get("trip_verdict_id")))
    return ids


def is_documented(heard: Heard) -> bool:
    """Return whether an answer is the 503 that clients must expect, as a problem or as a page."""
    if heard.status != 503 or "retry-after" not in heard.headers:
        return False
    kind = heard.headers.get("content-type", "")
    if kind.startswith("application/problem+json"):
        return bool(json.loads(heard.body).get("code") == "SERVICE_UNAVAILABLE")
    return kind.startswith(("text/html", "text/plain")) and heard.ask.kind == "get"


def _of_headers(heard: Heard) -> str:
    """Return what is wrong with the times in headers; empty if nothing is."""
    for name in ("retry-after", "ratelimit-reset", "ratelimit-remaining", "age"):
        value = heard.headers.get(name)
        # Of a rate, more can remain than an hour has seconds.
        longest = LONGEST_WAIT_SECONDS if name != "ratelimit-remaining" else float("inf")
        if value is not None and not (value.isdecimal() and int(value) <= longest):
            return f"{name}: {value}"
    age = IN_SECONDS.search(heard.headers.get("cache-control", ""))
    return f"cache-control: {age[0]}" if age and int(age[1]) < 0 else ""
