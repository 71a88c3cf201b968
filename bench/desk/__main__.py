"""`make desk`: open every screen of a full desk through the real server, and write what each costs.

The desk is in the folder `full-desk` of DATA_DIR, and is filled once. The figures of each screen are kept
there too: a run that was stopped continues, and `--again TEXT…` opens the screens with such a text in
their address again. The table is written to docs/desk-at-scale.md at the end.
"""

import argparse
import datetime
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.desk import desk_of_its_own, jobs
from bench.desk.table import BUDGET_QUERIES, WANTED_MS, Figures, written
from bench.http import server
from bench.report import say
from compliance.services import ServiceError, embedded

TABLE = embedded.REPOSITORY / "docs" / "desk-at-scale.md"


def main() -> None:
    """Measure what is not measured yet, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.desk", description="Measure a full desk.")
    parser.add_argument(
        "--again", metavar="TEXT", nargs="+", default=[], help="open the screens with this in them again"
    )
    again = parser.parse_args().again
    folder = embedded.data_dir() / "full-desk"
    kept = folder / "screens.jsonl"
    try:
        with desk_of_its_own.opened(folder) as word:
            figures = _figures(kept, again)
            work = _work(folder / "jobs.json")
            _measure(kept, figures, word)
            TABLE.write_text(written(figures, work, datetime.datetime.now(datetime.UTC).date()))
    except ServiceError as error:
        sys.exit(f"make desk: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _figures(kept: Path, again: Sequence[str]) -> dict[str, Figures]:
    """Return the figures of an earlier run, and forget those that are wanted again."""
    lines = kept.read_text().splitlines() if kept.exists() else []
    found = [Figures(**json.loads(line)) for line in lines]
    stay = [one for one in found if not any(text in one.screen for text in again)]
    kept.write_text("".join(_line(one) for one in stay))
    return {one.screen: one for one in stay}


def _line(figures: Figures) -> str:
    return json.dumps(figures._asdict()) + "\n"


def _measure(kept: Path, figures: dict[str, Figures], word: str) -> None:
    """Open each screen that has no figures, and keep them at once."""
    from bench.desk.pages import screens
    from bench.desk.visiting import Browser

    # Many addresses refuse: the log would be of these.
    quiet = {"LOG_LEVEL": "ERROR", "WEB_WORKERS": "1", "DATABASE_URL": os.environ["WEB_DATABASE_URL"]}
    with server.running(**quiet) as running:
        browser = Browser(f"http://127.0.0.1:{running.port}", desk_of_its_own.PERSON, word)
        listed = list(screens())
        for gone in figures.keys() - {str(screen) for screen in listed}:
            del figures[gone]
        with kept.open("a") as file:
            for screen in listed:
                if str(screen) in figures:
                    continue
                found = figures[str(screen)] = browser.visit(screen)
                file.write(_line(found))
                file.flush()
                if found.status >= 500 or found.queries > BUDGET_QUERIES or found.ms > WANTED_MS:
                    say(f"  {found}")


def _work(kept: Path) -> dict[str, float]:
    """Have the rows read, and return the seconds of the work that no page waits for, measured once."""
    from django.contrib.auth.models import User

    if kept.exists():
        jobs.read_all_rows()
    else:
        say("Measuring jobs and imports")
        by = User.objects.get(username=desk_of_its_own.PERSON)
        kept.write_text(json.dumps({name: round(seconds, 1) for name, seconds in jobs.measure(by)}))
    found: dict[str, float] = json.loads(kept.read_text())
    return found


if __name__ == "__main__":
    main()
