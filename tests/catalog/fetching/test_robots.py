"""What sites ask of robots is kept to."""

import time

import pytest

from catalog.fetching import Fetcher, FetchFailed
from catalog.fetching.robots import LONGEST_FILE
from tests.catalog.fetching.servers import Page, Server, drip, endless, gzip_bomb, page, policy, redirect


def robots(text: str) -> bytes:
    return page(text.encode(), content_type="text/plain")


def is_refused(fetcher: Fetcher, url: str) -> bool:
    try:
        fetcher.fetch(url)
    except FetchFailed as failed:
        if failed.reason == "robots":
            return True
        # Allowed, but not there.
        if failed.status != 404:
            raise
    return False


def test_what_a_site_forbids_is_not_asked_for(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/a": page(), "/b": page(), "/robots.txt": robots("User-agent: *\nDisallow: /b")}
    assert not is_refused(fetcher, f"{server.root}/a")
    assert is_refused(fetcher, f"{server.root}/b?c")
    assert server.paths == ["/a"]


def test_a_group_of_our_own_counts_before_that_of_all(server: Server, fetcher: Fetcher) -> None:
    server.pages["/robots.txt"] = robots(
        "User-agent: *\nDisallow: /\n\nUser-agent: watcher\nAllow: /a\nDisallow: /b"
    )
    assert not is_refused(fetcher, f"{server.root}/a")
    assert is_refused(fetcher, f"{server.root}/b")


def test_no_other_robot_is_meant(server: Server, fetcher: Fetcher) -> None:
    # The address in our user agent is no name of ours.
    server.pages["/robots.txt"] = robots("User-agent: about\nUser-agent: https\nDisallow: /")
    assert not is_refused(fetcher, server.root)


def test_the_file_is_asked_for_once(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/a": page(), "/robots.txt": robots("User-agent: *\nDisallow: /b")}
    for _ in range(3):
        fetcher.fetch(f"{server.root}/a")
        assert is_refused(fetcher, f"{server.root}/b")
    assert [asked.path for asked in server.asked] == ["/robots.txt", "/a", "/a", "/a"]


@pytest.mark.parametrize("status", ["400 Bad", "401 Who", "403 No", "404 None", "410 Gone"])
def test_a_site_without_the_file_allows_all(server: Server, fetcher: Fetcher, status: str) -> None:
    server.pages["/robots.txt"] = page(b"User-agent: *\nDisallow: /", status)
    assert not is_refused(fetcher, server.root)


@pytest.mark.parametrize(
    "answer",
    [
        page(b"", "500 Broken"),
        page(b"", "503 Later", retry_after="5"),
        page(b"", "429 Slowly"),
        page(b"", "304 Same"),
        b"no HTTP at all\r\n\r\n",
        page(b"not packed", content_encoding="gzip"),
        page(b"packed", content_encoding="zstd"),
        redirect("ftp://other.example/robots.txt"),
        redirect(""),
    ],
)
def test_a_site_that_cannot_say_allows_nothing_for_now(
    server: Server, fetcher: Fetcher, answer: Page
) -> None:
    server.pages |= {"/": page(), "/robots.txt": answer}
    for _ in range(2):
        with pytest.raises(FetchFailed) as failed:
            fetcher.fetch(server.root)
        assert failed.value.reason == "robots"
        assert failed.value.retry_after is not None
        assert 60 < failed.value.retry_after.total_seconds() <= 30 * 60
    # The second time it was known.
    assert [asked.path for asked in server.asked] == ["/robots.txt"]


def test_a_file_that_is_never_finished_fails_the_page_in_time(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/": page(), "/robots.txt": drip(robots("User-agent: *"), 0.05)}
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root, seconds=0.3)
    assert failed.value.reason == "timed_out"
    assert server.paths == []


def test_the_file_may_stand_somewhere_else(server: Server, fetcher: Fetcher) -> None:
    with Server({"/there": robots("User-agent: *\nDisallow: /b")}, "127.0.1.2") as other:
        server.pages |= {"/robots.txt": redirect("/robots"), "/robots": redirect(f"{other.root}/there")}
        assert not is_refused(fetcher, f"{server.root}/a")
        assert is_refused(fetcher, f"{server.root}/b")


def test_a_file_that_is_nowhere_to_be_found_is_none(server: Server, fetcher: Fetcher) -> None:
    server.pages["/robots.txt"] = redirect("/robots.txt")
    assert not is_refused(fetcher, server.root)
    assert len(server.asked) == 7


BEGINNING = b"User-agent: *\nDisallow: /early\n"


@pytest.mark.parametrize(
    "answer",
    [
        endless(b"HTTP/1.1 200 OK\r\n\r\n" + BEGINNING, b"# filling\n" * 6000),
        page(BEGINNING + b"#" * LONGEST_FILE + b"\nDisallow: /late\n"),
        page(BEGINNING.ljust(LONGEST_FILE - 14, b"#") + b"\nDisallow: /l" + b"ate\n"),
    ],
    ids=["endless", "long", "cut within a line"],
)
def test_of_a_file_that_is_too_long_the_beginning_counts(
    server: Server, fetcher: Fetcher, answer: Page
) -> None:
    server.pages["/robots.txt"] = answer
    assert is_refused(fetcher, f"{server.root}/early")
    assert not is_refused(fetcher, f"{server.root}/late")
    assert not is_refused(fetcher, f"{server.root}/lx")


def test_a_bomb_forbids_nothing(server: Server, fetcher: Fetcher) -> None:
    server.pages["/robots.txt"] = gzip_bomb()
    assert not is_refused(fetcher, server.root)


def test_each_redirect_is_held_against_the_file_of_its_own_site(server: Server, fetcher: Fetcher) -> None:
    with Server({"/b": page(), "/robots.txt": robots("User-agent: *\nDisallow: /b")}, "127.0.1.2") as other:
        server.pages |= {"/a": redirect(f"{other.root}/b"), "/c": redirect("/d"), "/d": page()}
        assert is_refused(fetcher, f"{server.root}/a")
        assert other.paths == []
        server.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /d")
        with Fetcher(policy()) as another:
            assert is_refused(another, f"{server.root}/c")
        assert "/d" not in server.paths


@pytest.mark.parametrize(
    ("asked_for", "pause"), [("0.4", 0.4), ("86400", 0.5), ("0.01", 0.1), ("nan", 0.1), ("-1", 0.1)]
)
def test_a_longer_pause_is_kept_within_reason(server: Server, asked_for: str, pause: float) -> None:
    server.pages |= {"/": page(), "/robots.txt": robots(f"User-agent: *\nCrawl-delay: {asked_for}")}
    with Fetcher(policy(host_pause_seconds=0.1, longest_pause_seconds=0.5)) as fetcher:
        fetcher.fetch(server.root)
        began_at = time.monotonic()
        fetcher.fetch(server.root)
        took = time.monotonic() - began_at
    assert pause - 0.1 < took
    assert pause == 0.5 or took < 2
    _, first, second = server.asked
    assert second.began_at - first.began_at >= pause
