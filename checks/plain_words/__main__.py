"""Counts the words of `words.yaml` in the project's own prose, and fails where there are too many.

Read are code, documents and templates, not tests, translations and data. With `--all` every place is printed.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from compliance.services.embedded import REPOSITORY

WORDS = Path(__file__).with_name("words.yaml")
MOST_IN_TEN_THOUSAND = 3.0
READ = (".css", ".html", ".js", ".md", ".py", ".toml", ".txt", ".yaml")
NOT_READ = ("tests/", "locale/", "clients/vectors", "docs/contract/", "aeo/asking/", "requirements")
MOST_SHOWN = 20


LISTED: dict[str, list[dict[str, str]]] = yaml.load(WORDS.read_text(), Loader=yaml.CSafeLoader)


class Place(NamedTuple):
    """Where a word is, and what to say instead."""

    file: str
    line: int
    word: str
    say: str


def main() -> int:
    """Count, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="print every place")
    shown = None if parser.parse_args().all else MOST_SHOWN
    files = list(_files())
    total = sum(len(re.findall(r"[A-Za-z]+", text)) for _, text in files)
    found = [place for file, text in files for place in _places(file, text)]
    share = 10_000 * len(found) / total
    if share > MOST_IN_TEN_THOUSAND or shown is None:
        for place in found[:shown]:
            sys.stdout.write(f"{place.file}:{place.line}: {place.word!r}; say {place.say}\n")
    sys.stdout.write(f"{len(found)} of {total} words: {share:.1f} in 10,000\n")
    return 1 if share > MOST_IN_TEN_THOUSAND else 0


def _files() -> Iterator[tuple[str, str]]:
    """Yield the files that are kept, by their paths, with their texts."""
    allowed = {one["file"] for one in LISTED["allowed"]}
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    for file in listed.stdout.splitlines():
        if file.endswith(READ) and not file.startswith(NOT_READ) and file not in allowed:
            yield file, (REPOSITORY / file).read_text()


def _places(file: str, text: str) -> Iterator[Place]:
    for number, line in enumerate(text.splitlines(), start=1):
        for one in LISTED["words"]:
            for match in re.finditer(rf"\b(?:{one['word']})\b", line, re.IGNORECASE):
                yield Place(file, number, match[0], one["say"])


if __name__ == "__main__":
    sys.exit(main())
