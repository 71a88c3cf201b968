"""A connection to the database for a thread that lives as long as its process.

Called by threads that follow or write in parallel to requests: `rules.corpus`,
`compliance.records.verdict_log.shipping`.
"""

import contextlib

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

PATIENCE = {
    "connect_timeout": 3,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 6000,
}
"""Connection parameters of libpq, in seconds, the last one in milliseconds.

With the defaults, a client waits for hours for a server that vanished silently, and notices its return as
late.
"""


def own_connection(name: str) -> BaseDatabaseWrapper:
    """Return a connection that is separate from Django's and from the pool; the database knows its name."""
    own: BaseDatabaseWrapper = connection.copy()
    options = {**PATIENCE, "application_name": name, **own.settings_dict["OPTIONS"]}
    options.pop("pool", None)
    own.settings_dict["OPTIONS"] = options
    return own


def close(database: BaseDatabaseWrapper) -> None:
    """Close a connection, whatever its state."""
    # Closing a broken connection may raise.
    with contextlib.suppress(Exception):
        database.close()
