"""The health of the service, for probes and operators: `/healthz`, `/readyz`, `/metrics`.

bounded_calls  asks something that may not answer, at most once a second, and waits for it a moment at most
facts          what the database and Redis tell
readiness      pure: what follows from all of it
views          the three addresses
prometheus     the same facts as metrics, worked out when they are asked for

`compliance.middleware.request_envelope.Probes` says who may ask for them by an address instead of a name.
"""
