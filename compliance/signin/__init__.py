"""Signing in to the admin: password, second factor, lock-out, and how long a session lasts.

`standing` says how far a session has come, and `compliance.middleware.admin` lets nothing but these pages be
reached before it has come all the way. Only the verbs in `actions` write. `docs/signing-in.md` tells people
what they see.
"""
