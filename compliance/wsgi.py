"""The WSGI entry point, `compliance.wsgi:application`, for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
# Only web processes pool connections. Gunicorn must import this module after it forks, which is its
# default: a pool that was opened before a fork would be shared by the workers.
os.environ.setdefault("DATABASE_POOL", "true")

application = get_wsgi_application()
