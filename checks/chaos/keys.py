"""The keys of the service in a trial: a process that computes its answers needs the same."""

from compliance.services.keys import new_release_key

KEYS = {"SECRET_KEY": "only-for-chaos", "VERDICT_KEY": "only-for-chaos", **new_release_key()}
