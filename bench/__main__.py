"""`make bench`: measure, one line of JSON for each figure on standard output, progress on standard error.

`make bench ARGS="--only leg --only peers"` measures some of it. What takes long, because it is about size, is
only measured by name. `make bench ARGS=--remember` adds a line to the history in docs/performance.md.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator

from bench import history, release, search
from bench.engine import impact, itinerary, leg, memory, peers, scale
from bench.http import batch, in_process, page, serving, sitemaps, stages
from bench.report import Line, say, show
from compliance.services import ServiceError
from rules.engine.document import Content, decode

OF_CONTENT: dict[str, Callable[[Content], Iterator[Line]]] = {
    "leg": leg.measure,
    "itinerary": itinerary.measure,
    "scale": scale.measure,
    "impact": impact.measure,
    "peers": peers.measure,
    "search": search.measure,
    "in-process": in_process.measure,
    "batch": batch.measure,
    "stages": stages.measure,
    "page": page.measure,
    "server": serving.measure,
    # Last, because it fills the database.
    "sitemaps": sitemaps.measure,
}
OF_SCALE = {"scale", "sitemaps"}
"""These are measured by name only: a million rules, and a million pages."""

OF_DOCUMENT: dict[str, Callable[[bytes], Iterator[Line]]] = {"memory": memory.measure}


def main() -> None:
    """Measure the parts that the command line names, or everything."""
    names = [*OF_CONTENT, *OF_DOCUMENT]
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure what a verdict costs.")
    parser.add_argument("--only", action="append", choices=names, help="measure this (may be repeated)")
    parser.add_argument("--remember", action="store_true", help="add a line to the history of figures")
    options = parser.parse_args()
    chosen = options.only or [name for name in names if name not in OF_SCALE]
    shown: list[Line] = []
    try:
        with release.published() as document:
            content = decode(document).content
            for name in names:
                if name in chosen:
                    say(f"Measuring: {name}")
                    lines = OF_DOCUMENT[name](document) if name in OF_DOCUMENT else OF_CONTENT[name](content)
                    for line in lines:
                        show(line)
                        shown.append(line)
        if options.remember:
            history.remember(shown)
    except (ServiceError, subprocess.CalledProcessError) as error:
        sys.exit(f"make bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
