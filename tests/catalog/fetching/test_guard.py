"""No request reaches what is not public: not by name, redirect, a changing answer or an odd spelling."""

import socket

import pytest

from catalog.fetching import Fetcher, FetchFailed
from tests.catalog.fetching.servers import Names, Server, page, policy, redirect, silence

PRIVATE = "private or otherwise special network"


def failure(fetcher: Fetcher, url: str, **options: float) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(url, **options)  # type: ignore[arg-type]
    return failed.value


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", pytest.param("::1", marks=pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here"))],
)
def test_without_test_networks_nothing_on_loopback_is_reached(address: str) -> None:
    with Server({"/": page()}, address) as server, Fetcher(policy(test_networks=())) as fetcher:
        port = server.port
        for url in (
            f"http://127.0.0.1:{port}/",
            f"http://127.0.0.1.:{port}/",
            f"http://127.0.1.1:{port}/",
            f"http://0.0.0.0:{port}/",
            f"http://[::1]:{port}/",
            f"http://[::]:{port}/",
            f"http://[0:0:0:0:0:0:0:1]:{port}/",
            f"http://[::ffff:127.0.0.1]:{port}/",
            f"http://[::ffff:7f00:1]:{port}/",
            f"http://[::127.0.0.1]:{port}/",
            f"http://[64:ff9b::127.0.0.1]:{port}/",
            f"http://[2002:7f00:1::1]:{port}/",
        ):
            failed = failure(fetcher, url)
            assert (failed.reason, PRIVATE in failed.detail) == ("forbidden_address", True), url
        for url in (
            f"http://localhost:{port}/",
            f"http://localhost.:{port}/",
            f"http://ip6-localhost:{port}/",
            f"http://2130706433:{port}/",
            f"http://0x7f.1:{port}/",
            f"http://017700000001:{port}/",
            f"http://127.1:{port}/",
            f"http://[::1%25lo]:{port}/",
            f"http://8.8.8.8@127.0.0.1:{port}/",
        ):
            assert failure(fetcher, url).reason == "bad_url", url
        for name in ("localhost.localdomain", "any.localhost"):
            assert failure(fetcher, f"http://{name}:{port}/").reason in ("forbidden_address", "unknown_host")
        assert server.connections == 0


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254", "fe80::1%1", "::ffff:10.0.0.1"],
)
def test_a_name_that_leads_inside_is_refused(address: str) -> None:
    with Fetcher(policy(), Names(inside_example=[[address]])) as fetcher:
        failed = failure(fetcher, "http://inside.example/")
        assert (failed.reason, PRIVATE in failed.detail) == ("forbidden_address", True)


@pytest.mark.parametrize("order", [1, -1])
def test_one_private_address_spoils_a_name(server: Server, order: int) -> None:
    names = Names(mixed_example=[["127.0.1.1", "10.0.0.1"][::order]])
    with Fetcher(policy(), names) as fetcher:
        assert failure(fetcher, f"http://mixed.example:{server.port}/").reason == "forbidden_address"
    assert server.connections == 0


def test_a_name_is_looked_up_once_for_each_connection_and_the_checked_address_is_used(server: Server) -> None:
    # The server listens at the first address alone: whoever looked up again would go to the second one.
    server.pages["/"] = page(b"checked")
    names = Names(rebinding_example=[["127.0.1.1"], ["127.0.1.1"], ["127.0.0.1"]])
    with Fetcher(policy(), names) as fetcher:
        assert fetcher.fetch(f"http://rebinding.example:{server.port}/").body == b"checked"
        # For robots.txt and for the page.
        assert names.asked == ["rebinding.example"] * 2
        failed = failure(fetcher, f"http://rebinding.example:{server.port}/")
        assert failed.reason == "forbidden_address"
    assert server.asked[-1].headers["host"] == f"rebinding.example:{server.port}"
    assert server.connections == 2


