"""What no page contains and no caller should send. The tests of the desk use the first three as well."""

from typing import Any

IDS = (
    "²", "0x10", "%00", "1%00", "99999999999999999999", "1", "-1", "1.5", "٣", "%ff", "a" * 300,
    "_00", "%2e%2e", "1;", "🔋",
)  # fmt: skip
"""Ids that look like numbers to one function and not to another, or that a database cannot store."""

BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"reason": "\0", "seen": "\0", "action": "\0", "name": "\0", "file_format": "\0", "q": "\0"},
    {"reason": "x" * 10_000, "seen": "²", "base": "²", "rule": "²", "recall": "²", "file_format": "²"},
    {"_selected_action": ["\0", "²", "-1", "9" * 30], "action": "submit", "index": "²", "due": "9" * 30},
)
QUERIES = (
    "q=%00",
    "p=-1",
    "p=%C2%B2",
    "o=%C2%B2.-9",
    "id__exact=%00",
    "e=1",
    "_popup=%00&_to_field=%00",
    "year=%C2%B2",
)

NAMES = (
    "q", "p", "o", "id__exact", "e", "_popup", "_to_field", "year", "next", "all", "page", "term", "text",
)  # fmt: skip
"""Parameters of lists and forms of the desk."""

MORE_IDS = (
    "9" * 400, "9" * 5000, "%ED%A0%80", "%C0%AF", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e%2f%2e%2e%2f", "..",
    "%",
    "%zz", "%0d%0aX-Injected:%201", "%e2%80%ae", "%F0%9F%94%8B" * 60, "'%20OR%201=1--", "%3Cscript%3E", "NaN",
    "1e999", "_5F_5F_2F", "a" * 3500, "%5C", "*", "~", "+", "0", "None", "%20", "%09", "(a%2B)%2B$",
)  # fmt: skip

TEXTS = (
    "", " ", "\0", "a\0b", "²", "٣", "0", "-1", "-0", "1.5", "1e999", "1E+999999999", "-1E-999999999", "NaN",
    "Infinity", "sNaN", "9" * 31, "9" * 400, "9" * 5000, "0x10", "1_000", "true", "on", "None", "null",
    "[]", "{}",
    "99999-12-31", "10000-01-01", "0000-00-00", "0001-01-01", "9999-12-31", "2026-02-30", "2026-W53-7",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "25:61", "-P1D",
    "🔋" * 50, "\udc80", "a\ud800", "\u202e\u200b\ufeff", "é" * 300, "a" * 100_000, "\r\nX-Injected: 1",
    "\x1b[2J",
    "../../../../etc/passwd", "<script>alert(1)</script>", "' OR 1=1 --", "%", "%s%s%n", "{{ 7 }}{% now %}",
    "${7}",
    "[" * 10_000, '{"a":' * 10_000, '"', "\\", "(", "(((((a+)+)+)+)+)$", "[z-a]", "(?P<n>a)(?P<n>b)",
    "a{1000}{1000}",
    "https://[::1", "http://a:99999/", "javascript:alert(1)", "file:///etc/passwd",
    "http://169.254.169.254/", "//",
    "https://\udc80.example/", "a@b@c", "@", "=1+1", "AE", "EK", "anker-a1289", "1", "2",
)  # fmt: skip
"""Fields of a form and values of a query. A lone surrogate is sent as bytes that are no UTF-8."""

STORED_TEXTS = tuple(text for text in TEXTS if "\0" not in text)

NUMBERS_OF_FORMS = (
    "",
    "-1",
    "²",
    "0",
    "1",
    "3",
    "1000",
    "1001",
    "99999999999",
    "1e3",
    "NaN",
    "\0",
    "9" * 5000,
)
"""What the management form of a formset may claim."""

