"""Measures one part at one size, in a process of its own: `python -m bench.scale.one PART SIZE FOLDER`.

It prints the figures as one line of JSON; progress goes to standard error.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

from compliance.services import ServiceError


def main() -> None:
    """Measure what the command line names."""
    part, size, folder = sys.argv[1:]
    try:
        print(json.dumps(import_module(f"bench.scale.{part}").measure(int(size), Path(folder))), flush=True)
    except ServiceError as error:
        sys.exit(f"make scale: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