def test_a_name_that_changes_between_robots_and_page_is_judged_again(server: Server) -> None:
    names = Names(rebinding_example=[["127.0.1.1"], ["127.0.0.1"]])
    with Server({"/": page()}, "127.0.0.1") as inside, Fetcher(policy(), names) as fetcher:
        failed = failure(fetcher, f"http://rebinding.example:{server.port}/")
        assert failed.reason == "forbidden_address"
        assert inside.connections == 0
    assert [asked.path for asked in server.asked] == ["/robots.txt"]


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "forbidden_address"),
        ("//169.254.169.254/latest/meta-data/", "forbidden_address"),
        ("http://[::ffff:127.0.0.1]/", "forbidden_address"),
        ("http://[::ffff:a9fe:a9fe]/", "forbidden_address"),
        ("http://[fd00:ec2::254]/", "forbidden_address"),
        ("http://10.0.0.1/", "forbidden_address"),
        ("http://inside.example/", "forbidden_address"),
        ("http://2852039166/", "bad_redirect"),
        ("http://0xa9fea9fe/", "bad_redirect"),
        ("http://localhost/", "bad_redirect"),
        ("http://metadata/", "bad_redirect"),
        ("file:///etc/passwd", "bad_redirect"),
        ("gopher://127.0.0.1:6379/_INFO", "bad_redirect"),
        ("http://user@127.0.0.1/", "bad_redirect"),
        ("http:\\\\169.254.169.254/", "bad_redirect"),
    ],
)
def test_a_redirect_leads_nowhere_else(server: Server, location: str, reason: str) -> None:
    server.pages |= {"/": redirect(location), "/hop": redirect("/")}
    with Fetcher(policy(), Names(inside_example=[["127.0.0.1"]])) as fetcher:
        assert failure(fetcher, server.root).reason == reason
        assert failure(fetcher, f"{server.root}/hop").reason == reason


def test_robots_leads_nowhere_else_either(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/": page(), "/robots.txt": redirect("http://169.254.169.254/")}
    with Server({"/": page()}, "127.0.0.1") as inside:
        assert failure(fetcher, server.root).reason == "robots"
        server.pages["/robots.txt"] = redirect(f"{inside.root}/robots.txt")
        with Fetcher(policy()) as another:
            assert failure(another, server.root).reason == "robots"
        assert inside.connections == 0
    assert server.paths == []


@pytest.mark.parametrize("port", [22, 25, 6379, 5432, 11211])
def test_other_services_than_the_web_are_not_asked(port: int) -> None:
    with Fetcher(policy(), Names(public_example=[["8.8.8.8"]])) as fetcher:
        failed = failure(fetcher, f"http://public.example:{port}/")
        assert (failed.reason, f"port {port}" in failed.detail) == ("forbidden_address", True)


def test_no_proxy_of_the_environment_has_a_say(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.pages["/"] = page(b"direct")
    with Server(address="127.0.1.3") as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.root)
            monkeypatch.setenv(name.upper(), proxy.root)
        with Fetcher(policy()) as fetcher:
            assert fetcher.fetch(server.root).body == b"direct"
        assert proxy.connections == 0


def test_unknown_names_and_closed_ports_are_told_apart(server: Server) -> None:
    with Fetcher(policy(), Names()) as fetcher:
        assert failure(fetcher, "http://unknown.example/").reason == "unknown_host"
    with Fetcher(policy()) as fetcher:
        assert failure(fetcher, "http://127.0.1.77:9/").reason == "no_connection"


def test_the_next_address_is_tried_where_no_one_listens_at_the_first(server: Server) -> None:
    server.pages["/"] = page(b"second")
    with Fetcher(policy(), Names(two_example=[["127.0.1.78", "127.0.1.1"]])) as fetcher:
        assert fetcher.fetch(f"http://two.example:{server.port}/").body == b"second"


def test_a_server_that_hangs_does_not_keep_others_waiting(server: Server, fetcher: Fetcher) -> None:
    server.pages["/robots.txt"] = silence
    assert failure(fetcher, server.root, seconds=0.2).reason == "timed_out"
    with Server({"/": page(b"other")}, "127.0.1.2") as other:
        assert fetcher.fetch(other.root).body == b"other"
