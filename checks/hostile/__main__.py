"""`make hostile`: requests that no page and no program sends, against the real server.

It starts a PostgreSQL and a Redis of its own, seeds and publishes, and serves with two processes. ADMIN
(default 20,000) requests come from the signed-in desk, in eight roles by turns, with valid tokens; PUBLIC
(default 100,000) come from strangers and programs. Addresses, queries, headers and bodies are hostile
(`values`); many begin as what a page or the contract offers, so that they get past the first check.

It fails at any 5xx, at a request without an answer, at an answer that takes more than ten seconds, at an HTML
answer without a content security policy, and at an error or a secret in the server's log. It prints what it
found, each with the smallest request that repeats it. SEED (default 1) varies the requests; the same seed
sends the same ones. Only the loopback address is used.
"""

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from checks.hostile import strangers
from checks.hostile.addresses import PLACE, routes
from checks.hostile.forms import Form
from checks.hostile.judging import complaint, shown, smallest, wrong_lines
from checks.hostile.making import Fields, Known, Request, admin, public
from checks.hostile.sending import Answer, Connection
from checks.whole_service import environment_of, serving
from compliance.services import throwaway

if TYPE_CHECKING:
    from django.urls import URLPattern

    from checks.hostile.people import People

CLIENTS = 4
MOST_SHRUNK = 12
"""So many kinds of findings are made small."""
RATE = "10000000/m"
RATES = dict.fromkeys(("ANONYMOUS_RATE", "PAGES_RATE", "READING_RATE", "SANDBOX_RATE", "WATCH_RATE"), RATE)
SIGN_IN = "/admin/login/"


class Findings:
    """Counts answers, and keeps one request for each kind of wrong answer."""

    def __init__(self) -> None:
        self.statuses: dict[str, Counter[int]] = {}
        self.routes: dict[str, Counter[int]] = {}
        self.wrong: dict[tuple[str, str], tuple[int, Request]] = {}
        self.times: Counter[tuple[str, str]] = Counter()
        self.slowest = 0.0
        self.led_to_sign_in = 0
        self._lock = threading.Lock()

    def add(self, number: int, request: Request, answer: Answer) -> None:
        """Judge and count one answer."""
        found = complaint(answer)
        with self._lock:
            self.statuses.setdefault(request.role or "public", Counter())[answer.status] += 1
            self.routes.setdefault(request.route, Counter())[answer.status] += 1
            self.led_to_sign_in += answer.headers.get("location", "").startswith(SIGN_IN)
            self.slowest = max(self.slowest, answer.seconds)
            if found:
                self.times[found, request.route] += 1
                self.wrong.setdefault((found, request.route), (number, request))


def main() -> None:
    """Send everything, and print what was found."""
    seed = int(os.environ.get("SEED") or 1)
    wanted = {
        "admin": int(os.environ.get("ADMIN") or 20_000),
        "public": int(os.environ.get("PUBLIC") or 100_000),
    }
    # PostgreSQL's account must be able to enter it.
    with tempfile.TemporaryDirectory(prefix="hostile-") as name, throwaway.services() as addresses:
        log = Path(name) / "server.log"
        environment = {**environment_of(addresses), **RATES, "LOG_LEVEL": "INFO", "EMAIL_URL": "dummy:"}
        with serving(environment, log) as url:
            findings, secrets = _send_all(environment, urlsplit(url).port or 0, seed, wanted)
        with log.open(errors="replace") as lines:
            problems = [*findings, *_few(wrong_lines(lines, secrets | _keys(environment)))]
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(
            f"{len(problems)} kinds of findings are above. SEED={seed} make hostile sends the same requests."
        )


def _send_all(
    environment: Mapping[str, str], port: int, seed: int, wanted: Mapping[str, int]
) -> tuple[list[str], dict[str, str]]:
    """Send both kinds; return what was wrong, and the secrets that the log must not contain."""
    os.environ.update(environment, LOG_LEVEL="ERROR")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    import django

    django.setup()
    from checks.hostile import rows
    from checks.hostile.people import ROLES, People

    people = People()
    secrets = rows.make_rows() | {strangers.SERIAL: "a serial"}
    paths = list(dict.fromkeys(path for path, _ in routes()))
    desk = [path for path in paths if path.startswith("/admin/")]
    names = sorted(strangers.words())
    others = {path: _parameters(view, names) for path, view in routes() if path not in desk}
    known = Known(rows.ids(), rows.words(), {}, {})
    known = known._replace(forms=_forms(Connection(port), people, desk, known))
    strange = Known({}, strangers.words(), {}, strangers.documents())

    def of_the_desk(number: int) -> Request:
        return admin(seed, number, desk, ROLES, known)

    def of_strangers(number: int) -> Request:
        return public(seed, number, others, strange, strangers.sentence)

    problems: list[str] = []
    for kind, make in (("admin", of_the_desk), ("public", of_strangers)):
        findings = Findings()
        _send(kind, wanted[kind], port, people, make, findings)
        _report(kind, findings, desk if kind == "admin" else [*others])
        problems += _problems(findings, port, people)
    print(f"Signed in: {', '.join(f'{role} {times} times' for role, times in people.times.items())}.")
    return problems, secrets | people.secrets


