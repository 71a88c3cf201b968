"""The settings of the service, with the comparison views beside its addresses."""

from compliance.settings import *  # noqa: F403

ROOT_URLCONF = "bench.http.urls"
# Every request is counted, as it is in public, and none is refused.
ANONYMOUS_RATE = "999999999/m"
