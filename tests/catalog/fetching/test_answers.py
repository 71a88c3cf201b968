"""What a fetch gives where a server means well."""

import datetime
import logging
from email.utils import format_datetime

import pytest

from catalog.fetching import Fetcher, FetchFailed
from tests.catalog.fetching.servers import Server, page, policy, redirect


def test_a_page_comes_with_what_is_said_of_it(server: Server, fetcher: Fetcher) -> None:
    server.pages["/rules"] = page(
        b"<p>100 Wh</p>",
        content_type='Text/HTML; boundary=x; Charset="ISO-8859-1"',
        etag='W/"1"',
        last_modified="Wed, 18 Nov 2026 08:00:00 GMT",
    )
    fetched = fetcher.fetch(f"{server.root}/rules?on=board#wh")
    assert fetched.url == f"{server.root}/rules?on=board#wh"
    assert fetched.final_url == f"{server.root}/rules?on=board"
    assert (fetched.status, fetched.body, fetched.not_modified) == (200, b"<p>100 Wh</p>", False)
    assert (fetched.media_type, fetched.charset) == ("text/html", "iso-8859-1")
    assert (fetched.etag, fetched.last_modified) == ('W/"1"', "Wed, 18 Nov 2026 08:00:00 GMT")


@pytest.mark.parametrize(
    "content_type", ["", "html", "text/html;;;", "; charset=utf-8", "text/html; charset=\x01"]
)
def test_a_strange_type_is_no_reason_to_fail(server: Server, fetcher: Fetcher, content_type: str) -> None:
    server.pages["/"] = page(content_type=content_type)
    fetched = fetcher.fetch(server.root)
    assert fetched.media_type in ("", "text/html")
    assert fetched.charset in (None, "utf-8")


