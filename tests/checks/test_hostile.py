"""`make hostile` sees what is wrong with an answer or a log, makes a request small, and repeats itself."""

from collections.abc import Callable

import pytest

from checks.hostile import strangers
from checks.hostile.judging import complaint, smallest, wrong_lines
from checks.hostile.making import FORM, Known, Request, admin, public
from checks.hostile.sending import Answer, written

KNOWN = Known(
    {"/admin/auth/user/": ("1",)}, {"q": ("anker",)}, {}, {"/api/verify": ({"a": [1, {"b": "c"}]},)}
)
PUBLIC = {"/api/verify": ["q"], "/check": ["q"]}
HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Answer(200, {}, 0.1), ""),
        (Answer(404, HTML | {"content-security-policy": "default-src 'none'"}, 9.9), ""),
        (Answer(500, {}, 0.1), "status 500"),
        (Answer(503, {}, 0.1), "status 503"),
        (Answer(0, {}, 0.1, "ConnectionResetError"), "no answer: ConnectionResetError"),
        (Answer(200, {}, 10.1), "slow"),
        (Answer(200, HTML, 0.1), "HTML without a content security policy"),
    ],
)
def test_a_wrong_answer_is_seen(answer: Answer, wrong: str) -> None:
    assert complaint(answer) == wrong


def test_errors_and_secrets_in_a_log_are_seen() -> None:
    lines = [
        "2026-11-26T12:00:00.000Z info compliance.access: GET /about 200 in 1.5 ms anonymous\n",
        "2026-11-26T12:00:00.000Z error django.request: A request failed.\n",
        "  File here, line 1\n",
        "2026-11-26T12:00:00.000Z error django.security.TooManyFilesSent: Refused a suspicious request.\n",
        "Traceback (most recent call last):\n",
        "2026-11-26T12:00:00.000Z info other: The serial is ABC123.\n",
    ]
    error, crash, secret = wrong_lines(lines, {"ABC123": "a serial"})
    assert error.startswith("an error in the log")
    assert "File here" in error
    assert "Traceback" in crash
    assert secret.startswith("a secret in the log (a serial)")


def test_a_request_is_made_as_small_as_still_is_wrong() -> None:
    body = b"&".join(b"field-%d=1" % number for number in range(40))
    large = Request("/a", "POST", "/a?x=1&y=2", (("Accept", "*"), ("Content-Type", FORM)), body)

    def still(request: Request) -> bool:
        return b"field-17=1" in request.body and "y=2" in request.target

    small = smallest(large, still)
    assert (small.target, small.body, small.headers) == ("/a?y=2", b"field-17=1", ())


@pytest.mark.parametrize(
    "make",
    [
        lambda seed, number: admin(
            seed, number, ["/admin/auth/user/<path:object_id>/change/"], ["a", "b"], KNOWN
        ),
        lambda seed, number: public(
            seed, number, {"/api/verify": ["q"], "/check": ["q"]}, KNOWN, strangers.sentence
        ),
    ],
)
def test_a_seed_repeats_its_requests_and_each_can_be_sent(make: Callable[[int, int], Request]) -> None:
    first = [make(1, number) for number in range(300)]
    assert first == [make(1, number) for number in range(300)]
    assert first != [make(2, number) for number in range(300)]
    assert len({request.target for request in first}) > 50
    for request in first:
        line, _, rest = written(request, {}, 80).partition(b"\r\n")
        assert line.count(b" ") == 2
        assert rest.partition(b"\r\n\r\n")[2] == request.body
