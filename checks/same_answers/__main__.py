"""`make same BASE=main~20`: does this version give the same answers as that one?

It checks BASE out into a separate folder, starts both versions as in `make run`, each with its own database,
and sends both the same thousands of requests: API, pages in all languages and forms, manifest, feeds,
datasets, agents, sandbox, embed. It prints every answer that differs, except for ids and times, and their
number; it fails if there is one. DIFFERENCES names a file for the whole texts.

SEED (default 1) varies the requests. Only the loopback address is used.
"""

import argparse
import contextlib
import difflib
import http.client
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from checks.same_answers.asking import Request, requests
from checks.same_answers.comparing import Answer, comparable
from checks.whole_service import checked_out, environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY

AT_LEAST = 5_000
MOST_SHOWN = 40


def main() -> int:
    """Ask both versions, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("base", help="a commit, a branch or a tag")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--differences", type=Path, help="a file for the whole texts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="same-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        base = stack.enter_context(checked_out(given.base, folder / "base"))
        old = Service(stack.enter_context(_serving(base, folder / "old.log")))
        new = Service(stack.enter_context(_serving(REPOSITORY, folder / "new.log")))
        asked = requests(old.read, given.seed)
        different = list(_different(asked, old, new))
    if given.differences:
        given.differences.write_text("\n\n".join(f"{request}\n{text}" for request, text in different))
    for request, text in different[:MOST_SHOWN]:
        sys.stdout.write(f"{request.method} {request.path} {request.body[:200]}\n{text[:600]}\n\n")
    kinds = Counter(re.sub(r"[?.].*", "", request.path).split("/")[1] or "/" for request in asked)
    sys.stdout.write(f"{len(asked)} requests ({dict(kinds.most_common())}), {len(different)} different\n")
    if len(asked) < AT_LEAST:
        sys.stdout.write(f"That is fewer than {AT_LEAST}.\n")
    return 1 if different or len(asked) < AT_LEAST else 0


class Service:
    """One running version, over one connection."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url).netloc
        self._connection = http.client.HTTPConnection(self._address, timeout=60)

    def ask(self, request: Request) -> Answer:
        """Return the answer; a closed connection is opened again."""
        body = request.body.encode() if request.method == "POST" else None
        try:
            self._connection.request(request.method, request.path, body, dict(request.headers))
            got = self._connection.getresponse()
        except (ConnectionError, http.client.HTTPException):
            self._connection = http.client.HTTPConnection(self._address, timeout=60)
            self._connection.request(request.method, request.path, body, dict(request.headers))
            got = self._connection.getresponse()
        headers = {name.lower(): value for name, value in got.getheaders()}
        return Answer(got.status, headers, got.read())

    def read(self, path: str) -> bytes:
        """Return the body of a page that must exist."""
        answer = self.ask(Request("GET", path))
        if answer.status != 200:
            raise RuntimeError(f"{path} answers {answer.status}")
        return answer.body


def _different(asked: list[Request], old: Service, new: Service) -> Iterator[tuple[Request, str]]:
    for request in asked:
        before, after = comparable(old.ask(request)), comparable(new.ask(request))
        if before != after:
            lines = difflib.unified_diff(_lines(before), _lines(after), "before", "after", n=0, lineterm="")
            yield request, "\n".join(lines)


def _lines(text: str) -> list[str]:
    """Return a text in short lines, so differences are small; JSON and HTML come in one line."""
    return re.sub(r"(,\"|>)", r"\1\n", text).split("\n")


@contextlib.contextmanager
def _serving(tree: Path, log: Path) -> Iterator[str]:
    """Serve a tree with its own database; yield the address. Both versions get the same settings."""
    with throwaway.services() as addresses:
        settings = {
            **environment_of(addresses),
            "PAGES_RATE": "10000000/m",
            "READING_RATE": "10000000/m",
            "SITE_URL": "https://batteries.example",
            "WEB_WORKERS": "1",
        }
        with serving(settings, log, tree) as url:
            yield url


if __name__ == "__main__":
    sys.exit(main())
