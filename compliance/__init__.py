"""The project and its public HTTP contract: the composition root.

This file stays empty of imports so that `compliance.services` works before Django is configured, and before
it is even installed. The Celery application is loaded by `compliance.apps`, when Django starts.
"""
