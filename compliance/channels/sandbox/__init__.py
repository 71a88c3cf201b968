"""The sandbox: the same operations under `/sandbox/api/`, answered from a made-up release.

It is for developers of clients. Reserved models and airlines give every outcome of the service, so a
developer can test that the client never mistakes an outcome for a permission. Nothing in it is real, nothing
is recorded, and it knows no real model or airline. `docs/sandbox.md` is for integrators.
"""
