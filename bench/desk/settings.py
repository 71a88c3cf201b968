"""The settings of the service, which counts the queries of each answer and refuses none."""

from compliance.settings import *  # noqa: F403
from compliance.settings import MIDDLEWARE

MIDDLEWARE = ["bench.desk.counting.counted", *MIDDLEWARE]
ANONYMOUS_RATE = "999999999/m"
PAGES_RATE = "999999999/m"
READING_RATE = "999999999/m"
