"""Signing in, at the desk and at `/partners`: password, second factor, lock-out, sessions.

`session_state` knows which steps of signing in a session has completed. Before the last step,
`compliance.middleware.admin` lets it reach only these pages. `groups` is the table of permissions. Only
`actions` writes. `docs/signing-in.md` describes the pages for users.
"""
