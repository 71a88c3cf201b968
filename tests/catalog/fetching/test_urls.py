"""Which URLs are read, and as what."""

import re
from ipaddress import IPv4Address
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.fetching import FetchFailed
from catalog.fetching.addresses import is_public, literal
from catalog.fetching.urls import Target, follow, parse

LOOPBACK = IPv4Address("127.0.0.1")


@pytest.mark.parametrize(
    ("url", "read_as"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM:443/Rules", "https://example.com/Rules"),
        ("http://example.com./a?b=c#d", "http://example.com/a?b=c"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("https://münchen.example/über", "https://xn--mnchen-3ya.example/%C3%BCber"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
    ],
)
def test_it_reads_this_url(url: str, read_as: str) -> None:
    assert parse(url).url == read_as
    assert parse(read_as) == parse(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com/",
        "http:example.com",
        "http:///example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "http://user@example.com/",
        "http://user:password@example.com/",
        "http://example.com@8.8.8.8/",
        "http://8.8.8.8\\@example.com/",
        "http://example.com\\a",
        "http://example.com/a\r\nHost: other.example",
        "http://exa\tmple.com/",
        "http://exa mple.com/",
        "http://exa%6dple.com/",
        "http://example.com%00.other.example/",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:-1/",
        "http://localhost/",
        "http://intranet/",
        "http://a..example/",
        "http://-a.example/",
        "http://example.com../",
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 130}example/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0x7f.0.0.0x1/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.0.01/",
        "http://127.0.0.1.1/",
        "http://1.2.3.256/",
        "http://example.0x/",
        "http://①②⑦.⓪.⓪.①/",
        "http://[::1",
        "http://[::1%25lo]/",
        "http://[fe80::1%eth0]/",
        "http://[v1.x]/",
        f"http://example.com/{'a' * 4096}",
    ],
)
def test_it_refuses_this_url(url: str) -> None:
    with pytest.raises(FetchFailed) as failed:
        parse(url)
    assert failed.value.reason == "bad_url"
    assert failed.value.detail.endswith(".")


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Return a way to write an address of IPv4 that some program reads as such (`inet_aton`)."""
    bits = draw(st.integers(0, 2**32 - 1))
    parts = draw(st.integers(1, 4))
    numbers = [bits >> (24 - 8 * place) & 0xFF for place in range(parts - 1)]
    numbers.append(bits & (2 ** (32 - 8 * (parts - 1)) - 1))
    styles = st.sampled_from(["{:d}", "{:04d}", "0{:o}", "{:#x}", "{:#X}"])
    text = ".".join(draw(styles).format(number) for number in numbers)
    # ASCII, full width, bold.
    zero = draw(st.sampled_from([0x30, 0xFF10, 0x1D7CE]))
    dot = draw(st.sampled_from([".", "\u3002", "\uff0e"]))
    digits = "".join(chr(zero + digit) for digit in range(10))
    final = draw(st.sampled_from(["", "."]))
    return text.translate(str.maketrans("0123456789.", digits + dot)) + final


def read(url: str) -> Target | None:
    """Return what is read of a URL; None where it is refused by the reason that it should be."""
    try:
        return parse(url)
    except FetchFailed as failed:
        if failed.reason != "bad_url":
            raise
        return None


@given(spellings())
def test_however_a_number_is_written_it_is_an_address_or_refused(host: str) -> None:
    target = read(f"http://{host}/")
    if target:
        # Four plain numbers, then: what is checked before connecting.
        assert re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}", target.host)
        assert literal(target.host)


@given(
    st.text(printable + "\u3002①é\u200b\u202e", max_size=30),
    st.sampled_from(["http://", "https://a.example/", "https:", "//", ""]),
)
def test_whatever_is_written_what_is_read_can_be_asked_for(text: str, begin: str) -> None:
    target = read(begin + text)
    if target:
        assert parse(target.url) == target
        assert target.scheme in ("http", "https")
        assert target.path.startswith("/")
        assert (target.host + target.path).isascii()
        assert not re.search(r"[\s@\\\x00-\x1f\x7f]", target.host + target.authority)
        assert not re.search(r"[\s\x00-\x1f\x7f]", target.path)


HERE = Target("https", "example.com", 443, "/a/b?c")


@pytest.mark.parametrize(
    ("location", "leads_to"),
    [
        ("/d", "https://example.com/d"),
        ("d?e", "https://example.com/a/d?e"),
        ("?e", "https://example.com/a/b?e"),
        ("//other.example/", "https://other.example/"),
        ("https://other.example", "https://other.example/"),
        ("/mit Leerzeichen/ü", "https://example.com/mit%20Leerzeichen/%C3%BC"),
    ],
)
def test_it_follows_this_location(location: str, leads_to: str) -> None:
    assert follow(HERE, location).url == leads_to


@pytest.mark.parametrize(
    "location",
    [
        "",
        "http://example.com/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_FLUSHALL",
        "data:text/html,x",
        "https://user:password@other.example/",
        "https://2130706433/",
        "https:\\\\other.example/",
        "/a\\b",
        "https://localhost/",
        "https://other.example:99999/",
        "https://[::1",
    ],
)
def test_it_follows_no_such_location(location: str) -> None:
    with pytest.raises(FetchFailed) as failed:
        follow(HERE, location)
    assert failed.value.reason == "bad_redirect"


def test_an_unencrypted_page_may_lead_to_an_unencrypted_one() -> None:
    assert follow(Target("http", "example.com", 80, "/"), "/b").url == "http://example.com/b"


def test_a_refusal_repeats_no_password() -> None:
    with pytest.raises(FetchFailed) as failed:
        parse("https://editor:hunter2@example.com/")
    assert "hunter2" not in str(failed.value)


def test_the_loopback_in_plain_numbers_is_left_to_the_guard_of_connections() -> None:
    assert parse("http://127.0.0.1/").host == str(LOOPBACK)
    assert not is_public(LOOPBACK)
