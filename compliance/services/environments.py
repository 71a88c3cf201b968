"""The environment of each kind of process that the service starts: what it needs, and no more.

An attacker who makes a process show its memory or `/proc/self/environ` reads its environment. So PostgreSQL
and Redis get no key and no address, and the scheduler of the jobs, which runs none itself, gets keys that
open nothing. The lists say what is allowed: a new variable reaches no process until it has a line here.
"""

import os
import secrets
from collections.abc import Mapping
from typing import Literal

from compliance.services.keys import LENGTHS, RELEASE_KEY

Kind = Literal["server", "client", "prepare", "publisher", "web", "worker", "beat"]
"""`server`: PostgreSQL and Redis. `client`: programs of PostgreSQL that connect to a server. The others are
ours: `prepare` fills the database, `publisher` signs releases, `worker` runs jobs, `beat` only says when they
are due."""

OF_ALL = ("LANG", "LANGUAGE", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ")
"""What every program may get: where programs and files are, language, and time zone."""

OF_CLIENTS = (
    "HOME",
    "PGCONNECT_TIMEOUT",
    "PGPASSFILE",
    "PGSERVICEFILE",
    "PGSSLCERT",
    "PGSSLCRL",
    "PGSSLKEY",
    "PGSSLMODE",
    "PGSSLROOTCERT",
)
"""PostgreSQL's own settings of a connection, and where it looks for certificates."""

OF_OURS = (
    "ADMIN_PATH",
    "ALLOWED_HOSTS",
    "ANONYMOUS_RATE",
    "CORPUS_POLL_SECONDS",
    "DATA_DIR",
    "DEBUG",
    "DESK_ENVIRONMENT",
    "DESK_IDLE_MINUTES",
    "DESK_SECOND_FACTOR",
    "DESK_SESSION_HOURS",
    "DJANGO_SETTINGS_MODULE",
    "FEED_ACCC_URL",
    "FEED_CPSC_URL",
    "FEED_HEALTH_CANADA_URL",
    "FEED_SAFETY_GATE_URL",
    "FETCH_HOST_PAUSE_SECONDS",
    "FETCH_MAX_BYTES",
    "FETCH_SECONDS",
    "FETCH_TEST_NETWORKS",
    "FETCH_USER_AGENT",
    "HOME",
    "HSTS_PRELOAD",
    "HSTS_SECONDS",
    "HSTS_SUBDOMAINS",
    "INDEXNOW_ENDPOINT",
    "INDEXNOW_KEY",
    "LOG_FORMAT",
    "LOG_LEVEL",
    "MAIL_FROM",
    "PAGES_RATE",
    "PARTNER_KEYS_OUTAGE_SECONDS",
    "PARTNER_KEYS_TTL_SECONDS",
    "PARTNER_WATCHES",
    "READING_RATE",
    "RECEIPT_ALGORITHM",
    "REDIS_URL",
    "RELEASE_HEAD_FILE",
    "RELEASE_PUBLIC_KEYS",
    "SANDBOX_RATE",
    "SECURITY_CONTACT",
    "SENTRY_DSN",
    "SITE_URL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TRUSTED_PROXIES",
    "VERDICT_LOG_DAYS",
    "VERDICT_LOG_FULL",
    "VERDICT_SHIP_SECONDS",
    "VERDICT_SPOOL_DIR",
    "VERDICT_SPOOL_MAX_BYTES",
    "VERDICT_VALIDITY_HOURS",
    "WARM_PAGES_BYTES",
    "WATCH_RATE",
    "WATCH_SOURCES",
)
"""Settings of all our own programs, of which none is a key of the service."""

PREFIXES_OF_OURS = ("LC_", "OTEL_", "PYTHON")
"""Settings of Python, and of OpenTelemetry where it is on."""

KEYS = ("RECEIPT_KEYS", "RECEIPT_RETIRED_KEYS", "SECRET_KEY", "SECRET_KEY_FALLBACKS", "VERDICT_KEY")
OF_KINDS: Mapping[Kind, tuple[str, ...]] = {
    "prepare": ("DATABASE_URL", RELEASE_KEY, *KEYS),
    "publisher": ("DATABASE_URL", RELEASE_KEY, *KEYS),
    "web": ("DATABASE_POOL", "DATABASE_URL", "WEB_THREADS", "WEB_WORKERS", *KEYS),
    "worker": ("DATABASE_URL", "EMAIL_URL", *KEYS),
    "beat": (),
}
"""What only some of our programs get. Who answers requests or runs jobs cannot sign a release."""

URLS: Mapping[Kind, str] = {
    "publisher": "PUBLISHER_DATABASE_URL",
    "web": "WEB_DATABASE_URL",
    "worker": "WORKER_DATABASE_URL",
}
"""The variable with the address, as its own role, of the database of a kind of process.

Without it a process is the role of `DATABASE_URL`, to which the tables belong.
"""

NOWHERE = "postgresql://127.0.0.1:1/none"
"""The address of no database, for a program that reads the settings and needs none."""


def for_process(kind: Kind, ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a new process; `ours` is that of the process that starts it."""
    match kind:
        case "server":
            return _chosen(ours, OF_ALL)
        case "client":
            return _chosen(ours, OF_ALL + OF_CLIENTS)
    chosen = _chosen(ours, OF_ALL + OF_OURS + OF_KINDS[kind], PREFIXES_OF_OURS)
    if kind == "beat":
        return chosen | _worthless()
    own_url = ours.get(URLS.get(kind, ""))
    return chosen | ({"DATABASE_URL": own_url} if own_url else {})


def become(kind: Kind) -> None:
    """Let this process have the environment of a kind of process, and forget all else."""
    own = for_process(kind, os.environ)
    os.environ.clear()
    os.environ.update(own)


def _chosen(
    environment: Mapping[str, str], names: tuple[str, ...], prefixes: tuple[str, ...] = ()
) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name in names or name.startswith(prefixes)}


def _worthless() -> dict[str, str]:
    """Return values for the settings that every program must have: keys of no one, and no database."""
    keys = {name: secrets.token_urlsafe(length) for name, length in LENGTHS.items()}
    return {"DATABASE_URL": NOWHERE, **keys}
