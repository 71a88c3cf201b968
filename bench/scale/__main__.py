"""`make scale`: measure each part at three sizes, keep the figures in DATA_DIR, and print the tables.

`make scale ARGS="--only log --only bulk"` measures some parts, `--times 3` each size until it has three
measurements, and the tables show their median and between what they lie; `--small` tries everything at small
sizes. A run that was stopped continues after the last size that ended. The folder `scale` in DATA_DIR has the
figures and what parts leave for their next size; without it, all is measured anew.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from bench.report import say
from bench.scale.kept import Figures, Kept, busy
from bench.scale.parts import PARTS, Part
from bench.scale.table import table
from compliance.services import embedded


def main() -> None:
    """Measure what is not measured yet, and print all tables."""
    names = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description="Measure what grows.")
    parser.add_argument("--only", action="append", choices=names, help="measure this (may be repeated)")
    parser.add_argument(
        "--times", type=int, default=1, help="measure each size so often, in one run or several"
    )
    parser.add_argument("--small", action="store_true", help="try it at small sizes")
    arguments = parser.parse_args()
    folder = embedded.data_dir() / ("scale-small" if arguments.small else "scale")
    folder.mkdir(parents=True, exist_ok=True)
    # The account of PostgreSQL must be able to enter it.
    folder.chmod(0o755)
    kept = Kept(folder / "figures.json")
    try:
        for part in PARTS:
            if part.name in (arguments.only or names):
                sizes = part.small if arguments.small else part.full
                for times in range(1, arguments.times + 1):
                    _measure(part, sizes, times, folder / part.name, kept)
            print(f"\n{part.name}\n\n{table(part.counted, kept.of(part.name))}", flush=True)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit(130)


def _measure(part: Part, sizes: tuple[int, ...], times: int, folder: Path, kept: Kept) -> None:
    """Measure a part at the sizes that were measured less often, and remove its folder when none was."""
    missing = [size for size in sizes if len(kept.of(part.name).get(size, ())) < times]
    for size in missing:
        say(f"Measuring: {part.name}, {size:,} {part.counted}")
        folder.mkdir(exist_ok=True)
        kept.keep(part.name, size, busy() | _figures(part.name, size, folder))
    if missing:
        shutil.rmtree(folder)


def _figures(name: str, size: int, folder: Path) -> Figures:
    """Measure in another process: what one size leaves in memory does not count for the next."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.scale.one", name, str(size), str(folder)],
        cwd=embedded.REPOSITORY,
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
