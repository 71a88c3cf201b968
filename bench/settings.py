"""The settings of the service, with the comparison views beside its addresses."""

from compliance.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
