"""The project and its public HTTP contract: the composition root.

This file imports nothing, so that `compliance.services` works before Django is configured, and even before it
is installed. `compliance.apps` loads the Celery application when Django starts.
"""
