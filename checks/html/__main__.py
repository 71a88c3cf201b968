"""`make html`: all kinds of pages of the real server, checked against the HTML standard and the API.

It starts a PostgreSQL of its own, seeds and publishes, and requests every address in the sitemaps that is no
verdict page: more than 11,000, in eight languages. A fifth of PAGES (default 1,000) are verdict pages at
random that no sitemap has; if there are still fewer than PAGES, verdict pages of the sitemaps are added. The
Nu HTML checker checks each. The structured data of each verdict page is read back: it must agree with the
JSON of the page, and each of its answers with the API. No two pages for the index have the same text.

SEED (default 1) varies the pages. Only the loopback address is used.
"""

import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

from checks import migrated_cluster
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.embedded import REPOSITORY

CHECKER = REPOSITORY / ".venv" / "html" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
AT_ONCE = 2
"""Requests: the server has two processes."""

NOT_FOR_THE_INDEX = '<meta name="robots" content="noindex'


def main() -> None:
    """Collect the pages, then check them."""
    seed, number = int(os.environ.get("SEED") or 1), int(os.environ.get("PAGES") or 1000)
    with (
        tempfile.TemporaryDirectory(prefix="html-") as name,
        throwaway.services(migrated_cluster.archive()) as addresses,
    ):
        folder = Path(name)
        environment = environment_of(addresses)
        with serving(environment, folder / "server.log") as url:
            pages = dict(_pages(url, number, random.Random(seed)))
            print(f"make html: {len(pages)} pages, seed {seed}.", flush=True)
            with ThreadPoolExecutor(1) as pool:
                # The checker and the server work at the same time.
                findings = pool.submit(_against_the_standard, folder / "pages", pages)
                differences = [one for path, page in pages.items() for one in _differences(url, path, page)]
        problems = [*differences, *_shared(pages), *findings.result()]
    for problem in problems[:100]:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} problems; the first 100 are above. SEED={seed} make html repeats them.")


def _pages(url: str, number: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Return all listed pages but verdict pages, and verdict pages at random: a fifth of `number` or more."""
    listed = sorted(
        address
        for shard in re.findall(r"<loc>[^<]*?(/sitemaps/[^<]+)</loc>", _get(f"{url}/sitemap.xml"))
        for address in re.findall(r"<url><loc>https?://[^/<]+([^<]*)</loc>", _get(url + unescape(shard)))
    )
    verdicts = [address for address in listed if address.startswith("/p/")]
    others = [address for address in listed if not address.startswith("/p/")]
    room = max(0, number * 4 // 5 - len(others))
    chosen = [*others, *chance.sample(verdicts, min(room, len(verdicts)))]
    missing = max(number // 5, number - len(chosen))
    drawn = _drawn(url, listed, chance)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from zip(chosen, pool.map(lambda address: _get(url + unescape(address)), chosen), strict=True)
        while missing:
            paths = list(itertools.islice(drawn, missing))
            for path, page in zip(paths, pool.map(lambda path: _page(url + path), paths), strict=True):
                if page is not None:
                    yield path, page
                    missing -= 1


def _drawn(url: str, listed: list[str], chance: random.Random) -> Iterator[str]:
    """Yield addresses of verdict pages at random, each once, and none of those in the sitemaps."""
    found = set(listed)
    countries = sorted({address.split("/")[-1] for address in listed if address.startswith("/p/")})
    models, airlines = _all(url, "devices", "model_id"), _all(url, "airlines", "airline")
    while True:
        path = f"/p/{chance.choice(models)}/{chance.choice(airlines).lower()}/{chance.choice(countries)}"
        if path not in found:
            found.add(path)
            yield path


def _page(address: str) -> str | None:
    """Return the page of a verdict. An airline without a rule in force has none."""
    try:
        return _get(address)
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return None


def _differences(url: str, path: str, page: str) -> Iterator[str]:
    """Return where the structured data of a page, its JSON and the API disagree."""
    nodes = [
        json.loads(text)
        for text in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
    ]
    if not nodes:
        yield f"{path}: no structured data"
        return
    if not path.startswith("/p/"):
        return
    record = json.loads(_get(f"{url}{path}.json"))
    article = next(node for node in _flat(nodes) if node.get("@type") == "Article")
    if article["articleBody"] != record["article_body"]:
        yield f"{path}: the structured data has another body than the JSON"
    if unescape(article["articleBody"].split(". ")[0]) not in unescape(page):
        yield f"{path}: the body is not on the page"
    for flight in record["flights"]:
        asked = json.loads(_get(f"{url}/api/verify", flight["ask"]["body"]))
        for name in sorted(flight.keys() & asked.keys()):
            if flight[name] != asked[name]:
                yield f"{path}: the API answers {flight['kind']} with another `{name}`"


def _flat(nodes: list[Any]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        yield from _flat(node) if isinstance(node, list) else [node]


def _shared(pages: dict[str, str]) -> Iterator[str]:
    """Return the pages for the index that have the text of another one."""
    seen: dict[str, str] = {}
    for path, page in pages.items():
        if NOT_FOR_THE_INDEX in page:
            continue
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<main")[2]))
        other = seen.setdefault(hashlib.sha256(text.encode()).hexdigest(), path)
        if other != path:
            yield f"{path}: says what {other} says"


def _against_the_standard(folder: Path, pages: dict[str, str]) -> Iterator[str]:
    """Return the findings of the checker."""
    folder.mkdir()
    named = {f"{number:05}.html": path for number, path in enumerate(pages)}
    for name, path in named.items():
        (folder / name).write_text(pages[path])
    ended = subprocess.run(
        ["java", "-jar", str(CHECKER), "--errors-only", "--format", "json", str(folder)],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    found = json.loads(ended.stderr)["messages"]
    if ended.returncode and not found:
        yield f"The checker failed: {ended.stderr}"
    for message in found:
        path = named.get(message.get("url", "").rpartition("/")[2], "")
        line, extract = message.get("lastLine", "?"), message.get("extract", "").strip()
        yield f"{path}:{line}: {message['message']}: {extract}"


def _all(url: str, kind: str, key: str) -> list[str]:
    """Return the keys of all records of a kind."""
    keys: list[str] = []
    cursor = ""
    while True:
        answer = json.loads(_get(f"{url}/api/{kind}?limit=100{cursor}"))
        keys += [record[key] for record in answer[kind]]
        if answer["next_cursor"] is None:
            return keys
        cursor = f"&cursor={answer['next_cursor']}"


def _get(address: str, body: Any = None) -> str:
    """Return the answer of an address; a body is sent as JSON."""
    request = urllib.request.Request(address, headers={"Accept": "text/html, application/json, */*"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        text: str = answer.read().decode()
    return text


if __name__ == "__main__":
    main()
