"""Signing in to the admin: password, second factor, lock-out, and how long a session lasts.

`session_state` says how far a session has come, and `compliance.middleware.admin` lets nothing but these
pages be reached before it has come all the way. `groups` is the table of who may do what. Only `actions`
writes. `docs/signing-in.md` tells people what they see.
"""
