"""The keys of the service in a trial: a process that computes its answers needs the same."""

KEYS = {"SECRET_KEY": "only-for-chaos", "VERDICT_KEY": "only-for-chaos"}
