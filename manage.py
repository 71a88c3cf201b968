#!/usr/bin/env python3
"""Django's command line: `python manage.py COMMAND`.

Every command works alone. Without DATABASE_URL it uses the embedded database in DATA_DIR: it starts the
database if it is not running, and stops it if no other process uses it. With DATABASE_URL it uses that server
and starts nothing. A few commands need no database and do neither.
"""

import os
import sys

from compliance.services import ServiceError, embedded

WITHOUT_DATABASE = (["audit", "check"], ["receipts", "new-key"], ["release", "new-key"])
"""Commands for machines without a database and without keys of this service."""
NOWHERE = {"DATABASE_URL": "postgresql://127.0.0.1:1/none", "SECRET_KEY": "none", "VERDICT_KEY": "none"}
"""Placeholders for the settings that these commands do not need."""
PUBLISHING = {"prepare", "release", "restore"}
"""The commands of operators that get the key of releases, where it is in DATA_DIR."""


def main() -> None:
    """Run one command with a database at hand."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    if sys.argv[1:3] in WITHOUT_DATABASE:
        os.environ.update({name: value for name, value in NOWHERE.items() if not os.environ.get(name)})
    try:
        with embedded.join(embedded.data_dir(), publishes=bool(PUBLISHING.intersection(sys.argv[1:2]))):
            # Imported here: reading the settings needs the address of the database.
            from django.conf import settings
            from django.core.exceptions import ImproperlyConfigured
            from django.core.management import execute_from_command_line

            try:
                settings.DEBUG  # noqa: B018 (the first access to a setting reads all of them)
            except ImproperlyConfigured as error:
                sys.exit(f"manage.py: {error}")
            execute_from_command_line(sys.argv)
    except ServiceError as error:
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    main()
