"""The ASGI entry point, `compliance.asgi:application`, for an ASGI server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
# Only web processes pool connections. The server must import this module after it forks: the workers would
# share a pool that was opened before a fork.
os.environ.setdefault("DATABASE_POOL", "true")

application = get_asgi_application()
