"""Origins in the one spelling that browsers use."""

import re

import pytest

from compliance.partners.origins import SPELLED, normalized


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("https://app.acme.example", "https://app.acme.example"),
        ("  HTTPS://App.Acme.Example/ ", "https://app.acme.example"),
        ("https://acme.example:443\n", "https://acme.example"),
        ("https://acme.example:8443/", "https://acme.example:8443"),
        ("https://acme.example:08443", "https://acme.example:8443"),
        ("https://192.0.2.7", "https://192.0.2.7"),
        ("https://[2001:DB8:0:0::1]:444", "https://[2001:db8::1]:444"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://localhost:80", "http://localhost"),
        ("http://127.0.0.1:5173", "http://127.0.0.1:5173"),
        ("http://[::1]:5173", "http://[::1]:5173"),
    ],
)
def test_an_origin_is_spelled_as_browsers_do(typed: str, origin: str) -> None:
    assert normalized(typed) == origin
    assert normalized(origin) == origin
    assert re.fullmatch(SPELLED, origin)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "https://"),
        ("acme.example", "https://"),
        ("ftp://acme.example", "https://"),
        ("null", "https://"),
        ("*", "exactly"),
        ("https://*.acme.example", "exactly"),
        ("https://acme.example https://other.example", "exactly"),
        ("https://acme\n.example", "exactly"),
        ("http://acme.example", "only for localhost"),
        ("http://localhost.acme.example", "only for localhost"),
        ("https://acme.example/app", "alone"),
        ("https://acme.example?x", "alone"),
        ("https://acme.example#x", "alone"),
        ("https://me:pw@acme.example", "alone"),
        ("https://@acme.example", "alone"),
        ("https://", "no host"),
        ("https://:8443", "no host"),
        ("https://-acme.example", "no host"),
        ("https://acme..example", "no host"),
        ("https://acme.example:0", "port"),
        ("https://acme.example:65536", "ort"),
        ("https://acme.example:x", "ort"),
        ("https://bücher.example", "ASCII"),
        ("https://[::g]", "origin"),
        ("https://[::1", "origin"),
    ],
)
def test_anything_else_is_refused_with_a_reason(typed: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        normalized(typed)