def test_the_server_is_told_who_asks_and_nothing_else(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = page()
    fetcher.fetch(server.root)
    assert server.asked[-1].headers == {
        "host": f"{server.address}:{server.port}",
        "user-agent": "watcher/1.0 (+https://watcher.example/about)",
        "accept": "text/html, application/xhtml+xml, application/pdf;q=0.9, */*;q=0.1",
        "accept-language": "en",
        "accept-encoding": "gzip, deflate, br",
        "connection": "close",
    }


def test_no_cookie_and_no_referrer_goes_along(server: Server, fetcher: Fetcher) -> None:
    server.pages["/a"] = page(b"", "302 Found", location="/b", set_cookie="visit=1")
    server.pages["/b"] = page(set_cookie="visit=2")
    fetcher.fetch(f"{server.root}/a")
    fetcher.fetch(f"{server.root}/b")
    assert server.paths == ["/a", "/b", "/b"]
    assert not any({"cookie", "referer"} & asked.headers.keys() for asked in server.asked)


def test_what_was_kept_is_asked_by_and_stays_when_nothing_changed(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"
    fetched = fetcher.fetch(server.root, etag='"1"', last_modified="Wed, 18 Nov 2026 08:00:00 GMT")
    assert server.asked[-1].headers["if-none-match"] == '"1"'
    assert server.asked[-1].headers["if-modified-since"] == "wed, 18 nov 2026 08:00:00 gmt"
    assert (fetched.status, fetched.body, fetched.not_modified) == (304, b"", True)
    assert (fetched.etag, fetched.last_modified) == ('"1"', "Wed, 18 Nov 2026 08:00:00 GMT")


def test_a_server_may_not_answer_that_nothing_changed_since_nothing(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root)
    assert (failed.value.reason, failed.value.status) == ("http_status", 304)


def test_what_was_kept_that_cannot_be_sent_is_left_out(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = page()
    fetcher.fetch(server.root, etag='"1"\r\nX-Evil: 1', last_modified="é" * 3)
    assert not {"if-none-match", "if-modified-since", "x-evil"} & server.asked[-1].headers.keys()


def test_what_was_kept_of_one_page_is_never_asked_of_another(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/a": redirect("/b"), "/b": page(etag='"b"', last_modified="x")}
    fetched = fetcher.fetch(f"{server.root}/a", etag='"a"', last_modified="y")
    assert "if-none-match" in server.asked[1].headers
    assert not {"if-none-match", "if-modified-since"} & server.asked[-1].headers.keys()
    assert (fetched.etag, fetched.last_modified) == (None, None)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_redirects_are_followed_also_to_other_hosts(server: Server, fetcher: Fetcher, status: str) -> None:
    with Server({"/there": page(b"there")}, "127.0.1.2") as other:
        server.pages["/a"] = redirect(f"{other.root}/there", status)
        fetched = fetcher.fetch(f"{server.root}/a")
        assert (fetched.final_url, fetched.body) == (f"{other.root}/there", b"there")


def test_five_redirects_are_followed_and_no_sixth(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {f"/{hop}": redirect(f"/{hop + 1}") for hop in range(6)}
    server.pages["/6"] = page()
    assert fetcher.fetch(f"{server.root}/1").final_url == f"{server.root}/6"
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(f"{server.root}/0")
    assert failed.value.reason == "too_many_redirects"
    assert server.paths.count("/6") == 1


def test_a_circle_is_left_at_once(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/a": redirect("/b"), "/b": redirect("/a#again")}
    with pytest.raises(FetchFailed, match="loop") as failed:
        fetcher.fetch(f"{server.root}/a")
    assert failed.value.reason == "too_many_redirects"
    assert server.paths == ["/a", "/b"]


@pytest.mark.parametrize(
    "status", ["204 No Content", "206 Partial", "300 Many", "403 No", "404 None", "410 Gone"]
)
def test_other_statuses_are_no_answers(server: Server, fetcher: Fetcher, status: str) -> None:
    server.pages["/"] = page(b"", status)
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root)
    assert (failed.value.reason, failed.value.status) == ("http_status", int(status[:3]))
    assert failed.value.retry_after is None


@pytest.mark.parametrize(
    ("wish", "granted"),
    [
        ("120", 120),
        ("0", 0),
        ("99999999999999999999", 86400),
        ("Wed, 18 Nov 2020 08:00:00 GMT", 0),
        ("Wed, 18 Nov 2099 08:00:00 GMT", 86400),
    ],
)
def test_a_wish_to_be_left_alone_is_passed_on_within_a_day(
    server: Server, fetcher: Fetcher, wish: str, granted: int
) -> None:
    server.pages["/"] = page(b"", "503 Later", retry_after=wish)
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root)
    assert failed.value.status == 503
    assert failed.value.retry_after == datetime.timedelta(seconds=granted)


def test_a_wish_can_name_an_instant(server: Server, fetcher: Fetcher) -> None:
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    server.pages["/"] = page(b"", "429 Slowly", retry_after=format_datetime(soon, usegmt=True))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root)
    assert failed.value.retry_after is not None
    assert 590 <= failed.value.retry_after.total_seconds() <= 600


@pytest.mark.parametrize("wish", ["", "soon", "-5", "1e3", "²", "Wed, 99 Nov 2099 08:00:00 GMT", "9" * 9000])
def test_a_wish_that_cannot_be_read_breaks_nothing(server: Server, fetcher: Fetcher, wish: str) -> None:
    server.pages["/"] = page(b"", "503 Later", retry_after=wish.encode().decode("latin-1"))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(server.root)
    assert failed.value.reason == "http_status"


def test_pdf_files_may_be_larger_and_callers_may_say_how_large(server: Server, fetcher: Fetcher) -> None:
    limits = policy()
    body = bytes(limits.max_bytes + 1)
    server.pages |= {"/html": page(body), "/pdf": page(body, content_type="application/pdf")}
    assert fetcher.fetch(f"{server.root}/pdf").body == body
    assert fetcher.fetch(f"{server.root}/html", max_bytes=len(body)).body == body
    for path, most in (("/html", None), ("/pdf", len(body) - 1)):
        with pytest.raises(FetchFailed) as failed:
            fetcher.fetch(f"{server.root}{path}", max_bytes=most)
        assert failed.value.reason == "too_large"


def test_logs_and_failures_hold_no_query(
    server: Server, fetcher: Fetcher, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.pages["/"] = page()
    fetcher.fetch(f"{server.root}/?token=hunter2")
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(f"{server.root}/gone?token=hunter2")
    assert "hunter2" not in caplog.text + str(failed.value)
