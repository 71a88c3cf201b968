"""The keys of the service in a trial: whoever works its answers out needs the same."""

KEYS = {"SECRET_KEY": "only-for-chaos", "VERDICT_KEY": "only-for-chaos"}
