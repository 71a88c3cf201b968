"""What the environment says about fetching, and that only tests may reach test networks."""

from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from catalog.fetching import Fetcher, FetchFailed, policy_from_settings
from tests.catalog.fetching.servers import Server, page


def test_the_service_names_itself_and_reaches_no_test_network(settings: Settings) -> None:
    policy = policy_from_settings()
    assert policy.user_agent == f"BatteryTravelCompliance/1.0 (+{settings.SITE_URL}/about)"
    assert (policy.seconds, policy.host_pause_seconds) == (30, 5)
    assert (policy.max_bytes, policy.max_pdf_bytes) == (5 * 2**20, 20 * 2**20)
    assert policy.test_networks == ()


def test_as_it_is_set_up_the_service_reaches_nothing_on_this_machine() -> None:
    with Server({"/": page()}) as server, Fetcher(policy_from_settings()) as fetcher:
        with pytest.raises(FetchFailed) as failed:
            fetcher.fetch(server.root)
        assert failed.value.reason == "forbidden_address"
        assert server.connections == 0


def test_test_networks_are_for_copies_that_serve_no_one_else(settings: Settings) -> None:
    settings.FETCH_TEST_NETWORKS = ["127.0.1.0/24"]
    settings.IS_PUBLIC = False
    assert policy_from_settings().test_networks == (ip_network("127.0.1.0/24"),)
    settings.IS_PUBLIC = True
    with pytest.raises(ImproperlyConfigured, match="FETCH_TEST_NETWORKS"):
        policy_from_settings()