JSON = (
    "null", "true", "-1", "0", "1.5", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "9" * 31, "9" * 400,
    "9" * 5000,
    '""', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"' + "a" * 10_000 + '"', "[]", "{}",
    "[[]]", '{"a":{}}',
    "[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000, "[" * 200 + "]" * 200, '"\udc80"',
    "[" + ",".join(["1"] * 500) + "]", '"99999-12-31"', '"0001-01-01"', '"9999-12-31"', '"2026-02-30"', '"²"',
    '"\\u202e"', '"🔋"', "0x10", "'a'", "undefined",
    '"1E+999999999"', "1E+999999999", '{"a":1,"a":2}', '"\t"',
)  # fmt: skip
"""Values in place of one value of a JSON document; some make it no JSON at all."""

HEADERS = (
    ("Accept", ""),
    ("Accept", "text/markdown"),
    ("Accept", "application/xml;q=NaN, */*;q=9"),
    ("Accept", "text/html," * 500),
    ("Accept-Encoding", "gzip;q=1e999, br;q=², *"),
    ("Accept-Language", "²," + "x-" * 400),
    ("Accept-Language", "ja;q=9,de"),
    ("Authorization", "Bearer"),
    ("Authorization", "Basic \xff\xfe"),
    ("Authorization", "Bearer btk_aaaaaaaa_" + "a" * 40),
    ("Cookie", "sessionid=\xff; csrftoken=%00; sessionid=" + "a" * 4000),
    ("Cookie", "=;;=a; \x7f"),
    ("Content-Encoding", "gzip"),
    ("Forwarded", "for=²;host=evil.example"),
    ("Host", "evil.example"),
    ("Host", "127.0.0.1:99999"),
    ("Host", "\xff"),
    ("Idempotency-Key", '"\xff"'),
    ("Idempotency-Key", '"' + "a" * 300 + '"'),
    ("If-Match", '"', ),
    ("If-Modified-Since", "Thu, 99 Foo 99999 99:99:99 GMT"),
    ("If-Modified-Since", "Sat, 01 Jan 0000 00:00:00 GMT"),
    ("If-None-Match", '"' + "a" * 4000),
    ("If-None-Match", "*"),
    ("If-None-Match", 'W/"\xff", ²'),
    ("HX-Request", "true"),
    ("Mcp-Protocol-Version", "²"),
    ("Mcp-Session-Id", "a" * 500),
    ("Origin", "null"),
    ("Origin", "https://evil.example"),
    ("Origin", "http://[::1"),
    ("Range", "bytes=-99999999999999999999,5-2"),
    ("Range", "bytes=0-0"),
    ("Referer", "http://[::1"),
    ("Sec-Fetch-Site", "cross-site"),
    ("User-Agent", "\xff" * 500),
    ("X-Forwarded-For", "²," * 200),
    ("X-Forwarded-Proto", "https"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("X-Request-ID", "\xff" * 70),
    ("X-Service-Key", "\xff"),
    ("X-Service-Key", "btk_"),
    ("Traceparent", "00-²-²-zz"),
)  # fmt: skip
"""Headers that a client of another kind, or an attacker, sends."""

TYPES = (
    "application/json",
    "application/json; charset=²",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded; charset=no-such-one",
    "application/x-www-form-urlencoded; charset=utf-7",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\xff",
    "multipart/form-data; boundary*=utf-9''a",
    "text/plain",
    "",
    "²/²",
)
"""Types of bodies that are of another type."""

FILE_NAMES = (
    "a.csv", "a.json", "a.jsonl", "a.xlsx", "../../a.csv", "\0.csv", "²" * 200 + ".csv", "",
    "a.exe", "C:\\a.xlsx",
)  # fmt: skip
FILES: tuple[bytes, ...] = (
    b"",
    b"\0" * 1000,
    b"PK\x03\x04" + b"\xff" * 300,
    b"\xff\xfea\0,\0b\0\n\0",
    b"a,b\n" + b'"' * 999,
    b"model_id,brand\n" + b"1E+999999999,\x00\n" * 50,
    b"[" * 10_000,
    b'{"model_id": "\\ud800", "rated_wh": 1e999}\n' * 20,
    b"rule_id,code\n" + b"," * 5000 + b"\n",
    ("model_id;brand\n" + "🔋;²\n" * 500).encode(),
)
