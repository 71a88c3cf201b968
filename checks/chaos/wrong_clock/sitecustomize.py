"""Sets the clock of the web processes in a trial wrong, by the seconds in the file `clock` in DATA_DIR.

Python imports this at its start if PYTHONPATH names this folder. Other programs are not affected.
"""

import datetime
import os
import sys
import time
from pathlib import Path

if "compliance.services.web" in sys.orig_argv:
    right, says = time.time, Path(os.environ["DATA_DIR"]) / "clock"

    def wrong() -> float:
        """Return the seconds since the epoch by the wrong clock."""
        try:
            return right() + float(says.read_text())
        except (OSError, ValueError):
            return right()

    def now() -> datetime.datetime:
        """Return the time by the wrong clock, as Django does."""
        return datetime.datetime.fromtimestamp(wrong(), datetime.UTC)

    time.time = wrong

    from django.utils import timezone

    timezone.now = now
