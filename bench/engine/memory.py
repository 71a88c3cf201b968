"""How long it takes to load a release, and how much memory that takes.

As a program (`python -m bench.engine.memory FILE`) it loads the release document in FILE and prints its own
memory, in mebibytes, before and after.
"""

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.report import Line, value
from compliance.services.embedded import REPOSITORY
from rules.engine.corpus import Corpus
from rules.engine.document import decode

LOAD_ROUNDS, PROCESSES = 9, 3


def measure(document: bytes) -> Iterator[Line]:
    """Load the release repeatedly, then in new processes."""
    seconds = []
    for _ in range(LOAD_ROUNDS):
        started = time.perf_counter()
        corpus = Corpus(decode(document).content)
        seconds.append(time.perf_counter() - started)
    rules = len(corpus.content.rules)
    yield value("corpus_load_s", seconds, "s", digits=3, rules=rules, document_bytes=len(document))
    with tempfile.NamedTemporaryFile() as file:
        file.write(document)
        file.flush()
        grown = [_in_new_process(file.name) for _ in range(PROCESSES)]
    yield value("corpus_memory_mb", grown, "MiB")


def of_process(pid: int | str) -> dict[str, float]:
    """Return the memory of a process in MiB: all of it, and its fair share of shared memory."""
    sizes = dict(line.split(":") for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return {name.lower(): round(int(sizes[name].split()[0]) / 1024, 1) for name in ("Rss", "Pss")}


def _in_new_process(file: str) -> float:
    answer = subprocess.run(
        [sys.executable, "-m", __name__, file], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE
    ).stdout
    sizes = json.loads(answer)
    return sizes["after"] - sizes["before"]


def main() -> None:
    """Load the release in the file from the command line."""
    before = of_process("self")["rss"]
    corpus = Corpus(decode(Path(sys.argv[1]).read_bytes()).content)
    gc.collect()
    after = of_process("self")["rss"]
    print(json.dumps({"before": before, "after": after, "rules": len(corpus.content.rules)}))


if __name__ == "__main__":
    main()
