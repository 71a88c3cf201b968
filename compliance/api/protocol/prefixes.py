"""The prefixes of addresses for programs: the API, and the sandbox, which has the same operations.

Called by the middlewares.
"""

API = "/api/"
SANDBOX = "/sandbox/"

FOR_PROGRAMS = (API, SANDBOX)
"""Nothing below these is a page."""

SANDBOX_HEADERS = {"X-Sandbox": "true", "X-Robots-Tag": "noindex, nofollow"}
"""The headers of every answer of the sandbox, also of errors.

Nothing in it is real, and no search engine may list it.
"""
