"""Opens screens through a real server, as a browser does that is signed in."""

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.cookiejar import CookieJar
from statistics import median
from urllib.parse import urlencode

from bench.desk.counting import CPU_MS, QUERIES, SQL_MS
from bench.desk.pages import Screen
from bench.desk.table import Figures

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
PATIENCE_SECONDS = 600
SLOW_SECONDS = 20
"""A screen that takes so long is opened once."""


class _Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow no redirect: what leads on is no screen."""


class Browser:
    """A browser with cookies, signed in as one person."""

    def __init__(self, origin: str, name: str, word: str) -> None:
        """Sign in. Raises RuntimeError if the server does not let the person in."""
        self._origin = origin
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()), _Stays())
        self._token = ""
        self._token = self._read_token("/admin/login/")
        login = Screen("/admin/login/", (("username", name), ("password", word), ("next", "/admin/")))
        if (status := self._once(login).status) != 302:
            raise RuntimeError(f"signing in was answered with {status}")
        self._token = self._read_token("/admin/password_change/")

    def visit(self, screen: Screen, visits: int = 3) -> Figures:
        """Open a screen once to warm up, and then so many times."""
        first = self._once(screen)
        if first.status != 200 or first.ms > SLOW_SECONDS * 1000:
            return first
        found = [self._once(screen) for _ in range(visits)]
        return found[-1]._replace(
            ms=round(median(one.ms for one in found)),
            cpu_ms=round(median(one.cpu_ms for one in found)),
            sql_ms=round(median(one.sql_ms for one in found)),
            queries=round(median(one.queries for one in found)),
        )

    def _read_token(self, address: str) -> str:
        with self._open(Screen(address)) as response:
            found = TOKEN.search(response.read())
        if found is None:
            raise RuntimeError(f"{address} has no form")
        return found[1].decode()

    def _once(self, screen: Screen) -> Figures:
        began = time.perf_counter()
        with self._open(screen) as response:
            body = response.read()
            ms = (time.perf_counter() - began) * 1000
            figures = [int(response.headers.get(name, 0)) for name in (QUERIES, CPU_MS, SQL_MS)]
            kind = response.headers.get_content_type()
            queries, cpu_ms, sql_ms = figures
            return Figures(str(screen), response.status, kind, queries, round(ms), cpu_ms, sql_ms, len(body))

    def _open(self, screen: Screen) -> http.client.HTTPResponse:
        sent: Sequence[tuple[str, str]] = screen.sent
        body = urlencode([*sent, ("csrfmiddlewaretoken", self._token)]).encode() if sent else None
        asked = urllib.request.Request(f"{self._origin}{screen.address}", body, {"Accept": "text/html"})
        try:
            response: http.client.HTTPResponse = self._opener.open(asked, timeout=PATIENCE_SECONDS)
        except urllib.error.HTTPError as error:
            return error  # type: ignore[return-value]
        return response
