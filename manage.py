#!/usr/bin/env python3
"""Django's command line: `python manage.py COMMAND`.

Every command works on its own. Without DATABASE_URL it joins the embedded database in DATA_DIR: it starts
it if nobody runs it, and stops it again if nobody else uses it. With DATABASE_URL it uses that server and
starts nothing.
"""

import os
import sys

from compliance.services import ServiceError, embedded


def main() -> None:
    """Run one command with a database at hand."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
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
