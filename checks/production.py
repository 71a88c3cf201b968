"""The environment of a production service: only the required variables.

`python -m checks.production ARGUMENTS` runs `manage.py ARGUMENTS` in it.
"""

import os
import sys

from compliance.services.embedded import REPOSITORY

PRODUCTION = {
    "DATABASE_URL": "postgresql://service:word@db.example:5433/compliance?sslmode=verify-full",
    "REDIS_URL": "rediss://:word@cache.example:6379/0?ssl_cert_reqs=required",
    "SECRET_KEY": "Zk3Qv7x_1mB9tYw4Hc0RpLs8NeJd5GfUa2KoXi6TqVhEy-MbCzWn7rPg",
    "VERDICT_KEY": "p8Lr-W2sXc5Vn0QjTz4KdYh9GfBa7MeUo1RiNw3JtEq6HbSyCxPkFvZ_",
    "RECEIPT_KEYS": "bm9ib2R5J3Mga2V5OiBfODQtNzMxLXdlRnVxWnZQTGs",
    "RELEASE_PUBLIC_KEYS": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "ALLOWED_HOSTS": "batteries.example",
    "SITE_URL": "https://batteries.example",
    "TRUSTED_PROXIES": "1",
}
"""Its keys are examples that no one uses."""

if __name__ == "__main__":
    os.execve(
        sys.executable,
        [sys.executable, str(REPOSITORY / "manage.py"), *sys.argv[1:]],
        {**os.environ, **PRODUCTION},
    )
