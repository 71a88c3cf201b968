"""Where addresses begin that are for programs: the API, and the sandbox, which is the same in another place.

Called by the middlewares.
"""

API = "/api/"
SANDBOX = "/sandbox/"

FOR_PROGRAMS = (API, SANDBOX)
"""Nothing below these is a page."""

SANDBOX_HEADERS = {"X-Sandbox": "true", "X-Robots-Tag": "noindex, nofollow"}
"""What every answer of the sandbox says, an error too: nothing of it is real, and nobody shall find it."""
