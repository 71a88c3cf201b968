"""How long browsers cache the files of the public site: forever, because each name contains a digest.

Called by WhiteNoise for every static file. The settings import it, so it knows nothing of Django.
"""

from collections.abc import MutableMapping

SITE = "/static/site/"

FOR_GOOD = "public, max-age=31536000, immutable"


def keep_for_good(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Add the header to a file of the site."""
    if url.startswith(SITE):
        headers["Cache-Control"] = FOR_GOOD
