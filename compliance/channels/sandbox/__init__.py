"""The sandbox: the same operations under `/sandbox/api/`, answered from a made-up release.

For whoever builds a client: reserved models and airlines give every outcome that the service can have, so
that a client can be shown to take none of them for a permission. Nothing of it is real, nothing is recorded,
and nothing real is known there. `docs/sandbox.md` is for integrators.
"""
