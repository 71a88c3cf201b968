"""Whoever rents a large IPv6 network and changes its small ones escapes no limit."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from compliance.limits import pages, reading
from compliance.limits.addresses import larger_network
from compliance.limits.counting import LARGER, count_address
from compliance.limits.rates import Rate
from compliance.signin import lockout
from compliance.trip_watch.rate_limit import too_many

Limit = Callable[[HttpRequest], object]


def asking(address: str) -> HttpRequest:
    return RequestFactory().get("/", REMOTE_ADDR=address)


def accepted(limit: Limit, prefix: str, networks: int) -> int:
    """Ask once from each of so many networks of one connection; return how often that was accepted."""
    return sum(not limit(asking(f"{prefix}:{number:x}::1")) for number in range(networks))


def test_the_larger_network_of_an_address_is_the_48_around_it() -> None:
    assert larger_network("2001:db8:1:2::/64") == larger_network("2001:db8:1:ffff::/64") == "2001:db8:1::/48"
    assert larger_network("2001:db8:2:2::/64") == "2001:db8:2::/48"
    assert larger_network("192.0.2.1") is None


@pytest.mark.parametrize(
    ("number", "limit"),
    [
        (1, pages.seconds_to_wait),
        (2, too_many),
        (3, reading.seconds_to_wait),
        (4, lockout.seconds_until_next_try),
        (5, lambda request: count_address(request, "api", Rate(3, 60))["should_limit"]),
    ],
    ids=["questions on pages", "watches", "reading", "tries to sign in", "the API"],
)
def test_small_networks_of_one_large_one_share_a_larger_limit(
    number: int, limit: Limit, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PAGES_RATE = settings.WATCH_RATE = settings.READING_RATE = "3/m"
    monkeypatch.setattr(lockout, "TRIES", Rate(3, 60))
    assert accepted(limit, f"2001:db8:{number}", 100) == 3 * LARGER
    # Another large one is not concerned, and each small one has its own limit as well.
    assert [bool(limit(asking(f"2001:db8:a{number}:7::1"))) for _ in range(4)] == [False, False, False, True]


@pytest.mark.usefixtures("starter_release")
def test_the_api_says_when_to_come_back_to_a_larger_network_too(settings: Settings) -> None:
    settings.ANONYMOUS_RATE = "1/m"
    answers = [
        Client().get("/api/airlines/EK", REMOTE_ADDR=f"2001:db8:99:{number:x}::1")
        for number in range(LARGER + 1)
    ]
    assert [answer.status_code for answer in answers] == [200] * LARGER + [429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert answers[-1].headers["RateLimit-Remaining"] == "0"
