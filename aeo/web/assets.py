"""The static files of the site, with addresses that change with their content, for permanent caching.

Called by templates and by the writer of pages. `compliance.middleware.static_headers` lets browsers keep
them.
"""

import functools
import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static


def asset(name: str) -> str:
    """Return the address of a static file with a digest of it. Raises `FileNotFoundError`."""
    # A file changes only during development.
    return _address.__wrapped__(name) if settings.DEBUG else _address(name)


# A page needs several, and finding one takes thirty calls to the file system.
@functools.lru_cache(maxsize=64)
def _address(name: str) -> str:
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(name)
    return f"{static(name)}?v={hashlib.sha256(Path(found).read_bytes()).hexdigest()[:12]}"
