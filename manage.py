#!/usr/bin/env python3
"""Django's command line: `python manage.py COMMAND`.

Every command works on its own. Without DATABASE_URL it joins the embedded database in DATA_DIR: it starts
it if nobody runs it, and stops it again if nobody else uses it. With DATABASE_URL it uses that server and
starts nothing. Neither is so for the few commands that ask no database.
"""

import os
import sys

from compliance.services import ServiceError, embedded

WITHOUT_DATABASE = (["audit", "check"], ["receipts", "new-key"])
"""Commands for machines that have no database, and no keys, of this service."""
NOWHERE = {"DATABASE_URL": "postgresql://127.0.0.1:1/none", "SECRET_KEY": "none", "VERDICT_KEY": "none"}
"""What stands in for the settings that they do not need."""


def main() -> None:
    """Run one command with a database at hand."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    if sys.argv[1:3] in WITHOUT_DATABASE:
        os.environ.update({name: value for name, value in NOWHERE.items() if not os.environ.get(name)})
    try:
        with embedded.join(embedded.data_dir()):
            # Imported here: reading the settings needs the address of the database.
            from django.conf import settings
            from django.core.exceptions import ImproperlyConfigured
            from django.core.management import execute_from_command_line

            try:
                settings.DEBUG  # noqa: B018 (the first look at a setting reads them all)
            except ImproperlyConfigured as error:
                sys.exit(f"manage.py: {error}")
            execute_from_command_line(sys.argv)
    except ServiceError as error:
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    main()
