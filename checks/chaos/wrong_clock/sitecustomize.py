"""Gives the web processes of a trial a clock that is wrong by what `clock` in DATA_DIR says, in seconds.

Python imports this when it starts, where PYTHONPATH names this folder. Other programs are left alone.
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
        """Return the instant by the wrong clock, as Django does."""
        return datetime.datetime.fromtimestamp(wrong(), datetime.UTC)

    time.time = wrong

    from django.utils import timezone

    timezone.now = now
