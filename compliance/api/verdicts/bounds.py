"""The limits of a question, for its contract (`requests`) and its readers (`questions`)."""

import re
from typing import Literal

from django.conf import settings

MAX_TRANSIT_STOPS = 8
MAX_LEGS = MAX_TRANSIT_STOPS + 1

REF = re.compile(r"[A-Za-z0-9._-]{1,40}")
REF_WANTED = "Send 1 to 40 letters, digits, dots, hyphens or underscores, or leave it out."
PLACE_CODE = re.compile(r"[A-Z]{2}|([A-Z]{2}-)?[A-Z]{3}")
"""A country, or an airport with or without its country."""

MAX_SERIAL_CHARACTERS = 64
MAX_VERSION_CHARACTERS = 64

Citations = Literal["full", "deciding", "none"]
"""How much evidence an answer lists."""

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)

SERIAL_HASH = re.compile(r"[0-9a-f]{64}")