def _parameters(view: "URLPattern", names: list[str]) -> list[str]:
    """Return the parameters that a view takes: all names for one that takes any, and for the API."""
    from aeo.web.parameters import parameters_of

    taken = parameters_of(view.callback)
    is_of_the_api = getattr(view.callback, "view_class", None) is not None
    return names if taken is None or is_of_the_api else sorted(taken)


def _send(
    kind: str, count: int, port: int, people: "People", make: Callable[[int], Request], findings: Findings
) -> None:
    """Send so many requests from several clients."""
    began, done = time.monotonic(), [0] * CLIENTS

    def client(which: int) -> None:
        connection = Connection(port)
        for number in range(which, count, CLIENTS):
            request = make(number)
            findings.add(number, request, _ask(connection, people, request))
            done[which] += 1
        connection.close()

    threads = [threading.Thread(target=client, args=(which,), daemon=True) for which in range(CLIENTS)]
    for thread in threads:
        thread.start()
    said = began
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.2)
        if (now := time.monotonic()) - said > 20:
            said, speed = now, sum(done) / (now - began)
            left = (count - sum(done)) / speed if speed else 0
            print(f"{kind}: {sum(done)} of {count}, {speed:.0f} a second, {left:.0f} s left", flush=True)
    seconds = time.monotonic() - began
    print(
        f"{kind}: {count} requests in {seconds:.0f} s, {count / max(seconds, 0.1):.0f} a second", flush=True
    )


def _ask(connection: Connection, people: "People", request: Request) -> Answer:
    """Send a request, signed in if it has a role; sign in again if the session was lost."""
    if not request.role:
        return connection.send(request)
    headers = people.headers(request.role)
    answer = connection.send(request, headers)
    if answer.headers.get("location", "").startswith(SIGN_IN):
        people.lost(request.role, headers)
        answer = connection.send(request, people.headers(request.role))
    return answer


def _forms(connection: Connection, people: "People", desk: list[str], known: Known) -> dict[str, Fields]:
    """Return the fields of the form on each page of the desk that has one, as a superuser gets it."""
    found: dict[str, Fields] = {}
    for route in desk:
        starts = [one for one in known.ids if route.startswith(one) and known.ids[one]]
        place = known.ids[max(starts, key=len)][0] if starts else "1"
        target = PLACE.sub(place, route)
        headers = people.headers("superuser")
        page = connection.send(Request(route, "GET", target, (("Accept", "text/html"),)), headers).body
        fields = Form(page.decode(errors="replace")).fields
        fields.pop("csrfmiddlewaretoken", None)
        if fields:
            found[route] = [(name, text) for name, texts in fields.items() for text in texts]
    print(f"{len(found)} pages of the desk have a form.", flush=True)
    return found


def _report(kind: str, findings: Findings, routes: list[str]) -> None:
    """Print how many answers of each status each role got."""
    for role, counts in findings.statuses.items():
        total = counts.total()
        shares = ", ".join(
            f"{status} {100 * count / total:.1f} %" for status, count in sorted(counts.items())
        )
        print(f"  {role} ({total}): {shares}")
    refused = {404, 405, 429}
    reached = [route for route in routes if findings.routes.get(route, Counter()).keys() - refused]
    missing = [route for route in routes if route not in reached]
    print(
        f"  {len(reached)} of {len(routes)} addresses were reached; slowest answer {findings.slowest:.1f} s"
    )
    total = sum(counts.total() for counts in findings.statuses.values())
    limited = sum(counts[429] for counts in findings.statuses.values())
    print(f"  of {total} answers, {limited} were 429 and {findings.led_to_sign_in} led to the sign-in")
    if missing:
        print(f"  not reached: {' '.join(missing)}")


def _problems(findings: Findings, port: int, people: "People") -> Iterator[str]:
    """Yield each kind of wrong answer, with the smallest request that repeats it."""
    connection = Connection(port)
    for at, ((found, route), (number, request)) in enumerate(findings.wrong.items()):
        times, again = findings.times[found, route], "it did not repeat by itself"
        if at < MOST_SHRUNK:

            def still(smaller: Request, found: str = found) -> bool:
                return complaint(_ask(connection, people, smaller)) == found

            if still(request):
                request, again = smallest(request, still), "smallest"
        who = f" as {request.role}" if request.role else ""
        yield f"{found}, {times} times at {route}; request {number}{who}, {again}:\n    {shown(request)}"


def _keys(environment: Mapping[str, str]) -> dict[str, str]:
    names = ("SECRET_KEY", "VERDICT_KEY", "RELEASE_KEY")
    return {environment[name]: name for name in names}


def _few(lines: Iterator[str], most: int = 30) -> list[str]:
    """Return the first of many lines."""
    return [line for _, line in zip(range(most), lines, strict=False)]


if __name__ == "__main__":
    main()
