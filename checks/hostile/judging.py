"""What is wrong with an answer or a line of the log, and the smallest request that shows it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from checks.hostile.making import Request
from checks.hostile.sending import Answer

SLOWEST_SECONDS = 10.0
MOST_TRIES = 80
PLACE_LINES = 8
"""How much of a traceback is shown."""

_WRONG_LINE = re.compile(r"Traceback \(most recent|^\S+ (error|critical) |\"level\":\"(error|critical)\"")


def complaint(answer: Answer) -> str:
    """Return what is wrong with an answer; nothing if it is as it must be."""
    if answer.broken:
        return f"no answer: {answer.broken}"
    if answer.status >= 500:
        return f"status {answer.status}"
    if answer.seconds > SLOWEST_SECONDS:
        return "slow"
    if (
        answer.headers.get("content-type", "").startswith("text/html")
        and "content-security-policy" not in answer.headers
    ):
        return "HTML without a content security policy"
    return ""


def wrong_lines(lines: Iterable[str], secrets: Mapping[str, str]) -> Iterator[str]:
    """Return the lines of a log with an error or a secret, each error with its place.

    `secrets` has their kinds by their text.
    """
    error: list[str] = []
    for line in lines:
        if error and line.startswith((" ", "Traceback")):
            error.append(line.strip())
        else:
            if error:
                yield _error(error)
            # Django logs what it refuses as an error.
            is_wrong = _WRONG_LINE.search(line) and "django.security" not in line
            error = [line.strip()] if is_wrong else []
        found = [kind for secret, kind in secrets.items() if secret in line]
        if found:
            yield f"a secret in the log ({', '.join(found)}): {line.rstrip()[:300]}"
    if error:
        yield _error(error)


def _error(lines: list[str]) -> str:
    """Write an error with the lines that say where it was."""
    return "\n    ".join([f"an error in the log: {lines[0][:600]}", *lines[1:][-PLACE_LINES:]])


def smallest(request: Request, still: Callable[[Request], bool]) -> Request:
    """Return a smaller request that is still wrong, by leaving out parts; `still` sends one."""
    left = MOST_TRIES
    found = request
    shrank = True
    while shrank:
        shrank = False
        for smaller in _smaller(found):
            if not left:
                return found
            left -= 1
            if still(smaller):
                found, shrank = smaller, True
                break
    return found


def _smaller(request: Request) -> Iterator[Request]:
    """Yield the request with one part left out, large parts first."""
    path, mark, query = request.target.partition("?")
    if mark:
        yield request._replace(target=path)
    if request.body:
        yield request._replace(body=b"")
    for at in range(len(request.headers)):
        yield request._replace(headers=request.headers[:at] + request.headers[at + 1 :])
    pieces = query.split("&")
    if len(pieces) > 1:
        for at in range(len(pieces)):
            yield request._replace(target=f"{path}?{'&'.join(pieces[:at] + pieces[at + 1 :])}")
    if b"&" in request.body:
        fields = request.body.split(b"&")
        size = len(fields) // 2
        while size:
            for at in range(0, len(fields), size):
                yield request._replace(body=b"&".join(fields[:at] + fields[at + size :]))
            size //= 2
    elif len(request.body) > 1:
        half = len(request.body) // 2
        yield request._replace(body=request.body[:half])
        yield request._replace(body=request.body[half:])


def shown(request: Request, most: int = 1500) -> str:
    """Write a request for people."""
    lines = [f"{request.method} {request.target}", *(f"{name}: {text!r}" for name, text in request.headers)]
    if request.body:
        lines.append(repr(request.body))
    return "\n    ".join(
        line if len(line) <= most else f"{line[:most]}… ({len(line)} characters)" for line in lines
    )
