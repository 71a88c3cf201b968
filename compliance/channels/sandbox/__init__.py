"""The sandbox: the same operations under `/sandbox/api/`, answered from a made-up release.

It is for authors of clients. Reserved models and airlines give every outcome that the service can have, so
that an author can show that the client takes none of them for a permission. Nothing in it is real, nothing is
recorded, and nothing real is known there. `docs/sandbox.md` is for integrators.
"""
