"""The verdict log: every verdict that the API, the checker or a tool gives is recorded, for a time.

An entry lies on this machine's disk before the answer leaves (`spool`), so a killed process loses none. A
thread sends on what was written (`shipping`): to a stream of Redis (`stream`), which workers drain into the
table (`draining`), or straight to the table where there is no Redis. A file goes away once the table holds
its entries; whatever comes twice counts once. `backlog` says how far behind that is, `replaying` judges a
recorded question again.

What is recorded: what was asked without what identifies a unit or a person (`entries`). Called by
`compliance.api.protocol.sending`, `compliance.channels.mcp` and `compliance.middleware.pages`.
"""
