"""`make chaos`: the production shape under load, with one fault after another.

For each fault it starts `make up` on a copy of the same data. A few clients ask for verdicts, trips, pages,
lists and files; the fault happens and is repaired; every answer is judged. It prints a table, and fails if
anything that must be 0 is not. `docs/chaos.md` explains the table.

`python -m checks.chaos WORD...` tries only the faults whose name contains one of the words. Only the loopback
address is used.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import django

from compliance.services import ServiceError


def main() -> None:
    """Try all faults, or the named ones."""
    set_up()
    from checks.chaos.faults import FAULTS
    from checks.chaos.table import lines
    from checks.chaos.trial import run, template

    words = [word.lower() for word in sys.argv[1:]]
    faults = [fault for fault in FAULTS if not words or any(word in fault.name.lower() for word in words)]
    if not faults:
        sys.exit(f"No fault has this name. The faults are: {', '.join(fault.name for fault in FAULTS)}.")
    rows, began = [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        folder = Path(name)
        # PostgreSQL's account must be able to enter it.
        folder.chmod(0o755)
        try:
            with template(folder, _say) as (data, calm):
                for row in run(faults, data, folder, calm):
                    rows.append(row)
                    for line in lines([row])[1:]:
                        _say(line)
        except ServiceError as error:
            sys.exit(f"make chaos: {error}")
    print()
    for line in lines(rows):
        print(line)
    bad = [row.name for row in rows if not row.is_good]
    print(f"\n{len(rows)} faults in {time.monotonic() - began:.0f} seconds.")
    if bad:
        sys.exit(f"Not as expected: {', '.join(bad)}.")


def set_up() -> None:
    """Let this process compute answers, with the keys of the service and without a database."""
    from checks.chaos.keys import KEYS

    os.environ.update(
        DJANGO_SETTINGS_MODULE="compliance.settings",
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        REDIS_URL="",
        LOG_LEVEL="ERROR",
        **KEYS,
    )
    django.setup()


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
