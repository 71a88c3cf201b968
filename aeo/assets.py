"""The static files of the site, by addresses that change with them, so that browsers may keep them for good.

Called by templates and by the writer of pages. `compliance.kept_files` lets browsers keep them.
"""

import functools
import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static


def asset(name: str) -> str:
    """Return the address of a static file with a digest of it. Raises `FileNotFoundError`."""
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(name)
    changed = Path(found).stat().st_mtime_ns if settings.DEBUG else 0
    return f"{static(name)}?v={_digest(found, changed)}"


@functools.lru_cache(maxsize=64)
def _digest(path: str, changed: int) -> str:
    """Return a short digest of a file. `changed` tells its states apart while somebody works on it."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
